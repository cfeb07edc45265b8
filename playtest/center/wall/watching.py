"""The wall of one process: hears the processes that serve, reads the database, and tells its viewers.

It runs while somebody watches through this process, and a little longer. All viewers are told the same text,
which is made once; so three of them cost little more than one.
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

from autobahn.exception import Disconnected
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer

from playtest.center.wall.boards import recorded_board
from playtest.center.wall.facts import FactsReader, disconnected_since, places
from playtest.center.wall.news import (
    ASK,
    HELLO,
    PUBLISHERS,
    SECONDS_BETWEEN,
    WALLS,
    WATCHING,
    listen,
    unpack_paints,
    unpack_turns,
)
from playtest.center.wall.state import WallState
from playtest.play.clock import machine_now, now
from playtest.play.journal.heartbeat import signs
from playtest.play.sessions.notifications import UNREACHABLE

logger = logging.getLogger(__name__)

ANNOUNCED_SECONDS = 2.0
FACTS_SECONDS = 0.5
ABSENT_SECONDS = 1.0
EVERYTHING_SECONDS = 1.0
"""How often every tile is looked at for what time alone changes. A viewer hears something so often."""
FACTS_OUTDATED_SECONDS = 5.0
"""With facts older than this viewers are told nothing, so that their pages say that they are not live."""
MOST_BEHIND = 8
"""A viewer who has not confirmed so many updates gets no more, and later everything at once."""
_KEPT_SECONDS = 30.0
_SIGNS_KNOWN_SECONDS = 15.0
"""After so long the heartbeats of all processes have carried the last sign of a page that is lost."""
_SHARE_OF_TIME = 0.02
"""The reading of facts takes at most this share of the time, if that makes it rarer."""
_RAREST_SECONDS = 0.7
"""But between two readings there is no more than this: a busy machine must not make the wall outdated."""


@dataclass(eq=False, slots=True)
class Viewer:
    """Somebody who watches: how to send a text, and which updates were sent and confirmed.

    `in_view` are the sessions whose tiles are on the screen, and `told_in_view`: those of the last update.
    """

    send: Callable[[str], Awaitable[None]]
    sent: int = 0
    confirmed: int = 0
    needs_everything: bool = True
    in_view: frozenset[int] = frozenset()
    told_in_view: frozenset[int] = frozenset()


class Watching:
    """The wall as seen through this process. For one event loop."""

    def __init__(self) -> None:
        self._state = WallState()
        self._reader = FactsReader()
        self._viewers: set[Viewer] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._closing: asyncio.TimerHandle | None = None
        self._facts_at = float("-inf")
        self._everything_at = float("-inf")

    def add(self, viewer: Viewer) -> None:
        """Tell this viewer everything, and from then on what changes."""
        self._viewers.add(viewer)
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None
        if not self._tasks:
            self._open()

    def remove(self, viewer: Viewer) -> None:
        """Tell this viewer nothing more."""
        self._viewers.discard(viewer)
        if not self._viewers and self._tasks and self._closing is None:
            self._closing = asyncio.get_running_loop().call_later(_KEPT_SECONDS, self._close)

    def confirm(self, viewer: Viewer, number: int) -> None:
        """A viewer has drawn its update of this number."""
        viewer.confirmed = max(viewer.confirmed, min(number, viewer.sent))

    def see(self, viewer: Viewer, sessions: Iterable[int]) -> None:
        """A viewer has the tiles of these sessions on the screen, and is told how play goes on there."""
        viewer.in_view = frozenset(sessions)

    def _open(self) -> None:
        self._state, self._reader = WallState(), FactsReader()
        self._facts_at = self._everything_at = float("-inf")
        self._thread = ThreadPoolExecutor(1, "wall")  # the thread of the pages must not wait for it
        self._tasks = [
            asyncio.ensure_future(task)
            for task in (
                listen(self._hear, "the wall hears nothing"),
                _repeat(self._announce, ANNOUNCED_SECONDS),
                _repeat(self._read_facts, FACTS_SECONDS),
                _repeat(self._read_absent, ABSENT_SECONDS),
                _repeat(self._update, SECONDS_BETWEEN),
            )
        ]

    def _close(self) -> None:
        self._closing = None
        for task in self._tasks:
            task.cancel()
        self._tasks = []
        self._thread.shutdown(wait=False)

    # What comes in

    async def _hear(self) -> None:
        layer: Any = get_channel_layer()
        channel = await layer.new_channel("wall")
        try:
            await layer.group_add(WALLS, channel)
            await self._ask(None)
            while True:
                message = await layer.receive(channel)
                if message["type"] == HELLO:
                    await self._ask(None)
                    continue
                self._state.take_present(message["process"], message["present"], now().timestamp())
                self._state.take_paints(message["process"], unpack_paints(message["paints"]))
                for news in unpack_turns(message["turns"]):
                    self._state.take_turn(news)
        finally:
            with contextlib.suppress(*UNREACHABLE):
                await layer.group_discard(WALLS, channel)

    async def _announce(self) -> None:
        """Tell the processes that somebody watches, and ask for the boards that are missing."""
        missing, self._state.missing = self._state.missing, set()
        if missing:
            await self._ask(sorted(missing))
        else:
            layer: Any = get_channel_layer()
            await layer.group_send(PUBLISHERS, {"type": WATCHING})

    async def _ask(self, sessions: list[int] | None) -> None:
        layer: Any = get_channel_layer()
        await layer.group_send(PUBLISHERS, {"type": ASK, "sessions": sessions})

    async def _read_facts(self) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        facts = await self._in_thread(self._reader.read, now())
        self._state.take_facts(facts)
        self._state.take_stations(*await self._in_thread(places, facts.values(), machine_now()))
        self._facts_at = loop.time()
        pause = min(_RAREST_SECONDS, (self._facts_at - started) / _SHARE_OF_TIME)
        await asyncio.sleep(max(0.0, pause - FACTS_SECONDS))

    async def _read_absent(self) -> None:
        """What no process tells: since when connections are lost, and the boards behind them."""
        moment = now().timestamp()
        if fresh := self._state.lost(moment - _SIGNS_KNOWN_SECONDS):
            for session, at in (await self._in_thread(signs.last_of, fresh)).items():
                self._state.take_last_sign(session, at)
        if lost := self._state.lost():
            for session, at in (await self._in_thread(disconnected_since, lost)).items():
                self._state.take_lost_since(session, at.timestamp())
        for session, attempt in self._state.without_board(moment):
            recorded = await self._in_thread(recorded_board, attempt.pk)
            if recorded is not None:
                self._state.take_recorded(session, attempt.number, recorded)

    async def _in_thread[**P, T](self, read: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        in_thread = database_sync_to_async(read, thread_sensitive=False, executor=self._thread)
        return await in_thread(*given, **named)

    # What goes out

    async def _update(self) -> None:
        """Tell the viewers what changed, or once a second at least that this is still how it is."""
        time = asyncio.get_running_loop().time()
        everything = time - self._everything_at >= EVERYTHING_SECONDS
        waiting = any(one.needs_everything or one.in_view != one.told_in_view for one in self._viewers)
        if time - self._facts_at > FACTS_OUTDATED_SECONDS or not (
            everything or waiting or self._state.changed
        ):
            return
        if everything:
            self._everything_at = time
        moment = now()
        changed, gone = self._state.settle(moment.timestamp(), everything=everything)
        head = f'"at":{round(moment.timestamp() * 1000)}'
        if everything:
            head += f',"lag":{json.dumps(self._state.lag())}'
        news = f'{{"type":"news",{head},"gone":{json.dumps(gone)},"tiles":['
        snapshot = [] if not any(one.needs_everything for one in self._viewers) else self._state.snapshot()
        for viewer in list(self._viewers):
            before = frozenset() if viewer.needs_everything else viewer.told_in_view
            if viewer.needs_everything:
                text, tiles = f'{{"type":"all",{head},"tiles":[', snapshot
            else:
                text, tiles = news, changed
            seen = self._state.in_view(viewer.in_view, before)
            viewer.told_in_view = viewer.in_view
            if everything or viewer.needs_everything or changed or gone or seen:
                await self._send_update(viewer, f"{text}{','.join((*tiles, *seen))}]")

    async def _send_update(self, viewer: Viewer, text: str) -> None:
        """Send an update, unless the viewer is too far behind; whoever misses one gets everything later."""
        if viewer.sent - viewer.confirmed >= MOST_BEHIND:
            viewer.needs_everything = True
            return
        viewer.sent += 1
        viewer.needs_everything = False
        try:
            await viewer.send(f'{text},"number":{viewer.sent}}}')
        except Disconnected:
            viewer.needs_everything = True  # it has gone, and is taken off the list when that is noticed
        except Exception:  # whatever is wrong with one viewer, the others are told
            logger.exception("a viewer of the wall could not be told")
            viewer.needs_everything = True


async def _repeat(step: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Do something again and again; one failure is logged and does not end it."""
    while True:
        try:
            await step()
        except UNREACHABLE as error:
            logger.error("the wall tells nobody: the channel layer cannot be reached: %s", error)
        except Exception:  # the pages say how old their picture is until it goes well again
            logger.exception("the wall could not be brought up to date")
        await asyncio.sleep(seconds)


@cache
def watching() -> Watching:
    """The wall of this process."""
    return Watching()
