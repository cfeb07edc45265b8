"""The check of determinism: traces of random play, and their comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.errors import EngineError
from engine.play.turns import WIN
from engine.prove.player import Player, RandomPolicy
from engine.prove.qualification.episodes import COSTLY, Episode
from engine.prove.qualification.findings import Finding, Timings, Trajectory, pace
from engine.prove.qualification.plan import DETERMINISM, Progress, shares

_WHERE = {
    "nondeterministic": "in the same process",
    "nondeterministic_in_another_process": "in another process",
    "nondeterministic_with_another_hash_seed": "in a process with another PYTHONHASHSEED",
}


def compare_traces(first: Sequence[Any], other: Sequence[Any], code: str) -> list[Finding]:
    """A finding with this code where two traces of one part first differ; none if they are equal.

    A trace is a list of [trajectory or None, code of its failure or ""], one for each level.
    """
    for (trajectory, failure), (again, failure_again) in zip(first, other, strict=False):
        if trajectory == again and failure == failure_again:
            continue
        level, hashes = 1, []
        if trajectory is not None and again is not None:
            level = trajectory["level"]
            hashes = list(zip(trajectory["state_hashes"], again["state_hashes"], strict=False))
        at = next((i for i, (one, two) in enumerate(hashes) if one != two), len(hashes))
        if at == len(hashes) and COSTLY & {failure, failure_again}:
            continue  # the machine, too, decides when time or memory run out
        when = f"at action {at} of level {level}" if at else f"at the start of level {level}"
        message = f"The same seed and actions led to another state {_WHERE[code]}, {when}."
        return [Finding(DETERMINISM, code, message, level, recording=trajectory and _cut(trajectory, at))]
    return []


def live_difference(sample: Trajectory, at: int, why: str) -> Finding:
    """The finding that a sample went on differently at action `at` as people play it; `why` is a sentence."""
    level = sample.level
    when = f"at action {at} from the start of level {level}" if at else f"at the start of level {level}"
    message = f"Where people play it, the same seed and actions go on differently {when}: {why}"
    recording = _cut(sample.as_json(), at)
    return Finding(DETERMINISM, "differs_in_live_play", message, level, recording=recording)


def _cut(trajectory: dict[str, Any], at: int) -> dict[str, Any]:
    actions, hashes = trajectory["actions"][:at], trajectory["state_hashes"][: at + 1]
    return trajectory | {"actions": actions, "state_hashes": hashes}


def trace(
    player: Player, seed: int, steps: int, progress: Progress, timings: Timings | None = None
) -> Iterator[tuple[Trajectory, str]]:
    """Random play from the start of every level, `steps` in all: each trajectory and its failure's code.

    Ends after the first costly failure. The frames of each action are added to `timings`, and its seconds as
    a machine of the usual pace would take, by a calibration before and after each level.
    """
    levels = player.start(seed, 1).turn.levels
    done = 0
    for level, share in shares(steps, range(1, levels + 1)):
        episode = Episode(player, seed, level)
        policy = RandomPolicy(seed + level, "both")
        failure = ""
        taken: list[tuple[int, float]] = []
        slower = pace()
        try:
            turn = episode.open()
            for _ in range(share):
                if turn.state == WIN:
                    break
                turn = episode.act(player.choose(policy, episode.game))
                taken.append((len(turn.frames), player.seconds))
                progress(done + len(episode.actions))
        except EngineError as error:
            failure = error.code
        if timings is not None and taken:
            slower = (slower + pace()) / 2
            timings[level] = [(frames, seconds / slower) for frames, seconds in taken]
        done += share
        yield episode.trajectory(), failure
        if failure in COSTLY:
            return
