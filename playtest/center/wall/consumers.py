"""The socket of the wall: authorise, then pass on what the wall of this process says (docs/wall.md)."""

import asyncio
import json
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db.models import Q

from playtest.center.wall.watching import Viewer, watching
from playtest.people.access import staff_with_right
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.clock import now
from playtest.play.models import Attempt
from playtest.play.page.wire import CloseCode
from playtest.play.sessions.reads import OPEN
from playtest.serve.connection_limits import SOCKETS_OF_A_MEMBER_OF_STAFF, OpenSockets
from playtest.studio.models import SightingKind
from playtest.studio.services.sightings import note_sightings


def note_watched(staff: Staff, sessions: Collection[int], seconds: float) -> None:
    """Records that somebody sees these sessions: the attempts that are open, or were, so many seconds ago."""
    since = now() - timedelta(seconds=seconds)
    open_then = OPEN | Q(ended_at__gt=since) | Q(set_aside_at__gt=since)
    watched = Attempt.objects.filter(open_then, session__in=sessions)
    note_sightings(watched.values_list("environment", flat=True), SightingKind.LIVE, staff)


NOT_ALLOWED = 4403
MALFORMED = 4400
CHECKED_SECONDS = 5.0
MOST_IN_VIEW = 2000
_open = OpenSockets(SOCKETS_OF_A_MEMBER_OF_STAFF)


class WallConsumer(AsyncWebsocketConsumer):
    """One viewer of the wall; the page confirms what it has drawn, and says which tiles are on the screen."""

    access = Right.RUN_SESSIONS
    messages = ("drawn", "view")

    _viewer: Viewer | None = None
    _owner: int | None = None
    _checking: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the connection, and release everything even if a handler raises, unlike Channels."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()

    async def connect(self) -> None:
        await self.accept()
        staff = await self._staff()
        if staff is None:
            await self.close(NOT_ALLOWED)
            return
        if not _open.enter(staff.pk):
            await self.close(int(CloseCode.TOO_MANY_MESSAGES))
            return
        self._owner = staff.pk
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
            await self._note(await self._staff(), message["sessions"])
            if self._viewer is not None:
                watching().see(self._viewer, message["sessions"])
        else:
            self._leave()
            await self.close(MALFORMED)

    async def _keep_checking(self) -> None:
        """Note what is watched; close when this person has signed out or lost the right."""
        staff = await self._staff()
        while staff is not None:
            await asyncio.sleep(CHECKED_SECONDS)
            staff = await self._staff()
            await self._note(staff, self._viewer.in_view if self._viewer else ())
        viewer, self._viewer = self._viewer, None
        if viewer is not None:
            watching().remove(viewer)
            await self.close(NOT_ALLOWED)

    async def _note(self, staff: Staff | None, sessions: Collection[int]) -> None:
        """Record which environments are played in these sessions, whose tiles are on the screen."""
        if staff is not None and sessions:
            await database_sync_to_async(note_watched)(staff, sessions, 2 * CHECKED_SECONDS)

    async def _staff(self) -> Staff | None:
        """The viewer, while they may watch."""
        return await database_sync_to_async(staff_with_right)(self.scope["cookies"], self.access)

    def _leave(self) -> None:
        viewer, self._viewer = self._viewer, None
        if viewer is not None:
            watching().remove(viewer)
        if self._checking is not None:
            self._checking.cancel()
        owner, self._owner = self._owner, None
        if owner is not None:
            _open.leave(owner)


def _parsed(text: str | None) -> Mapping[str, Any]:
    """The object in a text; an empty one if there is none. `playtest.serve.server` limits its length."""
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
