"""A game of one environment. The only module that plays by arcengine's rules."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Self, cast

import numpy as np
from arcengine import ARCBaseGame, Level, Sprite

from engine.errors import ActionError, EnvironmentFault, SourceError, describe_exception, memory_exceeded
from engine.play import rendering as render
from engine.play.actions import BOARD_SIZE, CLICK, EVERY_CELL, RESET, Action
from engine.play.performing import (
    as_input,
    can_draw,
    declared_cells,
    perform,
    seed_generators,
    too_many_frames,
    turn_of,
    were_drawn_from,
)
from engine.play.source import Source, fresh_module
from engine.play.turns import GAME_OVER, WIN, Turn

_CONSTRUCTORS: tuple[Any, ...] = (ARCBaseGame.__init__, Level.__init__, Sprite.__init__)
_SHARED_DEFAULTS = [(function, function.__defaults__) for function in _CONSTRUCTORS]


class ConstructorDefaults:
    """One game's own copies of the lists and dicts that arcengine's constructors take by default.

    arcengine keeps and hands out these very objects, so a game that appends to its available actions or to a
    sprite's tags would otherwise change every game of the process.
    """

    def __init__(self) -> None:
        self.copies = [(function, tuple(map(_own, values))) for function, values in _SHARED_DEFAULTS]

    def install(self) -> None:
        """Makes the constructors use these copies."""
        for function, values in self.copies:
            function.__defaults__ = values


def construct(source: Source, seed: int) -> ARCBaseGame:
    """A new instance of the environment's class.

    Raises SourceError import_failed, no_game_class, construction_failed; EnvironmentFault memory_exceeded.
    """
    found: Any = getattr(fresh_module(source), source.class_name, None)
    if not (isinstance(found, type) and issubclass(found, ARCBaseGame)):
        message = f"it defines no class {source.class_name} derived from ARCBaseGame."
        raise SourceError("no_game_class", message, file=source.path)
    try:
        takes_seed = "seed" in inspect.signature(found).parameters
        rules: ARCBaseGame = cast(Any, found)(**({"seed": seed} if takes_seed else {}))
    except MemoryError as error:
        raise memory_exceeded() from error
    except (Exception, SystemExit) as error:
        message = f"constructing {source.class_name} failed: {describe_exception(error)}."
        raise SourceError("construction_failed", message, file=source.path) from error
    return rules


def _own(default: Any) -> Any:
    return default.copy() if isinstance(default, (list, dict)) else default


render.use()

_OPENING = Action(RESET)
_TOO_MANY_FRAMES = "Action took too many frames"  # arcengine base_game.perform_action


class Game:
    """A game in progress, of which `turn` is the last turn and `seq` its number (the opening RESET is 0).

    The same source, seed and actions give the same turns in any process whose PYTHONHASHSEED is fixed:
    Python's and NumPy's global generators are seeded from (seed, seq) before every action, if the source can
    draw from them. After an EnvironmentFault a game is of no further use.
    """

    def __init__(
        self,
        source: Source,
        rules: ARCBaseGame,
        seed: int,
        as_arcengine: bool,
        defaults: ConstructorDefaults,
        level: int = 1,
        *,
        all_actions: bool = False,
    ) -> None:
        self.source = source
        self._rules = rules
        self._seed = seed
        self._can_draw = can_draw(source.text)
        self._as_arcengine = as_arcengine
        self._all_actions = as_arcengine or all_actions
        self._defaults = defaults
        self.seq = 0
        if level > 1:
            _guarded(lambda: _enter(rules, level))
        self.turn = self._perform(_OPENING, None)
        if level > 1 and (self.turn.level, self.turn.levels_completed) != (level, level - 1):
            message = f"Level {level} cannot be started by itself: it led to level {self.turn.level}."
            raise EnvironmentFault("level_not_startable", message, level=level)

    @classmethod
    def start(
        cls,
        source: Source,
        seed: int,
        *,
        as_arcengine: bool = False,
        level: int = 1,
        all_actions: bool = False,
    ) -> tuple[Self, Turn]:
        """A new game and its opening turn.

        With `as_arcengine` it follows arcengine's rules, as for recordings: RESET starts the whole game again
        when no action was taken since the level began, and after WIN; an action that is not available is
        carried out and counts. Without it, RESET only restarts the current level, and an action that is not
        available is refused, as for people, or carried out with `all_actions`, as for agents.
        A game that begins on a later `level` has the levels before it completed.
        Raises SourceError import_failed, no_game_class, construction_failed; EnvironmentFault as `act`, and
        level_not_startable.
        """
        defaults = ConstructorDefaults()
        defaults.install()
        seed_generators(seed, "construction")
        game = cls(
            source, construct(source, seed), seed, as_arcengine, defaults, level, all_actions=all_actions
        )
        return game, game.turn

    @property
    def state(self) -> tuple[ARCBaseGame, object]:
        """All that the next turn depends on: the rules, and what their constructors share by default."""
        return self._rules, self._defaults.copies

    def drew_random_numbers(self) -> bool:
        """Whether the last action drew random numbers, so that its turn depends on its `seq`."""
        return self._can_draw and were_drawn_from(self._seed, self.seq)

    def act(self, action: Action) -> Turn:
        """Performs one action.

        Raises ActionError action_unavailable, reset_required, environment_finished, leaving the game as it
        was; EnvironmentFault environment_raised, memory_exceeded, bad_frame, too_many_frames, bad_state,
        level_revisited.
        """
        self._check(action)
        self.turn = self._perform(action, self.turn)
        return self.turn

    def declared_clicks(self) -> list[Action]:
        """The places the environment says can be clicked now, each once (arcengine `_get_valid_actions`).

        Empty when it declares none, when they cannot be told, and while ACTION6 is not available.
        """
        if CLICK not in self.turn.available_actions:
            return []
        if self._can_draw:
            seed_generators(self._seed, f"clicks/{self.seq}")
        try:
            cells = dict.fromkeys((int(x), int(y)) for x, y in declared_cells(self._rules))
        except (Exception, SystemExit):
            # A helper for searches that no player needs: an environment may do without it.
            return []
        on_board = [(x, y) for x, y in cells if 0 <= x < BOARD_SIZE and 0 <= y < BOARD_SIZE]
        return [EVERY_CELL[y * BOARD_SIZE + x] for x, y in on_board]

    def declared_hidden_state(self) -> bytes:
        """The hidden state that the environment declares (arcengine `_get_hidden_state`), b"" for none.

        Raises EnvironmentFault environment_raised, bad_state.
        """
        if getattr(self._rules._get_hidden_state, "__func__", None) is ARCBaseGame._get_hidden_state:
            return b""
        declared = _guarded(lambda: np.asarray(self._rules._get_hidden_state()))
        if declared.dtype.hasobject:
            raise EnvironmentFault("bad_state", "Its declared hidden state is not an array of plain values.")
        return f"{declared.dtype.str}{declared.shape}".encode() + declared.tobytes()

    def _check(self, action: Action) -> None:
        if self.turn.state == WIN and not (self._as_arcengine and action.id == RESET):
            raise ActionError(
                "environment_finished", "All levels are completed: there is nothing left to do here."
            )
        if action.id == RESET:
            return
        if self.turn.state == GAME_OVER:
            raise ActionError("reset_required", "The level is lost: reset it to go on.")
        if not self._all_actions and action.id not in self.turn.available_actions:
            message = f"{action.name} does nothing here: choose an available action."
            raise ActionError("action_unavailable", message, available=list(self.turn.available_actions))

    def _perform(self, action: Action, before: Turn | None) -> Turn:
        if before is not None:
            self.seq += 1
        if action.id == RESET and before is not None and not self._as_arcengine:
            # arcengine's handle_reset restarts the whole game when the level's action count is 0.
            self._rules._action_count = max(1, self._rules._action_count)
        self._defaults.install()
        if self._can_draw:
            seed_generators(self._seed, self.seq)
        answer = _guarded(lambda: perform(self._rules, as_input(action)))
        turn = turn_of(answer, self._rules.level_index, before)
        if before is not None and not self._as_arcengine and turn.levels_completed < before.levels_completed:
            message = "The environment returned to a level that was already completed."
            raise EnvironmentFault("level_revisited", message, levels_completed=before.levels_completed)
        return turn


def _enter(rules: ARCBaseGame, level: int) -> None:
    """Puts the rules on a level, so that the opening, which resets it, finds what arriving by play leaves."""
    if level > len(rules._levels):
        message = f"There is no level {level}: the environment has {len(rules._levels)}."
        raise EnvironmentFault("level_not_startable", message, level=level)
    rules.set_level(level - 1)
    rules._score = level - 1
    rules._action_count = 1  # or the opening would restart the whole game


def _guarded[T](perform: Callable[[], T]) -> T:
    """Calls foreign code; what it raises becomes an EnvironmentFault."""
    try:
        return perform()
    except EnvironmentFault:
        raise
    except MemoryError as error:
        raise memory_exceeded() from error
    except (Exception, SystemExit) as error:
        if isinstance(error, ValueError) and str(error) == _TOO_MANY_FRAMES:
            raise too_many_frames(error) from error
        raise EnvironmentFault(
            "environment_raised", f"The environment raised {describe_exception(error)}."
        ) from error
