"""The speed of an environment: slow actions, and frames a second.

Durations are measured by `engine.confine.workers.qualification`, never here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.play.actions import Action
from engine.prove.qualification.findings import Finding, Trajectory
from engine.prove.qualification.plan import FRAMES_A_SECOND, SLOW_SECONDS, SPEED

FEWEST_FRAMES = 20
"""With fewer frames a level's speed is not judged."""
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
                f"Level {level} draws {frames / seconds:,.0f} frames a second of computing "
                f"({frames:,} frames of random play); at least {FRAMES_A_SECOND:,} are required."
            )
            found.append(Finding(SPEED, "too_few_frames_a_second", message, level))
    return found


def is_slow(seconds: float) -> bool:
    """Whether a person notices that an action takes so long."""
    return seconds > SLOW_SECONDS
