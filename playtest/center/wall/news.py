"""What serving processes tell the walls through the channel layer, and how it is packed.

A message is one value of bytes, because the channel layer copies or serialises every value it finds. All
processes of an installation run the same version, so this layout is nobody else's business.
"""

import asyncio
import contextlib
import logging
import struct
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from playtest.play.page.connected import PAINTS_KEPT
from playtest.play.sessions.notifications import UNREACHABLE

logger = logging.getLogger(__name__)

WALLS = "walls"
"""The group of the processes in which somebody watches."""
PUBLISHERS = "wall-publishers"
"""The group of the processes that serve participants."""
NEWS, HELLO = "wall.news", "wall.hello"
WATCHING, ASK = "wall.watching", "wall.ask"
SECONDS_BETWEEN = 0.25
"""The least time between two messages of a process to the walls, and of a wall to its viewers."""

_RECORD = struct.Struct("<IHiIBBBdI")
_PRESENT = struct.Struct("<IH")
_PAINTS = struct.Struct(f"<I{PAINTS_KEPT}H")
_UNKNOWN_ROUND_TRIP = _NO_PRESS = 0xFFFF
NO_BASE = -1
_RENEWAL_SECONDS = 3600.0
_RETRY_SECONDS = 1.0


async def listen(hear: Callable[[], Awaitable[None]], unheard: str) -> None:
    """Hears again and again; `unheard` is what the log says is missing while the layer cannot be reached."""
    while True:
        # A group of the in-memory layer forgets its members after a day.
        with contextlib.suppress(TimeoutError):
            try:
                async with asyncio.timeout(_RENEWAL_SECONDS):
                    await hear()
            except UNREACHABLE as error:
                logger.error("%s: the channel layer cannot be reached: %s", unheard, error)
                await asyncio.sleep(_RETRY_SECONDS)


class TurnNews(NamedTuple):
    """What has changed on one board since the last message about it.

    `frames` are encoded frames (`engine.play.frames`) of the turns after `base` up to `seq`, each cell with
    its absolute colour: they may be applied to the board of any turn from `base` on. With NO_BASE they begin
    with a keyframe. `acted_at` is the time of the last action in seconds since 1970, 0.0 before the first.
    """

    session: int
    attempt: int
    base: int
    seq: int
    level: int
    levels_completed: int
    state: int
    acted_at: float
    frames: bytes


def pack_turns(turns: Iterable[TurnNews]) -> bytes:
    """The news of many boards as one value."""
    parts: list[bytes] = []
    for news in turns:
        *fields, frames = news
        parts += (_RECORD.pack(*fields, len(frames)), frames)
    return b"".join(parts)


def unpack_turns(packed: bytes) -> Iterator[TurnNews]:
    """What `pack_turns` packed."""
    offset = 0
    while offset < len(packed):
        *fields, length = _RECORD.unpack_from(packed, offset)
        offset += _RECORD.size
        yield TurnNews._make((*fields, packed[offset : offset + length]))
        offset += length


def pack_present(sessions: Iterable[tuple[int, int | None]]) -> bytes:
    """The sessions whose pages are connected to a process, with their round trips in milliseconds."""
    return b"".join(
        _PRESENT.pack(session, _UNKNOWN_ROUND_TRIP if round_trip is None else round_trip)
        for session, round_trip in sessions
    )


def unpack_present(packed: bytes) -> dict[int, int | None]:
    """What `pack_present` packed."""
    return {
        session: None if round_trip == _UNKNOWN_ROUND_TRIP else round_trip
        for session, round_trip in _PRESENT.iter_unpack(packed)
    }


def pack_paints(sessions: Iterable[tuple[int, Sequence[int]]]) -> bytes:
    """The milliseconds from press to paint of each session's last PAINTS_KEPT presses, if it has any."""
    return b"".join(
        _PAINTS.pack(session, *([_NO_PRESS] * (PAINTS_KEPT - len(paints))), *paints)
        for session, paints in sessions
        if paints
    )


def unpack_paints(packed: bytes) -> dict[int, list[int]]:
    """What `pack_paints` packed."""
    return {
        session: [paint for paint in paints if paint != _NO_PRESS]
        for session, *paints in _PAINTS.iter_unpack(packed)
    }
