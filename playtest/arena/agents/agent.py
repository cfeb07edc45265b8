"""What an agent is: it makes a player for each environment, and a player chooses action after action."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from engine.actions import Action
from playtest.arena.agents.client import Game, Turn


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


class Agent(Protocol):
    """Makes a player for each environment.

    `settings` are stored with the card; `actions` is the most actions in an environment if the command does
    not say, None for no limit.
    """

    name: str
    settings: Mapping[str, Any]
    actions: int | None

    @property
    def cost(self) -> float | None:
        """What was spent so far in dollars, None if nothing costs."""

    @property
    def counts(self) -> Mapping[str, Any]:
        """What else the report says of the whole run, by name."""

    def begin(self, game: Game, *, competition: bool) -> Player:
        """In competition mode a RESET at the start of a level does nothing; else it restarts the game."""
