"""Tells the walls what happens on the pages of this process, while somebody watches.

At most four messages a second leave a process, however fast people play: the turns of each board are joined,
or, where they are large, replaced by one keyframe of the last frame.
"""

import asyncio
import contextlib
import logging
import uuid
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from channels.layers import get_channel_layer

from engine.play.turns import GAME_OVER, WIN, EncodedTurn
from playtest.center.wall.news import (
    ASK,
    HELLO,
    NEWS,
    NO_BASE,
    PUBLISHERS,
    SECONDS_BETWEEN,
    WALLS,
    WATCHING,
    TurnNews,
    listen,
    pack_paints,
    pack_present,
    pack_turns,
)
from playtest.play.attempt.loaded import LoadedAttempt
from playtest.play.attempt.runner import attempt_runner
from playtest.play.page.connected import ConnectedSession
from playtest.play.sessions.notifications import UNREACHABLE
from playtest.play.signals import page_closed, page_opened, turn_sent

logger = logging.getLogger(__name__)

WATCHED_SECONDS = 6.0
"""For so long somebody is taken to watch after a wall has last said so."""
PRESENCE_SECONDS = 1.0
"""A process that serves says at least so often that it does, and whom."""
LARGEST_DELTAS = 4096
"""With more bytes waiting for one board, its last frame alone is asked for."""
KEYFRAMES_AT_ONCE = 100
_STATES = {WIN: 1, GAME_OVER: 2}
_KEYFRAME = b"\xff\xff"


@dataclass(slots=True)
class _Pending:
    """The turns of one board that no wall has yet. Without a base only a keyframe of the game will do."""

    live: LoadedAttempt
    base: int | None
    turn: EncodedTurn | None = None
    frames: list[bytes] = field(default_factory=list)
    size: int = 0


class Publisher:
    """Receives what happens on the pages of this process and publishes it. For one event loop."""

    def __init__(self) -> None:
        self.process = uuid.uuid4().hex
        self._sessions: dict[int, ConnectedSession] = {}
        self._pending: dict[int, _Pending] = {}
        self._listening: asyncio.Task[None] | None = None
        self._publishing: asyncio.Task[None] | None = None
        self._watched_until = 0.0

    def start(self) -> None:
        """Receive what pages tell; turns only while somebody watches."""
        page_opened.connect(self.opened)
        page_closed.connect(self.closed)

    def opened(self, session: ConnectedSession, **_: object) -> None:
        self._sessions[session.session_id] = session
        if self._listening is None or self._listening.done():
            self._news = asyncio.Event()
            self._listening = asyncio.ensure_future(listen(self._hear, "no wall can be heard"))
        self._news.set()

    def closed(self, session: ConnectedSession, **_: object) -> None:
        if self._sessions.get(session.session_id) is session:
            del self._sessions[session.session_id]  # its last turns are still published
            self._news.set()

    def turned(self, session: ConnectedSession, turn: EncodedTurn, **_: object) -> None:
        live = session.live
        if live is None:
            return
        frames = turn.frames.payload
        pending = self._pending.get(session.session_id)
        if pending is None or pending.live is not live:
            pending = self._pending[session.session_id] = _Pending(live, turn.seq - 1)
        pending.turn, size = turn, len(frames)
        if pending.base is None or pending.size + size > LARGEST_DELTAS:
            pending.base, pending.size = None, 0
            pending.frames.clear()
        elif frames.startswith(_KEYFRAME):
            pending.base, pending.size = NO_BASE, size
            pending.frames[:] = [frames]
        else:
            pending.frames.append(frames)
            pending.size += size
        self._news.set()

    async def _hear(self) -> None:
        layer: Any = get_channel_layer()
        channel = await layer.new_channel("wallpublisher")
        try:
            await layer.group_add(PUBLISHERS, channel)
            await layer.group_send(WALLS, {"type": HELLO})
            while True:
                self.receive(await layer.receive(channel))
        finally:
            with contextlib.suppress(*UNREACHABLE):
                await layer.group_discard(PUBLISHERS, channel)

    def receive(self, message: dict[str, Any]) -> None:
        """A wall is watched, or asks for the boards of some sessions or of all (None)."""
        if message["type"] not in (WATCHING, ASK):
            return
        self._watched_until = asyncio.get_running_loop().time() + WATCHED_SECONDS
        turn_sent.connect(self.turned, sender=ConnectedSession)
        if message["type"] == ASK:
            self._ask(message["sessions"])
        if self._publishing is None or self._publishing.done():
            self._publishing = asyncio.ensure_future(self._publish())

    def _ask(self, wanted: Collection[int] | None) -> None:
        for session_id in self._sessions if wanted is None else wanted:
            session = self._sessions.get(session_id)
            if session is not None and session.live is not None:
                self._pending[session_id] = _Pending(session.live, None)
        self._news.set()

    async def _publish(self) -> None:
        """Send what changed, at most four times a second and at least once, until nobody watches."""
        loop = asyncio.get_running_loop()
        while loop.time() < self._watched_until:
            self._news.clear()
            try:
                await self._send()
            except UNREACHABLE as error:
                logger.error("the walls were told nothing: the channel layer cannot be reached: %s", error)
            except Exception:  # the walls ask for boards whose turns they have missed
                logger.exception("the walls were told nothing")
            await asyncio.sleep(SECONDS_BETWEEN)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), PRESENCE_SECONDS - SECONDS_BETWEEN)
        turn_sent.disconnect(self.turned, sender=ConnectedSession)
        self._pending.clear()

    async def _send(self) -> None:
        pending, self._pending = self._pending, {}
        whole = [session_id for session_id, one in pending.items() if one.base is None]
        for session_id in whole[KEYFRAMES_AT_ONCE:]:
            self._pending[session_id] = pending.pop(session_id)
        if self._pending:
            self._news.set()
        turns = [_waiting(pk, one) or await _last_frame(pk, one) for pk, one in pending.items()]
        layer: Any = get_channel_layer()
        present = ((pk, session.round_trip_ms) for pk, session in self._sessions.items())
        await layer.group_send(
            WALLS,
            {
                "type": NEWS,
                "process": self.process,
                "present": pack_present(present),
                "paints": pack_paints((pk, one.paints) for pk, one in self._sessions.items()),
                "turns": pack_turns(news for news in turns if news is not None),
            },
        )


def _waiting(session_id: int, pending: _Pending) -> TurnNews | None:
    """The turns that wait, as they are; None if a keyframe is needed."""
    if pending.base is None or pending.turn is None:
        return None
    return _news(session_id, pending.live, pending.turn, pending.base, b"".join(pending.frames))


async def _last_frame(session_id: int, pending: _Pending) -> TurnNews | None:
    """The last frame of the game; None if it is not running."""
    turn = await attempt_runner().last_keyframe(pending.live)
    if turn is None:
        return None
    return _news(session_id, pending.live, turn, NO_BASE, turn.frames.payload)


def _news(session_id: int, live: LoadedAttempt, turn: EncodedTurn, base: int, frames: bytes) -> TurnNews:
    return TurnNews(
        session=session_id,
        attempt=live.attempt.number,
        base=base,
        seq=turn.seq,
        level=turn.level,
        levels_completed=turn.levels_completed,
        state=_STATES.get(turn.state, 0),
        acted_at=live.last_time.timestamp() if turn.seq > 0 else 0.0,
        frames=frames,
    )


@cache
def publisher() -> Publisher:
    """The publisher of this process."""
    return Publisher()
