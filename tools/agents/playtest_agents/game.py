"""What an agent reads and answers: environments, turns with their frames, actions; what an agent is."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

ACTION_NAMES = ("RESET", "ACTION1", "ACTION2", "ACTION3", "ACTION4", "ACTION5", "ACTION6", "ACTION7")
RESET, CLICK, UNDO = 0, 6, 7
SIZE = 64
COLOURS = 16
NOT_FINISHED, WIN, GAME_OVER = "NOT_FINISHED", "WIN", "GAME_OVER"

type Frame = npt.NDArray[np.uint8]
"""64x64 cells (y, x) of 0 to 15."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action by its id, 0 (RESET) to 7. ACTION6, and no other, has a cell: x, y from 0 to 63."""

    id: int
    x: int | None = None
    y: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.id < len(ACTION_NAMES):
            raise ValueError(f"{self.id} is no action: choose 0 to 7.")
        cell = [value for value in (self.x, self.y) if value is not None]
        if len(cell) != 2 * (self.id == CLICK) or not all(0 <= value < SIZE for value in cell):
            raise ValueError(f"{self.name} cannot have the cell {self.x}, {self.y}.")

    @property
    def name(self) -> str:
        return ACTION_NAMES[self.id]

    @property
    def data(self) -> dict[str, int]:
        """The cell as the API takes it; empty without one."""
        return {} if self.x is None or self.y is None else {"x": self.x, "y": self.y}


@dataclass(frozen=True, slots=True)
class Game:
    """An environment as `/api/games` lists it. `baseline` is empty where the server does not disclose it."""

    game_id: str
    baseline: tuple[int, ...] = ()

    @property
    def code(self) -> str:
        """The part of its id that all its versions have in common."""
        return self.game_id.partition("-")[0]


@dataclass(frozen=True, eq=False, slots=True)
class Turn:
    """What the server answered: `frames` in order, of which the last is what is to be seen now.

    `available` are the ids of the actions that the environment offers, without RESET.
    """

    guid: str
    frames: tuple[Frame, ...]
    state: str
    levels_completed: int
    levels: int
    available: tuple[int, ...]

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def won(self) -> bool:
        return self.state == WIN

    @property
    def lost(self) -> bool:
        """Only a RESET goes on from here."""
        return self.state == GAME_OVER


@dataclass(frozen=True, slots=True)
class Choice:
    """An action, and what is stored beside it: at most 16 KiB of JSON."""

    action: Action
    reasoning: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """The player takes no further action in this environment. `reason` is a code, such as level_budget."""

    reason: str


class Player(Protocol):
    """Plays one environment once."""

    def choose(self, turn: Turn) -> Choice | Stop:
        """What to do after this turn, which is not a win: RESET alone goes on from a lost game."""


class Agent(ABC):
    """Makes a player for each environment.

    `settings` are stored with the card; `actions` is the most actions in an environment if the command does
    not say, None for no limit.
    """

    name: str
    settings: Mapping[str, Any]
    actions: int | None = None

    @property
    def cost(self) -> float | None:
        """What was spent so far in dollars, None if nothing costs."""
        return None

    @property
    def counts(self) -> Mapping[str, Any]:
        """What else the report says of the whole run, by name."""
        return {}

    def check(self, games: Sequence[Game]) -> None:
        """Called before a card is opened. Raises AgentError if none of these can be played."""
        return

    @abstractmethod
    def begin(self, game: Game, *, competition: bool) -> Player | Stop:
        """The player; or why none is begun.

        In competition mode a RESET at the start of a level does nothing; else it restarts the game.
        """


class SeededAgent(Agent):
    """The same seed plays the same actions in an environment, whichever others are played."""

    actions = 1_000

    def __init__(self, seed: int) -> None:
        self.settings = {"seed": seed}
        self._seed = seed

    def draws(self, game: Game) -> Random:
        return Random(f"{self._seed} {game.game_id}")
