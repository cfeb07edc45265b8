"""Starts and plays games: any game of a source, or one level of it."""

from __future__ import annotations

from engine.errors import EngineError
from engine.play.actions import Action
from engine.play.game import Game
from engine.play.source import Source
from engine.play.turns import Turn
from engine.prove.policy import Policy, valid_actions
from engine.prove.qualification.speed import SlowAction
from engine.prove.state import identify


class Player:
    """Starts and plays games of one source. `ConfinedPlayer` puts limits on each call of the environment.

    `seconds` is the duration of the last action. `slow` has the slowest action of each level, if it was slow.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.seconds = 0.0
        self.slow: dict[int, SlowAction] = {}

    def start(self, seed: int, level: int, *, as_arcengine: bool = False) -> Game:
        """A new game that begins on a level; raises EngineError as `Game.start`."""
        return Game.start(self.source, seed, as_arcengine=as_arcengine, level=level)[0]

    def act(self, game: Game, action: Action) -> Turn:
        """One action; raises EngineError as `Game.act`."""
        return game.act(action)

    def choose(self, policy: Policy, game: Game) -> Action:
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
