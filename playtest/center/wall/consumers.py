"""The socket of the wall: authorise, then pass on what the wall of this process says (docs/wall.md)."""

import asyncio
import json
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from playtest.center.wall.watching import Viewer, watching
from playtest.people.roles import Right
from playtest.people.socket_access import staff_with_right

NOT_ALLOWED = 4403
MALFORMED = 4400
CHECKED_SECONDS = 5.0
LONGEST_MESSAGE = 100


class WallConsumer(AsyncWebsocketConsumer):
    """One viewer of the wall; the page only confirms what it has drawn."""

    access = Right.RUN_SESSIONS
    messages = ("drawn",)

    _viewer: Viewer | None = None
    _checking: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the connection, and release everything even if a handler raises, unlike Channels."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()

    async def connect(self) -> None:
        await self.accept()
        if not await self._may_watch():
            await self.close(NOT_ALLOWED)
            return
        self._viewer = Viewer(lambda text: self.send(text_data=text))
        watching().add(self._viewer)
        self._checking = asyncio.ensure_future(self._keep_checking())

    async def disconnect(self, code: int) -> None:
        self._leave()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self._viewer is None:
            return
        number = _confirmed(text_data)
        if number is None:
            self._leave()
            await self.close(MALFORMED)
        else:
            watching().confirm(self._viewer, number)

    async def _keep_checking(self) -> None:
        """Close when this person has signed out or lost the right."""
        may_watch = True
        while may_watch:
            await asyncio.sleep(CHECKED_SECONDS)
            may_watch = await self._may_watch()
        viewer, self._viewer = self._viewer, None
        if viewer is not None:
            watching().remove(viewer)
            await self.close(NOT_ALLOWED)

    async def _may_watch(self) -> bool:
        staff = await database_sync_to_async(staff_with_right)(self.scope["cookies"], self.access)
        return staff is not None

    def _leave(self) -> None:
        viewer, self._viewer = self._viewer, None
        if viewer is not None:
            watching().remove(viewer)
        if self._checking is not None:
            self._checking.cancel()


def _confirmed(text: str | None) -> int | None:
    """The number in `{"type": "drawn", "number": 12}`; None for any other message."""
    if text is None or len(text) > LONGEST_MESSAGE:
        return None
    try:
        found = json.loads(text)
        number = found["number"] if found["type"] == "drawn" and len(found) == 2 else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return number if type(number) is int and number >= 0 else None
