"""The participant's socket: parse, authorise, one call, answer. Every message is in docs/wire.md."""

import asyncio
import contextlib
import json
import logging
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from engine.turns import WIN
from playtest import logs
from playtest.people.roles import Audience
from playtest.play import at_once, notifications, observers, wire
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.live import AttemptFailed, live_attempts
from playtest.play.live_session import LiveSession
from playtest.play.models import EventKind
from playtest.play.rate_limit import RateLimit, Verdict
from playtest.play.seats import session_of_cookie
from playtest.play.wire import CloseCode, ErrorCode, FromClient, FromServer, WireError
from playtest.rules.attempt import Outcome

logger = logging.getLogger(__name__)


class SittingConsumer(AsyncWebsocketConsumer):
    """One page of one session. `_lock` lets one message or limit finish before the next.

    An action comes at once where the server can (`play.at_once`); every other message, and an action that
    comes while something else is handled, through `dispatch`.
    """

    access = Audience.SEAT
    messages = wire.CLIENT_MESSAGES

    _session: LiveSession | None = None
    _limit_task: asyncio.Task[None] | None = None
    _closed = False
    _socket: at_once.Socket | None = None
    _dispatching = False
    _action: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the connection, and release everything even if a handler raises, unlike Channels."""
        try:
            await super().__call__(scope, receive, send)
        except notifications.UNREACHABLE as error:
            logger.error("a page was disconnected: the channel layer cannot be reached: %s", error)
            await send({"type": "websocket.close", "code": int(CloseCode.TRY_AGAIN)})
        finally:
            if self._action is not None:
                self._action.cancel()
            await self._tidy_up(CloseCode.SERVER_FAILED)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler, as Channels does, but without a visit to the database thread each time.

        Raises what the action before it raised, if that came at once.
        """
        self._dispatching = True
        try:
            if self._action is not None:
                await self._action
            await getattr(self, message["type"].replace(".", "_"))(message)
        finally:
            self._dispatching = False

    # Connection

    async def connect(self) -> None:
        self._lock = asyncio.Lock()
        self._rate_limit = RateLimit()
        self._opened_at = (now().timestamp(), self.channel_name)
        self._loop = asyncio.get_running_loop()
        self._socket = at_once.offered(self.scope)
        if self._socket is not None and (task := asyncio.current_task()) is not None:
            self._context = task.get_context()  # lines of the log have the numbers bound in either task
            self._socket.take = self._take
        notifications.listen()
        await self.accept()
        async with live_attempts().arrivals:
            session = await self._arrive()
        if session is not None:
            async with self._lock:
                await self._show(session, is_read=True)

    async def _arrive(self) -> LiveSession | None:
        """Enter the session that the cookie names, and read its status; None if the connection was closed."""
        found = await database_sync_to_async(session_of_cookie)(self.scope["cookies"])
        if found is None:
            await self._close(CloseCode.NO_SEAT)
            return None
        self._session = session = LiveSession(found.pk, self._say_rebuilding, self._start_on_limit)
        logs.about(session=found.pk)
        logger.info("a page has connected")
        session.log(EventKind.CONNECTED)
        if not await self._join_group(notifications.group_of(found.pk)):
            await self._close(CloseCode.TRY_AGAIN)
            return None
        observers.opened(session)
        await session.refresh()
        return session

    async def _join_group(self, group: str) -> bool:
        """Join the session's pages and tell the others; False if the channel layer cannot be reached."""
        try:
            await self.channel_layer.group_add(group, self.channel_name)
            await self.channel_layer.group_send(group, {"type": notifications.OPENED, "at": self._opened_at})
        except notifications.UNREACHABLE as error:
            logger.error("the channel layer cannot be reached: %s", error)
            return False
        return True

    async def disconnect(self, code: int) -> None:
        await self._tidy_up(code)

    async def _tidy_up(self, code: int) -> None:
        """Release everything, once, however the connection ended."""
        session, self._session = self._session, None
        if session is None:
            return
        logger.info("a page has disconnected", extra={"code": int(code)})
        session.log(EventKind.DISCONNECTED, {"code": int(code)})
        if self._limit_task is not None:
            self._limit_task.cancel()
        session.leave()
        observers.closed(session)
        with contextlib.suppress(*notifications.UNREACHABLE):  # an unreachable layer has no group to leave
            await self.channel_layer.group_discard(
                notifications.group_of(session.session_id), self.channel_name
            )

    async def sitting_opened(self, message: dict[str, Any]) -> None:
        """Another page of this session was opened: the newer one takes over."""
        if self._session is not None and tuple(message["at"]) > self._opened_at:
            self._session.log(EventKind.SUPERSEDED)
            await self._close(CloseCode.SUPERSEDED)

    async def sitting_changed(self, message: dict[str, Any]) -> None:
        """Staff changed this session: show it again, if the seat is still this browser's."""
        if await database_sync_to_async(session_of_cookie)(self.scope["cookies"]) is None:
            await self._close(CloseCode.NO_SEAT)
        elif self._session is not None:
            async with self._lock:
                await self._show(self._session)

    async def sitting_announced(self, message: dict[str, Any]) -> None:
        """Staff say how many minutes are left."""
        if self._session is not None and not self._closed:
            await self._say(wire.announcement_message(message["minutes"]))

    # Messages

    def _take(self, message: bytes) -> bool:
        """Handle a message that comes at once, in a task that has begun when this returns."""
        if self._socket is None or self._session is None or self._closed:
            return False
        if self._dispatching or self._lock.locked() or not (self._action is None or self._action.done()):
            return False
        receiving = self._receive_at_once(self._socket, message)
        self._action = asyncio.Task(receiving, loop=self._loop, eager_start=True, context=self._context)
        return True

    async def _receive_at_once(self, socket: at_once.Socket, message: bytes) -> None:
        """Wake the connection's own task if the message fails: `dispatch` raises the error there."""
        try:
            await self.receive(bytes_data=message)
        except Exception:
            socket.receive_later({"type": "action.failed"})
            raise

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        session = self._session
        if self._closed or session is None:
            return
        sequence = None
        try:
            self._check_size_and_rate(text_data, bytes_data)
            async with self._lock:
                if bytes_data is not None:
                    action = wire.parse_action(bytes_data)
                    sequence = action.sequence
                    await self._act(session, action)
                else:
                    await self._carry_out(session, wire.parse_text(text_data or ""))
        except Refusal as refusal:
            await self._refuse(session, refusal, sequence)

    def _check_size_and_rate(self, text: str | None, data: bytes | None) -> None:
        if len(data if data is not None else (text or "").encode()) > wire.LARGEST_MESSAGE_BYTES:
            raise WireError(
                ErrorCode.MESSAGE_TOO_LARGE, "A message has at most 512 bytes.", CloseCode.MESSAGE_TOO_LARGE
            )
        match self._rate_limit.judge(now().timestamp()):
            case Verdict.REFUSE:
                raise WireError(ErrorCode.TOO_MANY_MESSAGES, "Too fast: this message was ignored.")
            case Verdict.CLOSE:
                raise WireError(
                    ErrorCode.TOO_MANY_MESSAGES, "Too fast for too long.", CloseCode.TOO_MANY_MESSAGES
                )

    async def _refuse(self, session: LiveSession, refusal: Refusal, sequence: int | None) -> None:
        await self._say(wire.error_message(refusal, sequence))
        if isinstance(refusal, WireError) and refusal.close_code is not None:
            await self._close(refusal.close_code)
        elif refusal.code in (ErrorCode.ATTEMPT_OVER, ErrorCode.PAUSED, ErrorCode.RESYNC_REQUIRED):
            async with self._lock:
                await self._show(session)

    async def _act(self, session: LiveSession, message: wire.ActionMessage) -> None:
        number = message.attempt
        try:
            turn = await session.act(number, message.sequence, message.action, message.provenance)
        except AttemptFailed as failure:
            await session.end_as_fault(number, failure)
            await self._show(session)
            return
        answer = wire.turn_message(number, turn)
        if self._socket is not None:
            self._socket.send_binary(answer)
        else:
            await self.send(bytes_data=answer)
        observers.turned(session, turn)
        if turn.state == WIN:
            await session.end_attempt(number, Outcome.COMPLETED)
            await self._show(session)

    async def _carry_out(self, session: LiveSession, message: wire.TextMessage) -> None:
        match message.type:
            case FromClient.PING:
                await self._say({"type": FromServer.PONG})
                session.round_trip_ms = message.round_trip_ms
                if await session.was_resumed():
                    await self._show(session)
            case FromClient.RESYNC:
                await self._show(session)
            case FromClient.OBSERVED:
                session.log(EventKind(message.event))
            case FromClient.NEXT:
                await session.open_next()
                await self._show(session)
            case FromClient.PROMPT_SHOWN:
                session.log_prompt_shown(message.attempt)
            case FromClient.PROMPT_ANSWERED:
                await self._answer_prompt(session, message)
            case FromClient.GIVE_UP:
                await session.end_attempt(message.attempt, Outcome.GAVE_UP)
                await self._show(session)

    async def _answer_prompt(self, session: LiveSession, message: wire.TextMessage) -> None:
        await session.answer_prompt(message.attempt, message.answer)
        if message.answer == "finish":
            await session.end_attempt(message.attempt, Outcome.CONCLUDED)
            await self._show(session)
        else:
            await session.refresh()

    async def _show(self, session: LiveSession, *, is_read: bool = False) -> None:
        """Send the status of the session and, while playing, the turn to continue from.

        `is_read`: its status was just read.
        """
        try:
            turn = await session.current_turn(is_read=is_read)
        except Refusal:
            await self._close(CloseCode.TRY_AGAIN)
            return
        logs.about(attempt=session.status.attempt.pk if session.status.attempt else None)
        await self._say(wire.sitting_message(session.status, now()))
        if turn is not None and session.status.attempt is not None:
            number = session.status.attempt.number
            await self.send(bytes_data=wire.turn_message(number, turn, resync=True))
            observers.turned(session, turn)

    # Limits

    def _start_on_limit(self) -> None:
        self._limit_task = asyncio.ensure_future(self._try_on_limit())

    async def _try_on_limit(self) -> None:
        """Disconnect the page if this fails: it reconnects, and its limits are set again."""
        try:
            async with self._lock:
                if self._session is not None:
                    await self._on_limit(self._session)
        except Exception:
            logger.exception("a limit of a session could not be enforced on its connection")
            await self._close(CloseCode.TRY_AGAIN)

    async def _on_limit(self, session: LiveSession) -> None:
        await session.end_if_overdue()
        due, deadline = session.status.prompt_due_at(), session.status.next_deadline()
        if deadline is not None and now() >= deadline:
            await self._show(session)
            return
        if due is not None and now() >= due:
            await self._say(wire.prompt_message(session.status, now()))
        session.set_timer()

    # Sending

    async def _say_rebuilding(self) -> None:
        await self._say({"type": FromServer.REBUILDING})

    async def _close(self, code: CloseCode) -> None:
        """Close the connection; messages that still arrive are ignored."""
        self._closed = True
        await self.close(int(code))  # Daphne takes no subclass of int

    async def _say(self, message: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(message))
