"""A turn: an action's frames and the facts after it. Does not import arcengine.

`Facts` is the one declaration of what is known of a turn beside its frames. A game makes a `Turn`, with its
frames as arrays. An engine host answers with an `EncodedTurn`, with its frames as bytes: these are what the
socket sends and what the journal stores.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from engine.frames import STATE_HASH_BYTES, Frame, inflated

NOT_FINISHED, WIN, GAME_OVER = "NOT_FINISHED", "WIN", "GAME_OVER"
STATES = (NOT_FINISHED, WIN, GAME_OVER)
MOST_LEVELS = 255
"""A level's number and the levels completed are a byte each on the wire (docs/wire.md)."""

type Check = Callable[[Any], bool]


def whole_number(least: int, most: int) -> Check:
    """A check that a value is an integer of this range."""
    return lambda value: type(value) is int and least <= value <= most


def is_flag(value: Any) -> bool:
    """Whether a value is a boolean."""
    return type(value) is bool


def is_hash(value: Any) -> bool:
    """Whether a value is a state hash."""
    return type(value) is bytes and len(value) == STATE_HASH_BYTES


def _is_state(value: Any) -> bool:
    return type(value) is str and value in STATES


def _are_actions(value: Any) -> bool:
    is_action = whole_number(1, 7)
    return type(value) is list and all(map(is_action, value)) and value == sorted(set(value))


def _checked(check: Check) -> dict[str, Check]:
    return {"check": check}


@dataclass(frozen=True, eq=False, slots=True)
class Facts:
    """What is known of a turn beside its frames.

    `level` counts from 1; `levels` and `levels_completed` are arcengine's win_levels and levels_completed.
    `changed` is false for a no-op: same last frame, level, state and levels completed as before.
    `full_reset`: the whole game began again. `state_hash`: eight bytes, `engine.frames.state_hash`.
    Each field has the check of the value that crosses the pipe, where a tuple is a list.
    """

    state: str = field(metadata=_checked(_is_state))
    level: int = field(metadata=_checked(whole_number(1, MOST_LEVELS)))
    levels: int = field(metadata=_checked(whole_number(0, MOST_LEVELS)))
    levels_completed: int = field(metadata=_checked(whole_number(0, MOST_LEVELS)))
    available_actions: tuple[int, ...] = field(metadata=_checked(_are_actions))
    level_completed: bool = field(metadata=_checked(is_flag))
    changed: bool = field(metadata=_checked(is_flag))
    full_reset: bool = field(metadata=_checked(is_flag))
    state_hash: bytes = field(metadata=_checked(is_hash))


FACT_CHECKS: dict[str, Check] = {one.name: one.metadata["check"] for one in fields(Facts)}


@dataclass(frozen=True, eq=False, slots=True)
class Turn(Facts):
    """A turn as a game makes it.

    `frames`: one or more read-only uint8 64x64 arrays (y, x), the last one being what the player now sees.
    """

    frames: tuple[Frame, ...]


@dataclass(frozen=True)
class EncodedFrames:
    """The frames of one turn as opaque bytes (`engine.frames`), `deflated` if they are large."""

    data: bytes = field(repr=False)
    deflated: bool = False

    @cached_property
    def payload(self) -> bytes:
        """The bytes before they were deflated; PayloadError."""
        return inflated(self.data) if self.deflated else self.data

    def stored(self) -> bytes:
        """The bytes as the journal stores them: always deflated."""
        return self.data if self.deflated else zlib.compress(self.data, 1)


@dataclass(frozen=True, eq=False, slots=True)
class EncodedTurn(Facts):
    """Turn `seq` of a game as its engine host answers it."""

    seq: int
    frame_count: int
    frames: EncodedFrames
