"""The fewest actions with which a stored recording wins each level."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from engine.actions import RESET
from playtest.studio.models import Recording

type Fewest = dict[int, int]
"""By level; a level that no recording wins is left out."""


def fewest_in_recordings(versions: Collection[int]) -> defaultdict[int, Fewest]:
    """Of each version, by its pk. What a recording says of its turns is believed: qualification checks it."""
    found: defaultdict[int, Fewest] = defaultdict(dict)
    stored = Recording.objects.filter(version__in=versions).exclude(levels_completed=[])
    for version, done, actions in stored.values_list("version", "levels_completed", "actions"):
        for level, used in wins(done, actions):
            found[version][level] = min(used, found[version].get(level, used))
    return found


def wins(done: Sequence[int], actions: Sequence[Sequence[int | None]]) -> Iterator[tuple[int, int]]:
    """Each level that a recording completes, and the actions it takes from the level's last reset.

    `done`: the levels completed after the opening and after each action. What came before the whole game was
    last reset is left out, since its levels are played again.
    """
    begun = max((seq for seq in range(1, len(done)) if done[seq] < done[seq - 1]), default=0)
    ends = [begun, *(seq for seq in range(begun + 1, len(done)) if done[seq] > done[seq - 1])]
    for begin, end in pairwise(ends):
        yield done[end], actions_since_reset(actions[begin:end])


def actions_since_reset(actions: Sequence[Sequence[int | None]]) -> int:
    """How many actions follow the last reset: what came before is no part of the way through a level."""
    resets = [number for number, (action, *_) in enumerate(actions, start=1) if action == RESET]
    return len(actions) - (resets[-1] if resets else 0)
