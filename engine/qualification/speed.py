"""How fast an environment is: actions that keep a person waiting, and frames a second.

How long an action took is measured by `engine.workers.qualification`, never here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.actions import Action
from engine.qualification.plan import FRAMES_A_SECOND, SLOW_SECONDS, SPEED, Finding, Tape

FEWEST_FRAMES = 20
"""Fewer tell nothing of a level's pace."""
REPEATS = 5
"""The same actions are timed again, at most so often, before a level is called too slow."""

type Paces = dict[int, list[tuple[int, float]]]
"""By level, of each action in turn: its frames and the seconds it took."""


@dataclass(frozen=True, slots=True)
class Slow:
    """The slowest action of a level: the last of `tape`, begun anew after `level_begun` of its actions."""

    level: int
    seconds: float
    tape: Tape
    level_begun: int
    count: int

    @property
    def since_begun(self) -> tuple[Action, ...]:
        """What was done on the level since it was begun."""
        return self.tape.actions[self.level_begun :]


def finding(slow: Slow, tape: Tape, deadline: float) -> Finding:
    """What is said of it: it fails if live play, which waits for `deadline` seconds, would not wait."""
    took = f"On level {slow.level} an action took {slow.seconds:.2g} s"
    note = slow.seconds < deadline
    code = "slow_action" if note else "action_too_slow"
    message = f"{took}." if note else f"{took}; live play ends an attempt after {deadline:g} s."
    return Finding(SPEED, code, message, slow.level, note, slow.count, tape.as_json())


def too_slow(paces: Sequence[Paces]) -> list[Finding]:
    """The levels that draw too few frames a second, from the same actions timed again and again.

    Of each action the shortest time counts: what else the machine does can only lengthen it.
    """
    found = []
    for level, first in paces[0].items():
        frames = sum(drawn for drawn, _ in first)
        again = [pace.get(level, []) for pace in paces]
        seconds = sum(min(took for _, took in same) for same in zip(*again, strict=False))
        if frames >= FEWEST_FRAMES and seconds * FRAMES_A_SECOND > frames:
            message = (
                f"Level {level} draws {frames / seconds:,.0f} frames a second of computing "
                f"({frames:,} frames of random play); at least {FRAMES_A_SECOND:,} are asked for."
            )
            found.append(Finding(SPEED, "too_few_frames_a_second", message, level))
    return found


def is_slow(seconds: float) -> bool:
    """Whether a person notices."""
    return seconds > SLOW_SECONDS
