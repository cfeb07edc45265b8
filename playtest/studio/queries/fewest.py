"""The fewest actions that are known to win a level, and whether they are proven (docs/decisions/0019)."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from engine.play.actions import RESET
from playtest.jobs.models import JobStatus
from playtest.studio.models import Exploration, RandomPlay, Recording, Version

type Fewest = dict[int, int]
"""Actions by level, without levels that have no known win."""
type StoredAction = Sequence[Any]
"""[id, x, y], as a recording stores it."""
type Win = Sequence[StoredAction]


def fewest_stored(versions: Collection[int]) -> defaultdict[int, Fewest]:
    """By version and level: the fewest actions with which a recording, exploration or random play wins it.

    What people need is added where results are shown: `rules.baseline.fewest_known`.
    """
    return fewest_stored_and_proven(versions)[0]


def fewest_stored_and_proven(
    versions: Collection[int],
) -> tuple[defaultdict[int, Fewest], defaultdict[int, Fewest]]:
    """The same, and the shortest wins of explorations that had tried every shorter path."""
    stored: defaultdict[int, Fewest] = defaultdict(dict)
    proven: defaultdict[int, Fewest] = defaultdict(dict)
    for version, level, actions, is_proven in _stored_wins(versions):
        for found in (stored, proven) if is_proven else (stored,):
            found[version][level] = min(actions, found[version].get(level, actions))
    return stored, proven


def proves_the_shortest_win(report: Mapping[str, Any]) -> bool:
    """Whether an exploration tried every path that is shorter than its shortest win.

    It goes breadth first: with every path of `complete_to` actions tried, a win of one more is the fewest.
    Early reports have no `complete_to`; they prove it only where everything was explored.
    """
    shortest = report.get("shortest_win")
    if shortest is None:
        return False
    complete_to = report.get("complete_to")
    return bool(report.get("fully_explored")) or (complete_to is not None and shortest <= complete_to + 1)


def wins(done: Sequence[int], actions: Sequence[StoredAction]) -> Iterator[tuple[int, int]]:
    """Each level that a recording completes, and its actions from the level's last reset.

    `done`: the levels completed after the opening and after each action. Actions before the last reset of
    the whole game are left out, because its levels are played again.
    """
    for level, used in winning_actions(done, actions):
        yield level, len(used)


def winning_actions(done: Sequence[int], actions: Sequence[StoredAction]) -> Iterator[tuple[int, Win]]:
    """The same with the actions themselves."""
    begun = max((seq for seq in range(1, len(done)) if done[seq] < done[seq - 1]), default=0)
    ends = [begun, *(seq for seq in range(begun + 1, len(done)) if done[seq] > done[seq - 1])]
    for begin, end in pairwise(ends):
        yield done[end], _since_reset(actions[begin:end])


def recorded_wins(version: Version, level: int) -> list[tuple[int, Win]]:
    """The seed and the actions of each recorded win of a level, the shortest first."""
    recordings = version.recordings.exclude(levels_completed=[]).order_by("pk")
    found = [
        (seed, used)
        for seed, done, actions in recordings.values_list("seed", "levels_completed", "actions")
        for won, used in winning_actions(done, actions)
        if won == level
    ]
    return sorted(found, key=lambda one: len(one[1]))


def shortest_recorded(version: Version, seed: int) -> dict[int, Win]:
    """By level: the fewest actions with which a recording of this seed wins it, none known left out."""
    recordings = version.recordings.filter(seed=seed).exclude(levels_completed=[]).order_by("pk")
    found: dict[int, Win] = {}
    for done, actions in recordings.values_list("levels_completed", "actions"):
        for level, used in winning_actions(done, actions):
            if level not in found or len(used) < len(found[level]):
                found[level] = used
    return found


def actions_since_reset(actions: Sequence[StoredAction]) -> int:
    """The number of actions after the last reset: those before it do not help to win the level."""
    return len(_since_reset(actions))


def _since_reset(actions: Sequence[StoredAction]) -> Win:
    resets = [number for number, (action, *_) in enumerate(actions, start=1) if action == RESET]
    return actions[resets[-1] :] if resets else actions


def _stored_wins(versions: Collection[int]) -> Iterator[tuple[int, int, int, bool]]:
    """Version, level, actions of every stored win, and whether none is shorter.

    Qualification checks that recordings are right.
    """
    recordings = Recording.objects.filter(version__in=versions).exclude(levels_completed=[])
    for version, done, actions in recordings.values_list("version", "levels_completed", "actions"):
        for level, used in wins(done, actions):
            yield version, level, used, False
    explorations = Exploration.objects.filter(version__in=versions, status=JobStatus.DONE)
    keys = ("shortest_win", "complete_to", "fully_explored")
    for version, level, *said in explorations.values_list(
        "version", "level", *(f"report__{key}" for key in keys)
    ):
        report = dict(zip(keys, said, strict=True))
        if report["shortest_win"] is not None:
            yield version, level, report["shortest_win"], proves_the_shortest_win(report)
    batches = RandomPlay.objects.filter(version__in=versions, status=JobStatus.DONE)
    for version, level, won in batches.values_list("version", "level", "report__wins"):
        for _, used in won:
            yield version, level, used, False
