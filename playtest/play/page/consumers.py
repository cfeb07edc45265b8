"""The sockets of play: a participant's page, an internal play by a member of staff, and who may open them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import SplitResult, urlsplit

from channels.db import database_sync_to_async
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.urls import path, re_path
from django.utils.http import is_same_domain

from playtest.people.access import staff_with_right
from playtest.people.roles import Audience, Right
from playtest.play.clock import now
from playtest.play.hosts.process import retrieve
from playtest.play.page import status_messages, wire
from playtest.play.page.connected import ConnectedInternalPlay, ConnectedSession
from playtest.play.page.socket import PageConsumer
from playtest.play.page.wire import CloseCode, FromClient, FromServer
from playtest.play.sessions.internal_plays import internal_play
from playtest.play.sessions.seats import sessions_of_cookies
from playtest.play.signals import page_closed, page_opened
from playtest.play.together import Together
from playtest.rules.attempt import Outcome
from playtest.rules.limits import is_over
from playtest.serve.connection_limits import SOCKETS_OF_A_MEMBER_OF_STAFF, OpenSockets

logger = logging.getLogger(__name__)

_open = OpenSockets(SOCKETS_OF_A_MEMBER_OF_STAFF)
_seated = Together(sessions_of_cookies)


class SessionConsumer(PageConsumer[ConnectedSession]):
    """One page of one session."""

    access = Audience.SEAT

    _limit_task: asyncio.Task[None] | None = None

    async def _find(self) -> ConnectedSession | None:
        """Enter the session that the cookie names."""
        found = await _seated(self.scope["cookies"])
        if found is None:
            await self._close(CloseCode.NO_SEAT)
            return None
        play = ConnectedSession(
            found.pk, self._say_rebuilding, self._start_on_limit, self._probe, pings=self._page is not None
        )
        await play.arrive(reconnects=self._page is not None and self._page[2] > 1)
        return play

    async def _may_stay(self) -> bool:
        """Whether the seat is still this browser's."""
        return await _seated(self.scope["cookies"]) is not None

    async def connect(self) -> None:
        await super().connect()
        if self._play is not None and self._play.absence is not None:
            await self._say(wire.absence_message(*self._play.absence))

    def _heard(self, play: ConnectedSession) -> None:
        play.heard()

    def _has_opened(self, play: ConnectedSession) -> None:
        page_opened.send_robust(ConnectedSession, session=play)

    def _has_closed(self, play: ConnectedSession) -> None:
        if self._limit_task is not None:
            self._limit_task.cancel()
        page_closed.send_robust(ConnectedSession, session=play)

    async def session_announced(self, message: dict[str, Any]) -> None:
        """Staff say how many minutes are left."""
        if self._play is not None and not self._closed:
            await self._say(wire.announcement_message(message["minutes"]))

    async def _carry_out(self, play: ConnectedSession, message: wire.TextMessage) -> None:
        match message.type:
            case FromClient.PING:
                await super()._carry_out(play, message)
                play.round_trip_ms = message.round_trip_ms
                if await play.was_resumed():
                    await self._show(play)
            case FromClient.NEXT | FromClient.SET_ASIDE | FromClient.TAKE_UP | FromClient.FINISH:
                await play.move_on(message.type, message.attempt)
                await self._show(play)
            case FromClient.PROMPT_SHOWN:
                play.log_prompt_shown(message.attempt)
            case FromClient.PROMPT_ANSWERED:
                await self._answer_prompt(play, message)
            case _:
                await super()._carry_out(play, message)

    async def _answer_prompt(self, play: ConnectedSession, message: wire.TextMessage) -> None:
        await play.answer_prompt(message.attempt, message.answer)
        if message.answer == "finish":
            await play.end_attempt(message.attempt, Outcome.CONCLUDED)
            await self._show(play)
        else:
            await play.refresh()

    # Limits

    def _probe(self) -> None:
        asyncio.ensure_future(self._say({"type": FromServer.PROBE})).add_done_callback(retrieve)

    def _start_on_limit(self) -> None:
        self._limit_task = asyncio.ensure_future(self._try_on_limit())

    async def _try_on_limit(self) -> None:
        """Disconnect the page if this fails: it reconnects, and its limits are set again."""
        try:
            async with self._lock:
                if self._play is not None:
                    await self._on_limit(self._play)
        except Exception:
            logger.exception("a limit of a session could not be enforced on its connection")
            await self._close(CloseCode.TRY_AGAIN)

    async def _on_limit(self, play: ConnectedSession) -> None:
        await play.end_if_overdue()
        due, deadline = play.status.prompt_due_at(), play.status.next_deadline()
        if deadline is not None and is_over(deadline, now()):
            if play.waits_for_a_sign(deadline):
                await self._say({"type": FromServer.PROBE})
            else:
                await self._show(play)
            return
        if is_over(due, now()):
            await self._say(status_messages.prompt_message(play.status, now()))
        play.set_timer()


class InternalPlayConsumer(PageConsumer[ConnectedInternalPlay]):
    """One page of an internal play of the member of staff who is signed in."""

    access = Right.PLAY_INTERNALLY

    _owner: int | None = None

    async def _find(self) -> ConnectedInternalPlay | None:
        """Enter the internal play of the address, which only its own player may."""
        owner = await database_sync_to_async(self._player)()
        if owner is None:
            await self._close(CloseCode.NO_SEAT)
            return None
        if not _open.enter(owner):
            await self._close(CloseCode.TOO_MANY_MESSAGES)
            return None
        self._owner = owner
        return ConnectedInternalPlay(self._attempt_id, self._say_rebuilding)

    async def _may_stay(self) -> bool:
        """Whether the player is still signed in, with the right."""
        return await database_sync_to_async(self._player)() is not None

    async def _carry_out(self, play: ConnectedInternalPlay, message: wire.TextMessage) -> None:
        """As every page; a ping, every few seconds, also finds out whether the player may go on."""
        if message.type is FromClient.PING and not await self._may_stay():
            await self._close(CloseCode.NO_SEAT)
        else:
            await super()._carry_out(play, message)

    async def _tidy_up(self, code: int) -> None:
        owner, self._owner = self._owner, None
        if owner is not None:
            _open.leave(owner)
        await super()._tidy_up(code)

    @property
    def _attempt_id(self) -> int:
        number: int = self.scope["url_route"]["kwargs"]["pk"]
        return number

    def _player(self) -> int | None:
        """The account that the cookies hold, if this is a play of its own and it has the right."""
        staff = staff_with_right(self.scope["cookies"], self.access)
        play = internal_play(self._attempt_id) if staff is not None else None
        return staff.pk if staff is not None and play is not None and play.staff_id == staff.pk else None


websocket_urlpatterns = [
    path("ws/session/", SessionConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/internal/<int:pk>/", InternalPlayConsumer.as_asgi()),  # type: ignore[arg-type]
    re_path("", WebsocketDenier.as_asgi()),  # type: ignore[arg-type]
]


type Application = Callable[[Any, Any, Any], Awaitable[None]]
_PORTS = {"http": 80, "https": 443}


class SameOrigin:
    """Refuses (403) a WebSocket whose Origin is not the address it was asked for: scheme, host and port.

    An origin of TRUSTED_ORIGINS may too, as with forms.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        origin, host = (headers.get(name, b"").decode("latin1").lower() for name in (b"origin", b"host"))
        application = self._application if allowed(origin, host) else WebsocketDenier.as_asgi()
        await application(scope, receive, send)


def allowed(origin: str, host: str) -> bool:
    """Whether a page of `origin` may open a socket at `host`, as its headers write them, in lower case."""
    domain, _ = split_domain_port(host)
    if not origin or not validate_host(domain, settings.ALLOWED_HOSTS):
        return False
    here = f"{'https' if settings.HTTPS else 'http'}://{host}"
    return any(_matches(origin, other) for other in (here, *settings.CSRF_TRUSTED_ORIGINS))


def _matches(origin: str, other: str) -> bool:
    """Equal, but for a port left out, and for a domain that begins with `*.`."""
    try:
        one, wanted = urlsplit(origin), urlsplit(other.lower())
        same_place = one.scheme == wanted.scheme and _port(one) == _port(wanted)
    except ValueError:
        return False
    pattern = (wanted.hostname or "").removeprefix("*")
    return same_place and bool(one.hostname) and is_same_domain(one.hostname or "", pattern)


def _port(address: SplitResult) -> int | None:
    return address.port or _PORTS.get(address.scheme)
