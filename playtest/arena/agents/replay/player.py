"""Plays known actions level by level."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.actions import RESET, Action
from playtest.arena.agents.agent import Choice, Stop
from playtest.arena.agents.client import Game, Turn

type LevelActions = Mapping[int, Sequence[Action]]
"""By level from 1: the actions that complete it, from its start."""


class ReplayPlayer:
    """Plays the actions of each level as they were recorded, and stops where they do not complete it.

    A RESET without any action since the level's start or since the last RESET is left out unless
    `keeps_resets`: for people it did nothing, but over the API it restarts the whole game.
    """

    def __init__(self, levels: LevelActions, *, keeps_resets: bool) -> None:
        self._levels = levels
        self._keeps_resets = keeps_resets
        self._completed = -1
        self._left: list[Action] = []

    def choose(self, turn: Turn) -> Choice | Stop:
        if turn.levels_completed != self._completed:
            if turn.levels_completed < self._completed or self._left:
                return Stop("replay_differs")
            self._completed = turn.levels_completed
            if self._completed + 1 not in self._levels:
                return Stop("no_recording")
            actions = self._levels[self._completed + 1]
            self._left = list(actions if self._keeps_resets else without_restarts(actions))[::-1]
        if not self._left:
            return Stop("replay_differs")
        return Choice(self._left.pop())


class ReplayAgent:
    """Replays what `find` returns for an environment. Raises as `find`."""

    actions: int | None = None
    cost: float | None = None
    counts: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, name: str, find: Callable[[Game], LevelActions]) -> None:
        self.name = name
        self.settings: Mapping[str, Any] = {}
        self._find = find

    def begin(self, game: Game, *, competition: bool) -> ReplayPlayer:
        return ReplayPlayer(self._find(game), keeps_resets=competition)


def without_restarts(actions: Sequence[Action]) -> list[Action]:
    """A level's actions without each RESET at its start or right after another RESET."""
    used: list[Action] = []
    for action in actions:
        if action.id != RESET or (used and used[-1].id != RESET):
            used.append(action)
    return used
