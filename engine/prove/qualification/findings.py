"""What the checks of a qualification find, and the actions that show it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from engine.play.actions import Action
from engine.prove.qualification.plan import FRAMES_A_SECOND, RECORDINGS, SLOW_SECONDS, SPEED


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Actions from the start of `level` with `seed`, and the states that they led to.

    `hashes` are the state hashes after the opening and after each action that did not fail. `as_arcengine`:
    the actions follow arcengine's rules (`Game.start`).
    """

    seed: int
    level: int
    actions: tuple[Action, ...]
    hashes: tuple[bytes, ...] = ()
    as_arcengine: bool = False

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Trajectory:
        """The trajectory that `as_json` returned. Raises LookupError, TypeError, ValueError."""
        actions = tuple(Action(*action) for action in stored["actions"])
        hashes = tuple(bytes.fromhex(one) for one in stored["state_hashes"])
        return cls(int(stored["seed"]), int(stored["level"]), actions, hashes, bool(stored["as_arcengine"]))

    def as_json(self) -> dict[str, Any]:
        """The fields of a stored recording."""
        return {
            "seed": self.seed,
            "level": self.level,
            "actions": [[action.id, action.x, action.y] for action in self.actions],
            "state_hashes": [state_hash.hex() for state_hash in self.hashes],
            "as_arcengine": self.as_arcengine,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found, `count` times. A `note` does not fail the qualification."""

    check: str
    code: str
    message: str
    level: int | None = None
    note: bool = False
    count: int = 1
    recording: dict[str, Any] | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Finding:
        """The finding that `as_json` returned."""
        return cls(**stored)

    def as_json(self) -> dict[str, Any]:
        """The stored form."""
        return asdict(self)


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """The first finding of each check, code and level, with the count of all.

    Findings about recordings are merged only if their messages are equal.
    """
    found: dict[tuple[str, str, int | None, str], Finding] = {}
    for finding in findings:
        own = finding.message if finding.check == RECORDINGS else ""
        key = finding.check, finding.code, finding.level, own
        first = found.get(key)
        found[key] = finding if first is None else replace(first, count=first.count + finding.count)
    return list(found.values())


COSTLY = frozenset({"deadline_exceeded", "memory_exceeded"})
"""Faults that take seconds: after a few of them play ends, because more would show nothing new."""
FEWEST_FRAMES = 20
"""With fewer frames a level's speed is not judged."""
CALIBRATIONS, CALIBRATION_TURNS, CALIBRATION_SECONDS = 3, 300, 0.0023
"""How often so many turns are computed, and how long they take on the machine that FRAMES_A_SECOND is of."""
REPEATS = 5
"""The most times that the same actions are timed before a level is called too slow."""

type Timings = dict[int, list[tuple[int, float]]]
"""The frames and seconds of each action in turn, by level."""


@dataclass(frozen=True, slots=True)
class SlowAction:
    """A level's slowest action: the last of `trajectory`. The level began after `level_begun` actions."""

    level: int
    seconds: float
    trajectory: Trajectory
    level_begun: int
    count: int

    @property
    def since_begun(self) -> tuple[Action, ...]:
        """The actions since the level began."""
        return self.trajectory.actions[self.level_begun :]


def slow_finding(slow: SlowAction, trajectory: Trajectory, deadline: float) -> Finding:
    """A finding that fails if the action takes longer than `deadline`, the seconds that live play allows."""
    took = f"On level {slow.level} an action took {slow.seconds:.2g} s"
    note = slow.seconds < deadline
    code = "slow_action" if note else "action_too_slow"
    message = f"{took}." if note else f"{took}; live play ends an attempt after {deadline:g} s."
    return Finding(SPEED, code, message, slow.level, note, slow.count, trajectory.as_json())


def pace() -> float:
    """How many times as long as a quiet machine of the usual kind this thread needs to compute.

    A busy machine lengthens processor time too, as caches and cores are shared.
    """
    taken = []
    for _ in range(CALIBRATIONS):
        began = time.thread_time()
        board = np.zeros((64, 64), dtype=np.int8)
        for number in range(CALIBRATION_TURNS):
            named = {place: place * number for place in range(32)}
            board[number % 64, : len(named)] = sum(named.values()) % 16
            board = np.where(board > 8, board - 1, board)
        taken.append(time.thread_time() - began)
    return min(taken) / CALIBRATION_SECONDS


def slow_levels(timings: Sequence[Timings]) -> list[Finding]:
    """Findings of the levels that draw too few frames a second; `timings` are of the same actions.

    The shortest time of each action counts: other work of the machine can only lengthen it.
    """
    found = []
    for level, first in timings[0].items():
        frames = sum(drawn for drawn, _ in first)
        again = [timing.get(level, []) for timing in timings]
        seconds = sum(min(took for _, took in same) for same in zip(*again, strict=False))
        if frames >= FEWEST_FRAMES and seconds * FRAMES_A_SECOND > frames:
            message = (
                f"Level {level} draws {frames / seconds:,.0f} frames a second of computing at the usual pace "
                f"({frames:,} frames of random play); at least {FRAMES_A_SECOND:,} are required."
            )
            found.append(Finding(SPEED, "too_few_frames_a_second", message, level))
    return found


def is_slow(seconds: float) -> bool:
    """Whether a person notices that an action takes so long."""
    return seconds > SLOW_SECONDS
