"""What the plays of agents' runs count, level by level, as arc_agi's scorecards count it."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import batched
from typing import Any

from django.db.models import Count, Max, Q

from engine.actions import RESET, UNDO
from engine.turns import GAME_OVER, NOT_FINISHED, WIN
from playtest.play.models import Entry

_ATTEMPTS_A_QUERY = 500
_CHOSEN = Q(seq__gt=0)
"""Entry 0 is the opening frame, which no agent chose."""


@dataclass(frozen=True, slots=True)
class LevelCount:
    """One level of a play: its `actions`, each RESET being one of them, and how many of these were resets."""

    level: int
    actions: int
    resets: int
    completed: bool


@dataclass(frozen=True, slots=True)
class PlayCounts:
    """A play of a run. `levels` are those with an action, in order.

    `actions_by_level` has, for each action that completed a level, the levels completed and all actions of
    the play until then. `state` is the scorecard's: GAME_OVER stays until WIN, also after a level reset.
    """

    actions: int = 0
    resets: int = 0
    levels_completed: int = 0
    state: str = NOT_FINISHED
    actions_by_level: tuple[tuple[int, int], ...] = ()
    levels: tuple[LevelCount, ...] = ()

    def level(self, number: int) -> LevelCount:
        """The count of a level, from 1; of one without actions all zeros."""
        return next(
            (count for count in self.levels if count.level == number), LevelCount(number, 0, 0, False)
        )


def play_counts(attempts: Iterable[int], *, undo_counts: bool = True) -> dict[int, PlayCounts]:
    """The counts of runs' attempts (primary keys); one without any action is among them, with zeros.

    Without `undo_counts`, an undo (ACTION7) is no action; it was for most cards of the human data set.
    """
    found: dict[int, list[dict[str, Any]]] = {attempt: [] for attempt in attempts}
    uncounted = Q() if undo_counts else ~Q(action=UNDO)
    for some in batched(found, _ATTEMPTS_A_QUERY):
        rows = (
            Entry.objects.filter(_CHOSEN, attempt__in=some)
            .values("attempt", "level")
            .annotate(
                actions=Count("pk", filter=uncounted or None),
                resets=Count("pk", filter=Q(action=RESET)),
                completions=Count("pk", filter=Q(level_completed=True)),
                reached=Max("levels_completed"),
                lost=Count("pk", filter=Q(state=GAME_OVER)),
                won=Count("pk", filter=Q(state=WIN)),
            )
            .order_by("attempt", "level")
        )
        for row in rows:
            found[row["attempt"]].append(dict(row))
    return {attempt: _counts(rows) for attempt, rows in found.items()}


def _counts(rows: list[dict[str, Any]]) -> PlayCounts:
    """The counts of one play from its levels' rows, in order."""
    actions, by_level = 0, list[tuple[int, int]]()
    for row in rows:
        actions += row["actions"]
        if row["completions"]:
            by_level.append((row["reached"], actions))
    return PlayCounts(
        actions=actions,
        resets=sum(row["resets"] for row in rows),
        levels_completed=max((row["reached"] for row in rows), default=0),
        state=_state(rows),
        actions_by_level=tuple(by_level),
        levels=tuple(
            LevelCount(row["level"], row["actions"], row["resets"], bool(row["completions"])) for row in rows
        ),
    )


def _state(rows: list[dict[str, Any]]) -> str:
    if any(row["won"] for row in rows):
        return WIN
    return GAME_OVER if any(row["lost"] for row in rows) else NOT_FINISHED
