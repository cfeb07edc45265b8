"""Actions that keep a person waiting. How long one took is measured by `engine.trial`, never here."""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Action
from engine.qualify import SLOW_SECONDS, SPEED, Finding, Tape


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


def is_slow(seconds: float) -> bool:
    """Whether a person notices."""
    return seconds > SLOW_SECONDS
