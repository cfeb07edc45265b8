"""The socket of a page on which an environment is played: parse, authorise, one call, answer.

Every message is in docs/wire.md. `play.page.consumers` has the kinds of pages: a participant's, and that of
an internal play.
"""

import asyncio
import contextlib
import json
import logging
from typing import Any

from autobahn.exception import Disconnected
from channels.generic.websocket import AsyncWebsocketConsumer

from engine.play.actions import Action
from engine.play.turns import EncodedTurn
from engine.tasks.edits import Edit
from playtest.play import at_once
from playtest.play.attempt.loaded import AttemptFailed
from playtest.play.attempt.runner import attempt_runner
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import EventKind
from playtest.play.page import status_messages, wire
from playtest.play.page.connected import SECONDS_BETWEEN_NOTICES, ConnectedPlay, say_again
from playtest.play.page.wire import CloseCode, ErrorCode, FromClient, FromServer, WireError
from playtest.play.sessions import notifications
from playtest.play.signals import turn_sent
from playtest.rules.attempt import Outcome
from playtest.serve import logs

MESSAGES_A_SECOND = 50
BURST = 100
REFUSALS_BEFORE_CLOSING = 1_000


class RateLimit:
    """One connection's bucket. Times are seconds of any clock that never goes back (`play.clock`)."""

    def __init__(self) -> None:
        self._tokens = float(BURST)
        self._at: float | None = None
        self._refused = 0

    def check(self, at: float) -> None:
        """Take a token for a message that arrives at `at`. WireError: too_many_messages."""
        if self._at is not None:
            self._tokens = min(BURST, self._tokens + (at - self._at) * MESSAGES_A_SECOND)
        self._at = at
        if self._tokens >= 1:
            self._tokens -= 1
            self._refused = max(0, self._refused - 1)
            return
        self._refused += 1
        if self._refused <= REFUSALS_BEFORE_CLOSING:
            raise WireError(ErrorCode.TOO_MANY_MESSAGES, "Too fast: this message was ignored.")
        code, message = ErrorCode.TOO_MANY_MESSAGES, "Too fast for too long."
        raise WireError(code, message, CloseCode.TOO_MANY_MESSAGES)


logger = logging.getLogger(__name__)

_GONE = 1006
"""The close code of a connection that ended without one (RFC 6455)."""


class PageConsumer[P: ConnectedPlay](AsyncWebsocketConsumer):
    """One page on which something is played. `_lock` lets one message or limit finish before the next.

    An action comes at once where the server can (`play.at_once`); every other message, and an action that
    comes while something else is handled, through `dispatch`.
    """

    messages = wire.CLIENT_MESSAGES

    _play: P | None = None
    _closed = False
    _socket: at_once.Socket | None = None
    _dispatching = False
    _page: tuple[float, str, int] | None = None
    """Which page this is (`wire.parse_page`); None if it does not say."""
    _action: asyncio.Task[None] | None = None

    # What differs between kinds of pages

    async def _find(self) -> P | None:
        """What this page plays; None, after `_close`, if it may not play."""
        raise NotImplementedError

    async def _may_stay(self) -> bool:
        """Whether it still may."""
        raise NotImplementedError

    def _has_opened(self, play: P) -> None:
        """The page is connected."""

    def _heard(self, play: P) -> None:
        """The page gave a sign of life."""

    def _has_closed(self, play: P) -> None:
        """The connection has ended."""

    # Running

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the connection, and release everything even if a handler raises, unlike Channels."""
        try:
            await super().__call__(scope, receive, send)
        except Disconnected:  # the page went while it was answered
            await self._tidy_up(_GONE)
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
        self._loop = asyncio.get_running_loop()
        self._socket = at_once.offered(self.scope)
        if self._socket is not None and (task := asyncio.current_task()) is not None:
            self._context = task.get_context()  # lines of the log have the numbers bound in either task
            self._socket.take = self._take
        notifications.listen()
        await self.accept()
        try:
            self._page = wire.parse_page(self.scope.get("query_string", b""))
        except WireError as error:
            await self._say(wire.error_message(error, None))
            await self._close(CloseCode.TRY_AGAIN)
            return
        self._order = self._page or (now().timestamp() * 1000, self.channel_name, 0)
        notice = say_again(self._say_rebuilding, SECONDS_BETWEEN_NOTICES)
        try:
            async with attempt_runner().arriving():
                play = await self._arrive()
        finally:
            notice.cancel()
        if play is not None:
            async with self._lock:
                await self._show(play, is_read=True)

    async def _arrive(self) -> P | None:
        """Find what is played, and read its status; None if the connection was closed."""
        play = await self._find()
        if play is None:
            return None
        self._play = play
        logs.about(**play.about)
        logger.info("a page has connected")
        play.log(EventKind.CONNECTED)
        if not await self._join_group(play.group):
            await self._close(CloseCode.TRY_AGAIN)
            return None
        self._has_opened(play)
        await play.refresh()
        return play

    async def _join_group(self, group: str) -> bool:
        """Join the pages of the same play and tell them; False if the channel layer cannot be reached."""
        try:
            await self.channel_layer.group_add(group, self.channel_name)
            await self.channel_layer.group_send(group, self._opening)
        except notifications.UNREACHABLE as error:
            logger.error("the channel layer cannot be reached: %s", error)
            return False
        return True

    async def disconnect(self, code: int | None) -> None:
        await self._tidy_up(_GONE if code is None else code)

    async def _tidy_up(self, code: int) -> None:
        """Release everything, once, however the connection ended."""
        play, self._play = self._play, None
        if play is None:
            return
        logger.info("a page has disconnected", extra={"code": int(code)})
        play.log(EventKind.DISCONNECTED, {"code": int(code)})
        play.leave()
        self._has_closed(play)
        with contextlib.suppress(*notifications.UNREACHABLE):  # an unreachable layer has no group to leave
            await self.channel_layer.group_discard(play.group, self.channel_name)

    async def session_opened(self, message: dict[str, Any]) -> None:
        """Another page of the same play was opened: the newer one takes over.

        A connection that an older page, or this one, had given up can come last: it is told of this one.
        """
        play, order = self._play, tuple(message["order"])
        if play is None or self._closed or order == self._order:
            return
        if order > self._order:
            play.log(EventKind.SUPERSEDED)
            await self._close(CloseCode.SUPERSEDED)
        elif await self._may_stay():
            await self.channel_layer.group_send(play.group, self._opening)
        else:
            await self._close(CloseCode.NO_SEAT)

    @property
    def _opening(self) -> dict[str, Any]:
        return {"type": notifications.OPENED, "order": self._order}

    async def session_changed(self, message: dict[str, Any]) -> None:
        """It was changed elsewhere: show it again, if this page still may."""
        if not await self._may_stay():
            await self._close(CloseCode.NO_SEAT)
        elif self._play is not None:
            async with self._lock:
                await self._show(self._play)

    # Messages

    def _take(self, message: bytes) -> bool:
        """Handle a message that comes at once, in a task that has begun when this returns."""
        if self._socket is None or self._play is None or self._closed:
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
        play = self._play
        if self._closed or play is None:
            return
        sequence = None
        self._heard(play)
        try:
            self._check_size_and_rate(text_data, bytes_data)
            async with self._lock:
                if bytes_data is not None:
                    action = wire.parse_action(bytes_data)
                    sequence = action.sequence
                    await self._act(play, action)
                else:
                    message = wire.parse_text(text_data or "")
                    if message.edit is not None:
                        sequence = message.edit.sequence
                        await self._edit(play, message.edit)
                    else:
                        await self._carry_out(play, message)
        except Refusal as refusal:
            await self._refuse(play, refusal, sequence)

    def _check_size_and_rate(self, text: str | None, data: bytes | None) -> None:
        if len(data if data is not None else (text or "").encode()) > wire.LARGEST_MESSAGE_BYTES:
            raise WireError(
                ErrorCode.MESSAGE_TOO_LARGE,
                f"A message has at most {wire.LARGEST_MESSAGE_BYTES} bytes.",
                CloseCode.MESSAGE_TOO_LARGE,
            )
        self._rate_limit.check(now().timestamp())

    async def _refuse(self, play: P, refusal: Refusal, sequence: int | None) -> None:
        if refusal.code == ErrorCode.SUBMISSION_REPEATED:
            play.log(EventKind.SUBMISSION_REPEATED)
        await self._say(wire.error_message(refusal, sequence))
        if isinstance(refusal, WireError) and refusal.close_code is not None:
            await self._close(refusal.close_code)
        elif refusal.code in (ErrorCode.ATTEMPT_OVER, ErrorCode.PAUSED, ErrorCode.RESYNC_REQUIRED):
            async with self._lock:
                await self._show(play)

    async def _act(self, play: P, message: wire.ActionMessage) -> None:
        number = message.attempt
        turn = await self._carried_out(play, message, message.action)
        if turn is None:
            return
        answer = wire.turn_message(number, turn)
        if self._socket is not None:
            self._socket.send_binary(answer)
        else:
            await self.send(bytes_data=answer)
        await self._turned(play, number, turn)

    async def _edit(self, play: P, message: wire.EditMessage) -> None:
        """Carry out one edit of a static task. Refusal: action_unavailable in an interactive environment."""
        turn = await self._carried_out(play, message, message.edit)
        if turn is not None and play.task is not None:
            await self._say(
                status_messages.edited_message(message.attempt, play.task, turn, message.sequence)
            )
            await self._turned(play, message.attempt, turn)

    async def _carried_out(
        self, play: P, message: wire.ActionMessage | wire.EditMessage, action: Action | Edit
    ) -> EncodedTurn | None:
        """The turn of an action or edit; None if the environment failed, which ends the attempt."""
        try:
            return await play.act(message.attempt, message.sequence, action, message.provenance)
        except AttemptFailed as failure:
            await play.end_as_fault(message.attempt, failure)
            await self._show(play)
            return None

    async def _turned(self, play: P, number: int, turn: EncodedTurn) -> None:
        """The page was answered: say so to who watches, and end what this turn ends."""
        turn_sent.send_robust(type(play), session=play, turn=turn)
        outcome = play.ended_by(turn)
        if outcome is not None:
            await play.end_attempt(number, outcome)
            await self._show(play)

    async def _carry_out(self, play: P, message: wire.TextMessage) -> None:
        """Messages of every kind of page; the others fit only a session. Refusal: not_now."""
        match message.type:
            case FromClient.PING:
                await self._say({"type": FromServer.PONG})
            case FromClient.RESYNC:
                await self._show(play)
            case FromClient.OBSERVED:
                play.log(EventKind(message.event))
            case FromClient.PAINTED:
                await play.log_painted(message.attempt, message.sequence, message.paint_ms)
            case FromClient.GIVE_UP:
                await play.end_attempt(message.attempt, Outcome.GAVE_UP)
                await self._show(play)
            case _:
                raise Refusal("not_now", "An internal play has no pause, no limit and nothing next.")

    async def _show(self, play: P, *, is_read: bool = False) -> None:
        """Send the status and, while playing, the turn to continue from.

        `is_read`: its status was just read.
        """
        try:
            turn = await play.current_turn(is_read=is_read)
        except Refusal:
            await self._close(CloseCode.TRY_AGAIN)
            return
        logs.about(attempt=play.status.attempt.pk if play.status.attempt else None)
        task = play.task
        await self._say(status_messages.session_message(play.status, now()))
        if turn is not None and play.status.attempt is not None:
            number = play.status.attempt.number
            if task is not None:
                await self._say(status_messages.task_message(number, task))
            else:
                await self.send(bytes_data=wire.turn_message(number, turn, resync=True))
            turn_sent.send_robust(type(play), session=play, turn=turn)

    # Sending

    async def _say_rebuilding(self) -> None:
        await self._say({"type": FromServer.REBUILDING})

    async def _close(self, code: CloseCode) -> None:
        """Close the connection; messages that still arrive are ignored."""
        self._closed = True
        await self.close(int(code))  # Daphne takes no subclass of int

    async def _say(self, message: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(message))
