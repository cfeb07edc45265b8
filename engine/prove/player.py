"""Starts and plays games of a source or one level of it; valid actions, a policy that draws among them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Literal

from engine.errors import EngineError
from engine.play.actions import CLICK, EVERY_CELL, RESET, Action
from engine.play.game import Game
from engine.play.source import Source
from engine.play.turns import NOT_FINISHED, Turn
from engine.prove.qualification.findings import Finding, SlowAction, Trajectory
from engine.prove.state import identify

type Declared = Callable[[Game], list[Action]]
"""Asks a game for its declared places, as `Game.declared_clicks` does, perhaps within limits."""
type Clicks = Literal["uniform", "declared", "both"]

_OTHERS = tuple(Action(identifier) if identifier != CLICK else EVERY_CELL[0] for identifier in range(8))


def valid_actions(game: Game) -> list[Action]:
    """The valid actions of the present state, without RESET; none after WIN or GAME_OVER.

    ACTION6 is there once for each place that the environment declares, or for every cell of the board when
    it declares none.
    """
    if game.turn.state != NOT_FINISHED:
        return []
    actions: list[Action] = []
    for identifier in game.turn.available_actions:
        if identifier == CLICK:
            actions.extend(game.declared_clicks() or EVERY_CELL)
        else:
            actions.append(_OTHERS[identifier])
    return actions


class RandomPolicy:
    """Draws uniformly over the ids of the available actions, and a cell for ACTION6.

    `clicks`: every cell alike ("uniform"), one of the places the environment declares, if it declares any
    ("declared"), or either with equal chance ("both"). The same seed and the same turns give the same
    actions in any process: the generator is the policy's own.
    """

    def __init__(self, seed: int, clicks: Clicks = "uniform") -> None:
        self._draw = random.Random(seed).random
        self._share_declared = {"uniform": 0.0, "both": 0.5, "declared": 1.0}[clicks]

    def choose(self, game: Game, declared: Declared = Game.declared_clicks) -> Action:
        """The next action: RESET when the level is lost or nothing else is available."""
        available = game.turn.available_actions
        if game.turn.state != NOT_FINISHED or not available:
            return _OTHERS[RESET]
        identifier = available[int(self._draw() * len(available))]
        return self._click(game, declared) if identifier == CLICK else _OTHERS[identifier]

    def _click(self, game: Game, declared: Declared) -> Action:
        places: Sequence[Action] = ()
        if self._share_declared and (self._share_declared == 1 or self._draw() < self._share_declared):
            places = declared(game)
        places = places or EVERY_CELL
        return places[int(self._draw() * len(places))]


class Player:
    """Starts and plays games of one source. `ConfinedPlayer` puts limits on each call of the environment.

    `seconds` is the duration of the last action. `slow` has the slowest action of each level, if it was slow,
    and `seen` what people would see too long or flashing, by code and level. `samples` are some of what was
    played, to be compared with the same as people play it.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.seconds = 0.0
        self.slow: dict[int, SlowAction] = {}
        self.seen: dict[tuple[str, int], Finding] = {}
        self.samples: dict[object, Trajectory] = {}

    def start(self, seed: int, level: int, *, as_arcengine: bool = False) -> Game:
        """A new game that begins on a level; raises EngineError as `Game.start`."""
        return Game.start(self.source, seed, as_arcengine=as_arcengine, level=level)[0]

    def act(self, game: Game, action: Action) -> Turn:
        """One action; raises EngineError as `Game.act`."""
        return game.act(action)

    def choose(self, policy: RandomPolicy, game: Game) -> Action:
        """The policy's next action, which may depend on what the game declares; raises EngineError."""
        return policy.choose(game)

    def valid_actions(self, game: Game) -> list[Action]:
        """The valid actions of the present state; raises EngineError."""
        return valid_actions(game)

    def hidden_state(self, game: Game) -> bytes:
        """The hidden state that the environment declares; raises EngineError."""
        return game.declared_hidden_state()

    def identity(self, game: Game) -> bytes | None:
        """The complete identity of the game's state; None if some of it cannot be read."""
        identity = identify(game)
        return None if identity.opaque else identity.digest


class LevelPlayer:
    """Plays one level from one seed."""

    def __init__(self, player: Player, seed: int, level: int) -> None:
        self.source = player.source
        self.seed = seed
        self.level = level
        self._player = player

    def start(self) -> Game:
        """A new game at the level's start; raises EngineError as `Game.start`."""
        return self._player.start(self.seed, self.level)

    def act(self, game: Game, action: Action) -> Turn:
        """One action; raises EngineError as `Game.act`."""
        return self._player.act(game, action)

    def actions(self, game: Game) -> list[Action]:
        """The valid actions of the present state; raises EngineError."""
        return self._player.valid_actions(game)

    def hidden(self, game: Game) -> bytes:
        """The hidden state that the environment declares; raises EngineError."""
        return self._player.hidden_state(game)

    def possible(self, game: Game) -> list[Action]:
        """The valid actions of the present state; none if the environment fails to list them."""
        try:
            return self.actions(game)
        except EngineError:
            return []
