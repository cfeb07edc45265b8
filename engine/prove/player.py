"""Starts and plays games of a source or one level of it; valid actions, policies that draw among them, tries.

A try is a new game that begins on the level. A uniformly random player (`UniformPolicy`) plays until the
level is won or lost, no action is available, or the budget of actions is used up. Try `number` of a sequence
depends on the sequence's seed and its number alone, whichever process plays it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, Protocol

from engine.errors import EngineError
from engine.play.actions import CLICK, EVERY_CELL, RESET, Action
from engine.play.game import Game
from engine.play.source import Source
from engine.play.turns import GAME_OVER, NOT_FINISHED, WIN, Turn
from engine.prove.qualification.findings import Finding, SlowAction, Trajectory
from engine.prove.qualification.plan import derived_seed
from engine.prove.state import identify

type Declared = Callable[[Game], list[Action]]
"""Asks a game for its declared places, as `Game.declared_clicks` does, perhaps within limits."""
type Clicks = Literal["uniform", "declared", "both"]

_OTHERS = tuple(Action(identifier) if identifier != CLICK else EVERY_CELL[0] for identifier in range(8))


def valid_actions(game: Game, declared: Declared = Game.declared_clicks) -> list[Action]:
    """The valid actions of the present state, without RESET; none after WIN or GAME_OVER.

    ACTION6 is there once for each place that the environment declares, or for every cell of the board when
    it declares none.
    """
    if game.turn.state != NOT_FINISHED:
        return []
    actions: list[Action] = []
    for identifier in game.turn.available_actions:
        if identifier == CLICK:
            actions.extend(declared(game) or EVERY_CELL)
        else:
            actions.append(_OTHERS[identifier])
    return actions


class Policy(Protocol):
    """Chooses actions."""

    def choose(self, game: Game, declared: Declared = Game.declared_clicks) -> Action:
        """The next action in the game's present state; nothing else than `declared` asks the environment."""


class UniformPolicy:
    """Draws uniformly from `valid_actions`, as in the chance to win of a state graph.

    The same seed and the same turns give the same actions in any process: the generator is its own.
    """

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed).random

    def choose(self, game: Game, declared: Declared = Game.declared_clicks) -> Action:
        """The next action. Raises ValueError if no action is valid: the level is over, or stuck."""
        actions = valid_actions(game, declared)
        if not actions:
            raise ValueError("no action is valid in this state")
        return actions[int(self._draw() * len(actions))]


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


BATCH = 1_000
"""Tries that one process makes. They take tens of seconds, so workers share them evenly."""
MOST_FAULTS = 20

type Progress = Callable[[int], None]
"""Called after every try with the number of tries that are done."""


class End(StrEnum):
    """How a try ended; BUDGET: all of its actions were used."""

    WON = "won"
    LOST = "lost"
    STUCK = "stuck"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class Batch:
    """Tries of one level: the numbers `first` to `first + tries - 1` of the sequence of `seed`."""

    level: int
    seed: int
    first: int
    tries: int
    budget: int


def play(player: Player, batch: Batch, progress: Progress) -> dict[str, Any]:
    """Makes the tries of a batch; the stored result:

    {"tries": the number that counts, "wins": [[number, actions], ..], "lost", "stuck", "actions": in all,
    "faults": {code: count}}. A try in which the environment fails does not count. Raises EngineError when
    more than `MOST_FAULTS` of them do.
    """
    ends: Counter[End] = Counter()
    faults: Counter[str] = Counter()
    wins, actions = [], 0
    for number in range(batch.first, batch.first + batch.tries):
        try:
            end, used = play_try(player, batch, number)
        except EngineError as error:
            faults[error.code] += 1
            if faults.total() > MOST_FAULTS:
                raise
            continue
        finally:
            progress(number + 1 - batch.first)
        ends[end] += 1
        actions += used
        if end == End.WON:
            wins.append([number, used])
    return {
        "tries": ends.total(),
        "wins": wins,
        "lost": ends[End.LOST],
        "stuck": ends[End.STUCK],
        "actions": actions,
        "faults": dict(faults),
    }


def play_try(player: Player, batch: Batch, number: int) -> tuple[End, int]:
    """Makes one try: its end and its number of actions. Raises EngineError as `Game.start` and `Game.act`."""
    game = player.start(derived_seed(batch.seed, "game", number), batch.level)
    policy = UniformPolicy(derived_seed(batch.seed, "player", number))
    for used in range(batch.budget):
        if game.turn.state == GAME_OVER:
            return End.LOST, used
        if not game.turn.available_actions:
            return End.STUCK, used
        turn = player.act(game, player.choose(policy, game))
        if turn.level_completed or turn.state == WIN:
            return End.WON, used + 1
    return (End.LOST if game.turn.state == GAME_OVER else End.BUDGET), batch.budget
