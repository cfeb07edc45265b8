"""The socket of an idle station: shows the server that it is ready, and the station that it is connected.

Messages are in docs/stations.md. Its session, once there is one, has the socket of `play.page.consumers`.
"""

import asyncio
import contextlib
import json
import logging
import time
from typing import Any

from autobahn.exception import Disconnected
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from playtest.center.stations import devices, queries
from playtest.center.stations.devices import station_of_cookie
from playtest.center.stations.models import Station
from playtest.center.stations.seating import has_session
from playtest.people.roles import Audience
from playtest.play.page.wire import CloseCode
from playtest.play.sessions.notifications import UNREACHABLE
from playtest.serve.connection_limits import SOCKETS_OF_A_STATION, OpenSockets

logger = logging.getLogger(__name__)

SILENCE_SECONDS = 60.0
"""A page sends `ping` every 25 s; without one for so long it is gone, as when a cable is pulled."""
_LARGEST_MESSAGE = 64
_open = OpenSockets(SOCKETS_OF_A_STATION)


class StationConsumer(AsyncWebsocketConsumer):
    """One page of one idle station."""

    access = Audience.STATION
    messages = ("ping",)

    _station: Station | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the connection, and report it gone however it ends."""
        try:
            await super().__call__(scope, receive, send)
        except UNREACHABLE as error:
            logger.error("a station was disconnected: the channel layer cannot be reached: %s", error)
            await send({"type": "websocket.close", "code": int(CloseCode.TRY_AGAIN)})
        finally:
            await self._leave()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler, as Channels does, but without a visit to the database thread each time."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def connect(self) -> None:
        await self.accept()
        station = await database_sync_to_async(station_of_cookie)(self.scope["cookies"])
        if station is None:
            await self.close(int(CloseCode.NO_SEAT))
            return
        if not _open.enter(station.pk):
            await self.close(int(CloseCode.TOO_MANY_MESSAGES))
            return
        self._station, self.heard_at = station, time.monotonic()
        await self.channel_layer.group_add(devices.group_of(station.number), self.channel_name)
        watch().add(self, station.pk)
        # A session may have been moved here while the page was not connected.
        waiting = await database_sync_to_async(has_session)(station)
        await self._say("changed" if waiting else "ready")

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self._station is None:
            return
        if text_data is None or len(text_data) > _LARGEST_MESSAGE or _type_of(text_data) != "ping":
            await self.close(int(CloseCode.MESSAGE_TOO_LARGE))
            return
        self.heard_at = time.monotonic()
        await self._say("pong")

    async def station_changed(self, message: dict[str, Any]) -> None:
        """Something changed for this station: its page loads again."""
        await self._say("changed")

    async def disconnect(self, code: int) -> None:
        await self._leave()

    async def _leave(self) -> None:
        station, self._station = self._station, None
        if station is None:
            return
        _open.leave(station.pk)
        watch().discard(self, station.pk)
        with contextlib.suppress(*UNREACHABLE):  # an unreachable layer has no group to leave
            group = devices.group_of(station.number)
            await self.channel_layer.group_discard(group, self.channel_name)

    async def _say(self, kind: str) -> None:
        with contextlib.suppress(Disconnected):  # the page is gone: `disconnect` follows
            await self.send(text_data=json.dumps({"type": kind}))


class Watch:
    """The stations connected to this process, and the one task that stores them."""

    def __init__(self) -> None:
        self._connections: dict[StationConsumer, int] = {}
        self._arrived: dict[int, str] = {}
        self._left: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def add(self, connection: StationConsumer, station_id: int) -> None:
        self._connections[connection] = station_id
        self._arrived[station_id] = connection.channel_name
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._run())

    def discard(self, connection: StationConsumer, station_id: int) -> None:
        if self._connections.pop(connection, None) is not None:
            self._left.add(connection.channel_name)

    async def _run(self) -> None:
        """Until no station is connected: stores who came and went, and closes those that are silent."""
        beat_at = time.monotonic() + queries.BEAT_SECONDS
        while self._connections or self._arrived or self._left:
            await asyncio.sleep(queries.CHANGES_SECONDS)
            try:
                await self._store_changes()
                if time.monotonic() >= beat_at:
                    beat_at = time.monotonic() + queries.BEAT_SECONDS
                    await self._beat()
            except Exception:  # the next beat stores all of them again
                logger.exception("the stations that are connected were not stored")

    async def _store_changes(self) -> None:
        """What cannot be stored is stored again by the next beat, or forgotten."""
        arrived, self._arrived = self._arrived, {}
        left, self._left = self._left, set()
        if arrived or left:
            await database_sync_to_async(queries.store)(arrived, left)

    async def _beat(self) -> None:
        oldest = time.monotonic() - SILENCE_SECONDS
        for connection in [one for one in self._connections if one.heard_at < oldest]:
            await connection.disconnect(1006)
            await connection.close()
        if self._connections:
            await database_sync_to_async(queries.seen)(list(self._connections.values()))


_watch = Watch()


def watch() -> Watch:
    return _watch


def _type_of(text: str) -> object:
    try:
        message = json.loads(text)
    except ValueError:
        return None
    return message.get("type") if isinstance(message, dict) else None
