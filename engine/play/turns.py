"""A turn: an action's frames and the facts after it. Does not import arcengine.

`Facts` is the one declaration of what is known of a turn beside its frames. A game makes a `Turn`, with its
frames as arrays. An engine host answers with an `EncodedTurn`, with its frames as bytes: these are what the
socket sends and what the journal stores.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import combinations
from typing import Any

from engine.play.frames import LARGEST_PLAIN_BYTES, STATE_HASH_BYTES, Frame, compressed, deflated, inflated

NOT_FINISHED, WIN, GAME_OVER = "NOT_FINISHED", "WIN", "GAME_OVER"
STATES = (NOT_FINISHED, WIN, GAME_OVER)
MOST_LEVELS = 255
"""A level's number and the levels completed are a byte each on the wire (docs/wire.md)."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """What may cross the pipe: values of exactly this type that are in `values`."""

    type: type
    values: Container[Any]

    def __contains__(self, value: object) -> bool:
        return type(value) is self.type and value in self.values


class _Hashes(Container[Any]):
    def __contains__(self, value: Any) -> bool:
        return len(value) == STATE_HASH_BYTES


class _ActionLists(Container[Any]):
    """Lists of actions without the reset, ascending."""

    _ALL = frozenset(some for count in range(8) for some in combinations(range(1, 8), count))

    def __contains__(self, value: Any) -> bool:
        return set(map(type, value)) <= {int} and tuple(value) in self._ALL


FLAG = Allowed(bool, (False, True))
STATE_HASH = Allowed(bytes, _Hashes())


def _allowed(type_: type, values: Container[Any]) -> dict[str, Allowed]:
    return {"allowed": Allowed(type_, values)}


@dataclass(frozen=True, eq=False, slots=True)
class Facts:
    """What is known of a turn beside its frames.

    `level` counts from 1; `levels` and `levels_completed` are arcengine's win_levels and levels_completed.
    `changed` is false for a no-op: same last frame, level, state and levels completed as before.
    `full_reset`: the whole game began again. `state_hash`: eight bytes, `engine.play.frames.state_hash`.
    Each field has what is allowed across the pipe, where a tuple is a list.
    """

    state: str = field(metadata=_allowed(str, STATES))
    level: int = field(metadata=_allowed(int, range(1, MOST_LEVELS + 1)))
    levels: int = field(metadata=_allowed(int, range(MOST_LEVELS + 1)))
    levels_completed: int = field(metadata=_allowed(int, range(MOST_LEVELS + 1)))
    available_actions: tuple[int, ...] = field(metadata=_allowed(list, _ActionLists()))
    level_completed: bool = field(metadata={"allowed": FLAG})
    changed: bool = field(metadata={"allowed": FLAG})
    full_reset: bool = field(metadata={"allowed": FLAG})
    state_hash: bytes = field(metadata={"allowed": STATE_HASH})


ALLOWED_FACTS: dict[str, Allowed] = {one.name: one.metadata["allowed"] for one in fields(Facts)}


@dataclass(frozen=True, eq=False, slots=True)
class Turn(Facts):
    """A turn as a game makes it.

    `frames`: one or more read-only uint8 64x64 arrays (y, x), the last one being what the player now sees.
    """

    frames: tuple[Frame, ...]


@dataclass(frozen=True)
class EncodedFrames:
    """The frames of one turn as opaque bytes (`engine.play.frames`), `deflated` if they are large."""

    data: bytes = field(repr=False)
    deflated: bool = False

    @classmethod
    def of(cls, payload: bytes) -> EncodedFrames:
        """The frames of a payload, deflated if they are large."""
        large = len(payload) > LARGEST_PLAIN_BYTES
        return cls(deflated(payload) if large else payload, large)

    @cached_property
    def payload(self) -> bytes:
        """The bytes before they were deflated; PayloadError."""
        return inflated(self.data) if self.deflated else self.data

    def stored(self) -> bytes:
        """The bytes as the journal stores them: always deflated."""
        return self.data if self.deflated else compressed(self.data)


@dataclass(frozen=True, eq=False, slots=True)
class EncodedTurn(Facts):
    """Turn `seq` of a game as its engine host answers it."""

    seq: int
    frame_count: int
    frames: EncodedFrames
