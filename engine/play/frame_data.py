"""Reads an answer of arcengine's rules, which foreign code may have changed, as a turn."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from arcengine import FrameDataRaw

from engine.errors import EnvironmentFault, one_line
from engine.play.actions import RESET
from engine.play.frames import MOST_FRAMES, Frame, checked_copy, same_cells, state_hash
from engine.play.performing import Answer
from engine.play.turns import MOST_LEVELS, STATES, WIN, Turn


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
