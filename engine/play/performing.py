"""Performs an action by arcengine's rules (0.9.3 base_game.perform_action), with less work around it.

What pydantic makes of an action and of its answer takes as long as the steps of a small environment. So an
action is a copy of one that pydantic made, and the answer is a plain object. It is read as a turn, as foreign
code may have changed it. Python's and NumPy's global generators are seeded before an action.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
from arcengine import ActionInput, ARCBaseGame, FrameDataRaw, GameAction, GameState, Sprite, base_game

from engine.errors import EnvironmentFault, one_line
from engine.play.actions import CLICK, RESET, Action
from engine.play.frames import MOST_FRAMES, Frame, checked_copy, same_cells, state_hash
from engine.play.turns import MOST_LEVELS, STATES, WIN, Turn

_STOCK_PERFORM = ARCBaseGame.perform_action
_OVER = (GameState.GAME_OVER, GameState.WIN)
# Never handed out: an environment may keep and change the action that it was given.
_INPUTS = {
    action.value: ActionInput(id=action, data={"x": 0, "y": 0} if action.value == CLICK else {})
    for action in GameAction
}


@dataclass(slots=True)
class Answer:
    """What arcengine's FrameDataRaw says of an action."""

    frame: list[Any]
    state: Any
    levels_completed: Any
    win_levels: Any
    full_reset: Any
    available_actions: Any


def as_input(action: Action) -> ActionInput:
    """A new ActionInput of this action, equal to what its constructor makes."""
    made = _INPUTS[action.id].__copy__()
    made.__dict__["data"] = action.data
    return made


def perform(rules: ARCBaseGame, given: ActionInput) -> Any:
    """The answer to an action: an Answer, or what the environment's own or arcengine's method returns.

    Raises what the environment raises, and what perform_action raises after too many frames.
    """
    if getattr(rules.perform_action, "__func__", None) is not _STOCK_PERFORM:
        return rules.perform_action(given, raw=True)
    is_reset = given.id is GameAction.RESET
    if not is_reset and rules._state in _OVER:
        return rules.perform_action(given, raw=True)
    rules._full_reset = False
    if is_reset:
        rules.handle_reset()
    rules._set_action(given)
    frames: list[Any] = []
    while not rules.is_action_complete():
        if len(frames) > base_game.MAX_FRAME_PER_ACTION:
            raise ValueError("Action took too many frames")
        if rules._next_level:
            rules._really_set_next_level()
        else:
            rules.step()
        frames.append(rules.camera.render(rules.current_level.get_sprites()))
    return Answer(
        frames,
        rules._state,
        rules._score,
        rules._win_score,
        rules._full_reset,
        rules._available_actions,
    )


_LISTING = ("_get_valid_actions", "_get_valid_clickable_actions")
_STOCK = [getattr(ARCBaseGame, name) for name in _LISTING]


def declared_cells(rules: ARCBaseGame) -> Iterator[tuple[Any, Any]]:
    """The column and the row of each place, in arcengine's order. Raises what the environment raises.

    Without arcengine's objects for actions, unless the environment has methods of its own for that.
    """
    own = [getattr(getattr(rules, name), "__func__", None) for name in _LISTING]
    if own == _STOCK and not rules._placeable_sprite:
        for available in rules._available_actions:
            if available == CLICK:
                yield from _clickable(rules)
        return
    for one in rules._get_valid_actions():
        if one.id.value == CLICK:
            yield one.data["x"], one.data["y"]


def _clickable(rules: ARCBaseGame) -> Iterator[tuple[Any, Any]]:
    """As `_get_valid_clickable_actions`."""
    level = rules.current_level
    sprites = level.get_sprites_by_tag("sys_click")
    sprites.extend(level.get_sprites_by_tag("sys_place"))
    scale, left, top = rules.camera._calculate_scale_and_offset()
    for sprite in sprites:
        if not rules._is_sprite_clickable_now(sprite):
            continue
        for x, y in _shown(sprite, every="sys_every_pixel" in sprite._tags):
            yield (sprite._x + x) * scale + left, (sprite._y + y) * scale + top


def _shown(sprite: Sprite, *, every: bool) -> list[tuple[int, int]]:
    """The cells of a sprite that are not transparent, row by row; only the first unless `every`."""
    cells = sprite.render()
    if every:
        return [(x, y) for y, x in np.argwhere(cells >= 0).tolist()]
    width = cells.shape[1]
    for place, cell in enumerate(cells.ravel().tolist()):
        if cell >= 0:
            return [(place % width, place // width)]
    return []


def turn_of(answer: object, level_index: object, before: Turn | None) -> Turn:
    """The turn that an environment answered with; `before` is the turn before it.

    Raises EnvironmentFault bad_frame, too_many_frames, bad_state.
    """
    if not isinstance(answer, (Answer, FrameDataRaw)):
        raise EnvironmentFault("bad_state", "The environment returned something that is not FrameDataRaw.")
    pictures: Any = answer.frame
    if not (isinstance(pictures, (list, tuple)) and pictures):
        raise EnvironmentFault("bad_frame", "The environment drew no frame for this action.")
    if len(pictures) > MOST_FRAMES:
        raise too_many_frames(len(pictures))
    frames = tuple(map(checked_copy, pictures))
    level, state, completed, levels, available = _facts(answer, level_index)
    if before is not None and _is_same(before, frames[-1], level, completed, state):
        named = before.state_hash
    else:
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
        full_reset=bool(answer.full_reset),
        state_hash=named,
    )


def too_many_frames(count: object) -> EnvironmentFault:
    """The fault of an environment that drew too many frames for one action."""
    message = f"The environment drew more than {MOST_FRAMES} frames for one action."
    return EnvironmentFault("too_many_frames", message, found=str(count))


def _is_same(before: Turn, last: Frame, level: int, completed: int, state: str) -> bool:
    """Whether the state hash is that of the turn before; to compare takes far less time than to hash."""
    facts = before.level, before.levels_completed, before.state
    return facts == (level, completed, state) and same_cells(before.frames[-1], last)


def _facts(answer: Answer | FrameDataRaw, level_index: Any) -> tuple[int, str, int, int, tuple[int, ...]]:
    """The level, the state, the levels completed, the levels, and the available actions."""
    try:
        level = int(level_index) + 1
        state = str(answer.state.value)
        available, are_known = _available(tuple(answer.available_actions))
        completed, levels = int(answer.levels_completed), int(answer.win_levels)
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        message = f"The environment's state cannot be read: {one_line(str(error))}."
        raise EnvironmentFault("bad_state", message) from error
    if levels > MOST_LEVELS:
        message = f"The environment has {_digits(levels)} levels: at most {MOST_LEVELS} can be played."
        raise EnvironmentFault("bad_state", message)
    known = state in STATES and are_known
    # Completing the last level wins: no level comes after it, whose number could be sent.
    counted = 0 <= completed <= levels and (completed < MOST_LEVELS or state == WIN)
    if not known or not counted or not 1 <= level <= MOST_LEVELS:
        numbers = f"level {_digits(level)}, {_digits(completed)} of {_digits(levels)} levels"
        found = one_line(f"{state}, {numbers}, actions {', '.join(map(_digits, available))}")
        raise EnvironmentFault("bad_state", f"The environment's state makes no sense: {found}.")
    return level, state, completed, levels, available


def _digits(number: int) -> str:
    """A number that foreign code gave, which may be too long to be written out."""
    return f"{number:,}" if abs(number) < 10**9 else "more than a billion"


@lru_cache(maxsize=256)
def _available(actions: tuple[Any, ...]) -> tuple[tuple[int, ...], bool]:
    """The ids of these actions, ascending and without RESET, and whether all of them exist."""
    found = tuple(sorted({_id_of(action) for action in actions} - {RESET}))
    return found, all(1 <= action <= 7 for action in found)


def _id_of(action: Any) -> int:
    return int(getattr(action, "value", action))


# Modules that never draw from a global generator and lead to no other module by name.
_HARMLESS_MODULES = frozenset(
    {
        *("__future__", "abc", "arcengine", "bisect", "collections", "copy", "dataclasses", "enum"),
        *("functools", "heapq", "itertools", "math", "numpy", "typing"),
    }
)
# With these a name that the text does not contain can be put together.
_REACHING_WORDS = frozenset(
    {
        *("random", "testing", "getattr", "eval", "exec", "compile", "globals", "locals", "vars"),
        *("sys", "modules", "builtins", "importlib", "get_type_hints", "make_dataclass", "operator"),
        *("ctypeslib", "f2py", "inspect", "setattr", "pickle", "loads", "load", "ForwardRef"),
    }
)
_REACHING_DUNDERS = frozenset(
    {
        *("__import__", "__dict__", "__globals__", "__getattribute__", "__builtins__", "__loader__"),
        *("__spec__", "__reduce__", "__subclasses__", "__getattr__"),
    }
)
_IMPORT = re.compile(
    r"^\ufeff?[ \t]*(?:from[ \t]+(?P<source>\w+)[\w.]*[ \t]+import\b"
    r"|import[ \t]+(?P<module>\w+)[\w.]*(?:[ \t]+as[ \t]+\w+)?[ \t]*$)",
    re.MULTILINE,
)


def seed_generators(seed: int, moment: int | str) -> None:
    """Seeds both generators from a game's seed and a moment of it: the seq of a turn, or a name."""
    digest = blake2b(f"{seed}/{moment}".encode(), digest_size=12).digest()
    random.seed(int.from_bytes(digest[:8], "little"))
    np.random.seed(int.from_bytes(digest[8:], "little"))


@lru_cache(maxsize=64)
def can_draw(text: str) -> bool:
    """Whether a source may draw from the global generators; seeding them takes as long as a short action.

    True unless all that it imports is known not to lead to them, and no word of it names them or anything
    that finds things by a name that is put together. Words in comments and texts count.
    """
    text = unicodedata.normalize("NFKC", text)  # as Python reads names
    names = set(re.findall(r"\w+", text))
    if not names.isdisjoint(_REACHING_WORDS | _REACHING_DUNDERS):
        return True
    # Not by the syntax tree, which takes as long as compiling. Imports of other forms count as unknown.
    imported = [one["source"] or one["module"] for one in _IMPORT.finditer(text)]
    is_understood = len(imported) == len(re.findall(r"\bimport\b", text))
    return not is_understood or not set(imported) <= _HARMLESS_MODULES


def were_drawn_from(seed: int, moment: int) -> bool:
    """Whether either generator was drawn from since it was seeded. Draws from both."""
    drawn_next = _draw_next()
    return drawn_next != _first_draws(seed, moment)


def _draw_next() -> tuple[int, bytes]:
    """The next draw of each generator, which stands for its state and is much faster to read."""
    return random.getrandbits(64), np.random.bytes(8)


@lru_cache(maxsize=4096)
def _first_draws(seed: int, moment: int) -> tuple[int, bytes]:
    seed_generators(seed, moment)
    return _draw_next()
