"""Where a play stands on its level: what a RESET does and whether the budget is spent depend on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.actions import RESET
from engine.turns import NOT_FINISHED, WIN
from playtest.play.models import Entry
from playtest.rules.score import BUDGET


@dataclass(frozen=True, slots=True)
class Progress:
    """`actions` on the current level, each RESET being one; `since` its start or its last reset."""

    actions: int = 0
    since: int = 0
    state: str = NOT_FINISHED

    def after(self, action: int, *, level_completed: bool, state: str) -> Progress:
        """After an action with this id that led to this state."""
        if level_completed and state != WIN:
            return Progress(0, 0, state)
        return Progress(self.actions + 1, 0 if action == RESET else self.since + 1, state)

    @property
    def restarts(self) -> bool:
        """Whether a RESET starts the whole environment again, as in arcengine (outside competition)."""
        return self.since == 0 or self.state == WIN

    def spent(self, baseline: int | None) -> bool:
        """Whether this level's budget is spent: exactly five times the baseline is allowed."""
        return baseline is not None and self.actions >= BUDGET * baseline


def progress_of(entries: Iterable[Entry]) -> Progress:
    """The progress after a journal's entries, in order."""
    progress = Progress()
    for entry in entries:
        if entry.seq:
            progress = progress.after(entry.action, level_completed=entry.level_completed, state=entry.state)
    return progress
