"""What an attempt is, how it can end, and how its actions fall to its levels (report 5.1)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from playtest.rules.errors import RuleError

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


class LevelEntry(NamedTuple):
    """The facts of one journal entry that level counts need.

    `level` is the 1-based level the action was taken on, so an action that completes level 1 has level 1.
    """

    seq: int
    action_id: int
    level: int
    level_completed: bool


@dataclass(frozen=True, slots=True)
class LevelActions:
    """One level of one attempt.

    `actions` runs from entering the level to completing it, or to the end of the entries; each RESET in it is
    one action. `actions_since_reset` starts after the last RESET and is shown, never scored.
    """

    level: int
    actions: int = 0
    actions_since_reset: int = 0
    resets: int = 0
    completed: bool = False

    def after(self, entry: LevelEntry) -> "LevelActions":
        """The counts once `entry`, an action on this level, is added."""
        reset = entry.action_id == RESET
        return LevelActions(
            level=self.level,
            actions=self.actions + 1,
            actions_since_reset=0 if reset else self.actions_since_reset + 1,
            resets=self.resets + reset,
            completed=entry.level_completed,
        )


def level_actions(entries: Iterable[LevelEntry]) -> tuple[LevelActions, ...]:
    """Count the actions of each level that had any, in the order played; the opening frame (seq 0) is none.

    Raises RuleError `entries_out_of_order` when a seq does not rise, and `levels_out_of_order` when a level
    is left before it is completed or played after it: no person can do either.
    """
    levels: list[LevelActions] = []
    last_seq = 0
    for entry in entries:
        if entry.seq == 0:
            continue
        if entry.seq <= last_seq:
            raise RuleError(
                "entries_out_of_order", f"Entry {entry.seq} follows {last_seq}; sort them by seq."
            )
        last_seq = entry.seq
        if _enters_level(entry, levels):
            levels.append(LevelActions(entry.level))
        levels[-1] = levels[-1].after(entry)
    return tuple(levels)


def _enters_level(entry: LevelEntry, levels: list[LevelActions]) -> bool:
    last = levels[-1] if levels else LevelActions(0, completed=True)
    fits = entry.level > last.level if last.completed else entry.level == last.level
    if not fits:
        raise RuleError(
            "levels_out_of_order",
            f"Entry {entry.seq} is on level {entry.level} after level {last.level} "
            f"was {'completed' if last.completed else 'left uncompleted'}; "
            "give each entry the level its action was taken on.",
        )
    return last.completed
