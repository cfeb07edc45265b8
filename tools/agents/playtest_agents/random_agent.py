"""Plays uniformly at random: the least that every other agent has to beat."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any

from playtest_agents.game import CLICK, RESET, SIZE, Action, Choice, Game, Stop, Turn

NAME = "random"
ACTIONS = 1_000


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Draws from the available actions, ACTION6 at any of the 4,096 cells; RESET after a loss alone."""

    draws: Random

    def choose(self, turn: Turn) -> Choice | Stop:
        if turn.lost:
            return Choice(Action(RESET))
        if not turn.available:
            return Stop("no_actions")
        action = self.draws.choice(turn.available)
        if action != CLICK:
            return Choice(Action(action))
        return Choice(Action(action, self.draws.randrange(SIZE), self.draws.randrange(SIZE)))


class RandomAgent:
    """The same seed plays the same actions in an environment, whichever others are played."""

    name = NAME
    actions: int | None = ACTIONS
    cost: float | None = None
    counts: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, seed: int) -> None:
        self.settings: Mapping[str, Any] = {"seed": seed}
        self._seed = seed

    def begin(self, game: Game, *, competition: bool) -> RandomPlayer:
        return RandomPlayer(Random(f"{self._seed} {game.game_id}"))
