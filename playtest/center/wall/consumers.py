"""The socket of the wall: authorise, then pass on what the wall of this process says (docs/wall.md)."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from playtest.center.wall.watching import Viewer, watching
from playtest.people.roles import Right
from playtest.people.socket_access import staff_with_right

NOT_ALLOWED = 4403
MALFORMED = 4400
CHECKED_SECONDS = 5.0
MOST_IN_VIEW = 2000


class WallConsumer(AsyncWebsocketConsumer):
    """One viewer of the wall; the page confirms what it has drawn, and says which tiles are on the screen."""

    access = Right.RUN_SESSIONS
    messages = ("drawn", "view")

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
        message = _parsed(text_data)
        if _is_confirmation(message):
            watching().confirm(self._viewer, message["number"])
        elif _is_view(message):
            watching().see(self._viewer, message["sessions"])
        else:
            self._leave()
            await self.close(MALFORMED)

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


def _parsed(text: str | None) -> Mapping[str, Any]:
    """The object in a text; an empty one if there is none. `playtest.server` limits its length."""
    try:
        found = json.loads(text or "")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_confirmation(message: Mapping[str, Any]) -> bool:
    """Whether it is `{"type": "drawn", "number": 12}`."""
    return (
        message.keys() == {"type", "number"} and message["type"] == "drawn" and _is_number(message["number"])
    )


def _is_view(message: Mapping[str, Any]) -> bool:
    """Whether it is `{"type": "view", "sessions": [3, 4]}`."""
    if message.keys() != {"type", "sessions"} or message["type"] != "view":
        return False
    sessions = message["sessions"]
    return isinstance(sessions, list) and len(sessions) <= MOST_IN_VIEW and all(map(_is_number, sessions))


def _is_number(value: object) -> bool:
    return type(value) is int and value >= 0
