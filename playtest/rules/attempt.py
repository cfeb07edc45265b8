"""What an attempt is, and how it can end (report 5.1)."""

from dataclasses import dataclass
from enum import StrEnum

from playtest.rules.errors import RuleError

RESET = 0
"""The id of the RESET action (arcengine `GameAction.RESET`)."""
UNDO = 7
"""The id of undo (`GameAction.ACTION7`)."""


class PlayedBy(StrEnum):
    """Who plays an attempt: a person in a session, an agent, or a member of staff without a session."""

    PERSON = "person"
    AGENT = "agent"
    STAFF = "internal"


class Outcome(StrEnum):
    """How an attempt ended. An attempt that is still open has no outcome."""

    COMPLETED = "completed"
    GAVE_UP = "gave_up"
    CONCLUDED = "concluded"
    """Finished by the participant when the soft limit asked."""
    TIMED_OUT = "timed_out"
    SESSION_OVER = "session_over"
    ENDED_BY_STAFF = "ended_by_staff"
    """Like SESSION_OVER: it was cut short, and the participant did not lose it."""
    RESTARTED = "restarted"
    """An agent, or a member of staff, began the environment again: what follows is another attempt."""
    TRIES_USED = "tries_used"
    """Every test input of a static task is closed, and not all of them are solved."""
    BUDGET_SPENT = "budget_spent"
    """An agent took more than five times the human baseline on a level (report 4.2)."""
    CARD_CLOSED = "card_closed"
    """The scorecard of an agent's run was closed."""
    FAULT = "fault"
    """The environment failed; it was not the participant's doing."""


RECORDING_ENDS = "recording_ends"
"""How pages name the end of a recording from outside that stops before the last level is completed."""
LOST = (Outcome.GAVE_UP, Outcome.CONCLUDED, Outcome.TIMED_OUT, Outcome.TRIES_USED)
"""Lost to the environment: it was given up, or its time ran out, or a task's tries are used up."""
CUT_SHORT = (Outcome.SESSION_OVER, Outcome.ENDED_BY_STAFF)
"""Neither solved nor lost: it was ended from outside, and the participant might have gone on."""
LEFT_AT_ONCE = "left_at_once"
"""The level outcome of an attempt that was lost with too few actions: `AttemptRule.left_at_once`."""


@dataclass(frozen=True, slots=True)
class AttemptRule:
    """A play session counts with more actions and less interaction than these numbers, not with as many.

    Actions leave out the opening frame (seq 0) and count every RESET as one. Interaction runs from the first
    frame to the last accepted action. Time that was granted to an attempt is added to its longest time, as
    it moves its hard limit (`rules.limits.granted_time`). `play.sessions.reads.COUNTED` is the same rule in
    SQL. Raises RuleError `attempt_rule_invalid`.
    """

    more_than_actions: int
    less_than_seconds: int

    def __post_init__(self) -> None:
        if self.more_than_actions < 0 or self.less_than_seconds <= 0:
            message = "An attempt needs no fewer than 0 actions, and a longest time of more than 0 seconds."
            raise RuleError("attempt_rule_invalid", message)

    @property
    def description(self) -> str:
        """More than N actions and less than M minutes of interaction."""
        minutes = f"{self.less_than_seconds / 60:g} minutes of interaction"
        return f"more than {self.more_than_actions} actions and less than {minutes}"

    def enough(self, actions: int) -> bool:
        """Whether these are enough actions for an attempt."""
        return actions > self.more_than_actions

    def counts(self, actions: int, interaction_seconds: float, granted_seconds: float = 0.0) -> bool:
        """Whether a play session is an attempt."""
        return self.enough(actions) and self.in_time(interaction_seconds, granted_seconds)

    def in_time(self, interaction_seconds: float, granted_seconds: float = 0.0) -> bool:
        """Whether it lasted short enough for an attempt."""
        return interaction_seconds < self.less_than_seconds + granted_seconds

    def left_at_once(self, outcome: str, actions: int) -> bool:
        """Whether somebody was lost with too few actions for an attempt."""
        return outcome in LOST and not self.enough(actions)

    def why_not_counted(
        self, actions: int, interaction_seconds: float, granted_seconds: float = 0.0
    ) -> str | None:
        """Say in a sentence why a play session is not an attempt, or None when it is one."""
        reasons = []
        if not self.enough(actions):
            noun = "action" if actions == 1 else "actions"
            reasons.append(f"it has {actions} {noun} and needs more than {self.more_than_actions}")
        if not self.in_time(interaction_seconds, granted_seconds):
            lasted, most = _clock(interaction_seconds), _clock(self.less_than_seconds + granted_seconds)
            reasons.append(f"it lasted {lasted} and must last less than {most}")
        return f"Not counted: {', and '.join(reasons)}." if reasons else None


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
