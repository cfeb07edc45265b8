"""Where two traces of one environment differ, or its live play from one: told without the environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.prove.qualification.findings import COSTLY, Finding, Trajectory
from engine.prove.qualification.plan import DETERMINISM

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
