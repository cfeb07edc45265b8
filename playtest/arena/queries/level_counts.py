"""What the plays of agents' runs count, level by level, as arc_agi's scorecards count it."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.turns import GAME_OVER, NOT_FINISHED, WIN
from playtest.arena.queries.summaries import LevelCounts, PlaySum, sums


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
    found = sums(attempts, usage=False)
    return {attempt: _counts(one, undo_counts) for attempt, one in found.items()}


def _counts(play: PlaySum, undo_counts: bool) -> PlayCounts:
    """The counts of one play from the sums of its levels."""
    actions, by_level, levels = 0, list[tuple[int, int]](), list[LevelCount]()
    counted = {number: one.counts for number, one in play.levels.items() if one.counts.actions}
    for number, one in counted.items():
        taken = one.actions - (0 if undo_counts else one.undos)
        actions += taken
        levels.append(LevelCount(number, taken, one.resets, bool(one.completions)))
        if one.completions:
            by_level.append((one.reached, actions))
    return PlayCounts(
        actions=actions,
        resets=sum(one.resets for one in counted.values()),
        levels_completed=max((one.reached for one in counted.values()), default=0),
        state=_state(counted.values()),
        actions_by_level=tuple(by_level),
        levels=tuple(levels),
    )


def _state(levels: Iterable[LevelCounts]) -> str:
    levels = list(levels)
    if any(one.won for one in levels):
        return WIN
    return GAME_OVER if any(one.lost for one in levels) else NOT_FINISHED
