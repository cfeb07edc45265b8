"""What an attempt is, and how it can end (report 5.1)."""

from enum import StrEnum

RESET = 0
"""The id of the RESET action (arcengine `GameAction.RESET`)."""

MINIMUM_ACTIONS = 30
"""An attempt has MORE actions than this (report 5.1)."""
MAXIMUM_SECONDS = 30 * 60
"""An attempt has LESS interaction than this, in seconds (report 5.1)."""


class Outcome(StrEnum):
    """How an attempt ended. An attempt that is still open has no outcome."""

    COMPLETED = "completed"
    GAVE_UP = "gave_up"
    CONCLUDED = "concluded"
    """Finished by the participant when the soft limit asked."""
    TIMED_OUT = "timed_out"
    SESSION_OVER = "session_over"
    FAULT = "fault"
    """The environment failed; it was not the participant's doing."""


LOST = (Outcome.GAVE_UP, Outcome.CONCLUDED, Outcome.TIMED_OUT)
"""Lost to the environment: it was given up, or its time ran out."""
LEFT_AT_ONCE = "left_at_once"
"""What became of an attempt that was lost before it had enough actions to be one: see `left_at_once`."""


def left_at_once(outcome: str, actions: int, *, minimum_actions: int = MINIMUM_ACTIONS) -> bool:
    """Whether somebody left before their play became an attempt: no level is what drove them away."""
    return outcome in LOST and actions <= minimum_actions


def why_not_counted(
    actions: int,
    interaction_seconds: float,
    *,
    minimum_actions: int = MINIMUM_ACTIONS,
    maximum_seconds: float = MAXIMUM_SECONDS,
) -> str | None:
    """Say in a sentence why a play session is not an attempt, or None when it is one.

    It is one with MORE than `minimum_actions` actions and LESS than `maximum_seconds` of interaction.

    `actions` leaves out the opening frame (seq 0) and counts every RESET as one; `interaction_seconds` runs
    from the first frame to the last accepted action.
    """
    reasons = []
    if actions <= minimum_actions:
        noun = "action" if actions == 1 else "actions"
        reasons.append(f"it has {actions} {noun} and needs more than {minimum_actions}")
    if not interaction_seconds < maximum_seconds:
        reasons.append(
            f"it lasted {_clock(interaction_seconds)} and must last less than {_clock(maximum_seconds)}"
        )
    return f"Not counted: {', and '.join(reasons)}." if reasons else None


def counts_as_attempt(
    actions: int,
    interaction_seconds: float,
    *,
    minimum_actions: int = MINIMUM_ACTIONS,
    maximum_seconds: float = MAXIMUM_SECONDS,
) -> bool:
    """Whether a play session is an attempt; see `why_not_counted`."""
    reason = why_not_counted(
        actions, interaction_seconds, minimum_actions=minimum_actions, maximum_seconds=maximum_seconds
    )
    return reason is None


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
