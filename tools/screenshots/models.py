"""Simulated model agents for the pictures: recorded solutions with detours, and what each action cost."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from playtest_agents.client import Client
from playtest_agents.connection import Connection
from playtest_agents.game import CLICK, RESET, SIZE, Action, Choice, Game, Stop, Turn
from playtest_agents.runner import run
from tools.games import GAMES, won_in
from tools.screenshots.people import Solution, solution_of

SEEN = (
    "A line follows the figure wherever it goes.",
    "Nothing happened: this cell does not react.",
    "The last two actions led back to a board that I have seen.",
    "The goal is at the other side; I go around.",
)


@dataclass(frozen=True, slots=True)
class Model:
    """Solves `levels` of each environment, with `detour` random actions before each; prices in dollars."""

    name: str
    levels: int
    detour: int
    dollars_a_token: float
    tokens: int


@dataclass
class ModelPlayer:
    """Plays the levels that its model solves, then strays for a while and stops."""

    model: Model
    solution: Solution
    chance: random.Random
    _level: int = -1
    _left: list[Action] = field(default_factory=list)

    def choose(self, turn: Turn) -> Choice | Stop:
        if turn.lost:
            self._left = []
            return self._choice(Action(RESET))
        if turn.levels_completed != self._level:
            self._level = turn.levels_completed
            stray = [self._random(turn) for _ in range(self.chance.randrange(self.model.detour + 1))]
            solved = self._level < min(self.model.levels, len(self.solution))
            rest = self.solution[self._level] if solved else [self._random(turn) for _ in range(25)]
            self._left = [*stray, *([Action(RESET)] if stray else []), *rest][::-1]
        return self._choice(self._left.pop()) if self._left else Stop("gave_up")

    def _random(self, turn: Turn) -> Action:
        action = self.chance.choice(turn.available)
        cell = [self.chance.randrange(SIZE) for _ in range(2)] if action == CLICK else []
        return Action(action, *cell)

    def _choice(self, action: Action) -> Choice:
        into, out = self.model.tokens, self.chance.randint(60, 400)
        price = self.model.dollars_a_token
        usage = {
            "input_tokens": into,
            "input_tokens_details": {"cached_tokens": into // 2},
            "output_tokens": out,
            "output_tokens_details": {"reasoning_tokens": out // 2},
            "total_tokens": into + out,
        }
        cost = {
            "input_cost": into * price,
            "output_cost": 4 * out * price,
            "total_cost": (into + 4 * out) * price,
        }
        return Choice(action, {"output": self.chance.choice(SEEN), "usage": usage, "cost": cost})


class ModelAgent:
    """A model in the harness of the pictures."""

    actions: int | None = None
    cost: float | None = None
    counts: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, model: Model, seed: int) -> None:
        self.name = model.name
        self.settings: Mapping[str, Any] = {"model": model.name, "seed": seed}
        self._model, self._seed = model, seed

    def begin(self, game: Game, *, competition: bool) -> ModelPlayer:
        solution = solution_of(won_in(GAMES / game.code))
        return ModelPlayer(self._model, solution, random.Random(f"{self._seed} {game.code}"))


def play(root: str, key: str, model: Model, seed: int) -> str:
    """Plays everything that the key may, in competition mode; returns the card's id."""
    with Connection(root, {"X-API-Key": key}) as connection:
        client = Client(connection)
        return run(client, ModelAgent(model, seed), client.games(), competition=True).card_id
