"""One game of one environment. The only module that plays by arcengine's rules."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Self, cast

import numpy as np
from arcengine import ActionInput, ARCBaseGame, FrameDataRaw, GameAction, Level, Sprite

from engine import render
from engine.actions import BOARD_SIZE, CLICK, RESET, Action
from engine.answers import GAME_OVER, MOST_LEVELS, NOT_FINISHED, WIN
from engine.errors import ActionError, EnvironmentFault, SourceError, one_line, told
from engine.frames import MOST_FRAMES, Frame, checked_copy, state_hash
from engine.source import Source, fresh_module

__all__ = ["GAME_OVER", "NOT_FINISHED", "WIN", "Action", "Game", "Turn"]

render.use()

_OPENING = Action(RESET)
_TOO_MANY_FRAMES = "Action took too many frames"  # arcengine base_game.perform_action
_CONSTRUCTORS: tuple[Any, ...] = (ARCBaseGame.__init__, Level.__init__, Sprite.__init__)
_SHARED_DEFAULTS = [(function, function.__defaults__) for function in _CONSTRUCTORS]


@dataclass(frozen=True, eq=False, slots=True)
class Turn:
    """What one action did.

    `frames`: one or more read-only uint8 64x64 arrays (y, x), the last one being what the player now sees.
    `level` counts from 1; `levels` and `levels_completed` are arcengine's win_levels and levels_completed.
    `changed` is false for a no-op: same last frame, level, state and levels completed as before.
    `full_reset`: the whole game began again. `state_hash`: eight bytes, `engine.frames.state_hash`.
    """

    frames: tuple[Frame, ...]
    state: str
    level: int
    levels: int
    levels_completed: int
    available_actions: tuple[int, ...]
    level_completed: bool
    changed: bool
    full_reset: bool
    state_hash: bytes


class Game:
    """A game in progress, of which `turn` is the last turn and `seq` its number (the opening RESET is 0).

    The same source, seed and actions give the same turns in any process whose PYTHONHASHSEED is fixed:
    Python's and NumPy's global generators are seeded from (seed, seq) before every action. After an
    EnvironmentFault a game is of no further use.
    """

    def __init__(
        self,
        source: Source,
        rules: ARCBaseGame,
        seed: int,
        as_arcengine: bool,
        defaults: _Defaults,
        level: int = 1,
    ) -> None:
        self.source = source
        self._rules = rules
        self._seed = seed
        self._as_arcengine = as_arcengine
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
        cls, source: Source, seed: int, *, as_arcengine: bool = False, level: int = 1
    ) -> tuple[Self, Turn]:
        """A new game and its opening turn.

        With `as_arcengine` it follows arcengine's rules, as for agents and recordings: RESET starts the whole
        game anew when no action was taken since the level began, and after WIN; an action that is not
        available is carried out and counts. Without it, as for people, RESET only restarts the current level,
        and an action that is not available is refused.
        A game that begins on a later `level` has the levels before it completed.
        Raises SourceError import_failed, no_game_class, construction_failed; EnvironmentFault as `act`, and
        level_not_startable.
        """
        defaults = _Defaults()
        defaults.install()
        _seed_generators(seed, "construction")
        game = cls(source, _construct(source, seed), seed, as_arcengine, defaults, level)
        return game, game.turn

    @property
    def state(self) -> tuple[ARCBaseGame, object]:
        """All that the next turn depends on: the rules, and what their constructors share by default."""
        return self._rules, self._defaults.copies

    def drew(self) -> bool:
        """Whether the last action drew from the global generators, so that its `seq` made a difference."""
        drawn_next = _draw_next()
        return drawn_next != _first_draws(self._seed, self.seq)

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
        _seed_generators(self._seed, f"clicks/{self.seq}")
        try:
            declared = self._rules._get_valid_actions()
            cells = dict.fromkeys(
                (int(one.data["x"]), int(one.data["y"])) for one in declared if one.id.value == CLICK
            )
        except (Exception, SystemExit):
            # A helper for searches that no player needs: an environment may do without it.
            return []
        return [Action(CLICK, x, y) for x, y in cells if 0 <= x < BOARD_SIZE and 0 <= y < BOARD_SIZE]

    def declared_hidden_state(self) -> bytes:
        """The hidden state that the environment declares (arcengine `_get_hidden_state`), b"" for none.

        Raises EnvironmentFault environment_raised, bad_state.
        """
        if getattr(self._rules._get_hidden_state, "__func__", None) is ARCBaseGame._get_hidden_state:
            return b""
        declared = _guarded(lambda: np.asarray(self._rules._get_hidden_state()))
        if declared.dtype.hasobject:
            raise EnvironmentFault("bad_state", "Its declared hidden state is no array of plain values.")
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
        if not self._as_arcengine and action.id not in self.turn.available_actions:
            message = f"{action.name} does nothing here: choose an available action."
            raise ActionError("action_unavailable", message, available=list(self.turn.available_actions))

    def _perform(self, action: Action, before: Turn | None) -> Turn:
        if before is not None:
            self.seq += 1
        if action.id == RESET and before is not None and not self._as_arcengine:
            # arcengine's handle_reset restarts the whole game when the level's action count is 0.
            self._rules._action_count = max(1, self._rules._action_count)
        self._defaults.install()
        _seed_generators(self._seed, self.seq)
        drawn = _drawn(_guarded(lambda: self._rules.perform_action(_action_input(action), raw=True)))
        turn = _turn(drawn, self._rules.level_index, before)
        if before is not None and not self._as_arcengine and turn.levels_completed < before.levels_completed:
            message = "The environment led back to a level that was already completed."
            raise EnvironmentFault("level_revisited", message, levels_completed=before.levels_completed)
        return turn


class _Defaults:
    """One game's own copies of the lists and dicts that arcengine's constructors take by default.

    arcengine keeps and hands out these very objects, so a game that appends to its available actions or to a
    sprite's tags would otherwise change every game of the process.
    """

    def __init__(self) -> None:
        self.copies = [(function, tuple(map(_own, values))) for function, values in _SHARED_DEFAULTS]

    def install(self) -> None:
        for function, values in self.copies:
            function.__defaults__ = values


def _own(default: Any) -> Any:
    return default.copy() if isinstance(default, (list, dict)) else default


def _construct(source: Source, seed: int) -> ARCBaseGame:
    found: Any = getattr(fresh_module(source), source.class_name, None)
    if not (isinstance(found, type) and issubclass(found, ARCBaseGame)):
        message = f"it defines no class {source.class_name} derived from ARCBaseGame."
        raise SourceError("no_game_class", message, file=source.path)
    try:
        takes_seed = "seed" in inspect.signature(found).parameters
        rules: ARCBaseGame = cast(Any, found)(**({"seed": seed} if takes_seed else {}))
    except MemoryError as error:
        raise _too_much_memory() from error
    except (Exception, SystemExit) as error:
        said = f"constructing {source.class_name} failed: {told(error)}."
        raise SourceError("construction_failed", said, file=source.path) from error
    return rules


def _action_input(action: Action) -> ActionInput:
    return ActionInput(id=GameAction.from_id(action.id), data=action.data)


def _enter(rules: ARCBaseGame, level: int) -> None:
    """Puts the rules on a level, so that the opening, which resets it, finds what arriving by play leaves."""
    if level > len(rules._levels):
        message = f"There is no level {level}: the environment has {len(rules._levels)}."
        raise EnvironmentFault("level_not_startable", message, level=level)
    rules.set_level(level - 1)
    rules._score = level - 1
    rules._action_count = 1  # or the opening would restart the whole game


def _guarded[T](perform: Callable[[], T]) -> T:
    try:
        return perform()
    except EnvironmentFault:
        raise
    except MemoryError as error:
        raise _too_much_memory() from error
    except (Exception, SystemExit) as error:
        if isinstance(error, ValueError) and str(error) == _TOO_MANY_FRAMES:
            raise _too_many_frames(error) from error
        raise EnvironmentFault("environment_raised", f"The environment raised {told(error)}.") from error


def _drawn(drawn: object) -> FrameDataRaw:
    if not isinstance(drawn, FrameDataRaw):
        raise EnvironmentFault("bad_state", "The environment answered with something that is no turn.")
    return drawn


def _turn(drawn: FrameDataRaw, level_index: object, before: Turn | None) -> Turn:
    pictures: Any = drawn.frame
    if not (isinstance(pictures, (list, tuple)) and pictures):
        raise EnvironmentFault("bad_frame", "The environment drew no frame for this action.")
    if len(pictures) > MOST_FRAMES:
        raise _too_many_frames(len(pictures))
    frames = tuple(map(checked_copy, pictures))
    level, state, completed, levels, available = _facts(drawn, level_index)
    named = state_hash(frames[-1], level, completed, state)
    return Turn(
        frames=frames,
        state=state,
        level=level,
        levels=levels,
        levels_completed=completed,
        available_actions=available,
        level_completed=before is not None and completed > before.levels_completed,
        changed=before is None or named != before.state_hash,
        full_reset=bool(drawn.full_reset),
        state_hash=named,
    )


def _facts(drawn: FrameDataRaw, level_index: Any) -> tuple[int, str, int, int, tuple[int, ...]]:
    try:
        level = int(level_index) + 1
        state = str(drawn.state.value)
        available = tuple(sorted({_id_of(action) for action in drawn.available_actions} - {RESET}))
        completed, levels = int(drawn.levels_completed), int(drawn.win_levels)
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        message = f"The environment's state cannot be read: {one_line(str(error))}."
        raise EnvironmentFault("bad_state", message) from error
    if levels > MOST_LEVELS:
        message = f"The environment has {_digits(levels)} levels: at most {MOST_LEVELS} can be played."
        raise EnvironmentFault("bad_state", message)
    known = state in (NOT_FINISHED, WIN, GAME_OVER) and all(1 <= action <= 7 for action in available)
    # Whoever has completed the last level has won: no level comes after it, whose number could be said.
    counted = 0 <= completed <= levels and (completed < MOST_LEVELS or state == WIN)
    if not known or not counted or not 1 <= level <= MOST_LEVELS:
        numbers = f"level {_digits(level)}, {_digits(completed)} of {_digits(levels)} levels"
        found = one_line(f"{state}, {numbers}, actions {', '.join(map(_digits, available))}")
        raise EnvironmentFault("bad_state", f"The environment's state makes no sense: {found}.")
    return level, state, completed, levels, available


def _digits(number: int) -> str:
    """A number that foreign code gave, which may be too long to be written out."""
    return f"{number:,}" if abs(number) < 10**9 else "more than a billion"


def _id_of(action: Any) -> int:
    return int(getattr(action, "value", action))


def _seed_generators(seed: int, moment: int | str) -> None:
    digest = blake2b(f"{seed}/{moment}".encode(), digest_size=12).digest()
    random.seed(int.from_bytes(digest[:8], "little"))
    np.random.seed(int.from_bytes(digest[8:], "little"))


def _draw_next() -> tuple[int, bytes]:
    """What each global generator draws next. Its state would say the same, and takes far longer to read."""
    return random.getrandbits(64), np.random.bytes(8)


@lru_cache(maxsize=4096)
def _first_draws(seed: int, moment: int) -> tuple[int, bytes]:
    _seed_generators(seed, moment)
    return _draw_next()


def _too_much_memory() -> EnvironmentFault:
    return EnvironmentFault("memory_exceeded", "The environment asked for more memory than it may have.")


def _too_many_frames(count: object) -> EnvironmentFault:
    message = f"The environment drew more than {MOST_FRAMES} frames for one action."
    return EnvironmentFault("too_many_frames", message, found=str(count))
