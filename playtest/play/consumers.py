"""The participant's socket: parse, authorise, one call, answer. Every message is in docs/wire.md."""

import asyncio
import contextlib
import json
import logging
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from playtest.play import announce, wire
from playtest.play.clock import Timer, now
from playtest.play.errors import Refusal
from playtest.play.journal import NewEvent, append_event
from playtest.play.live import AttemptFailed, LiveAttempt, live_attempts
from playtest.play.models import Attempt, EventKind
from playtest.play.pace import Pace, Verdict
from playtest.play.seats import session_of_cookie
from playtest.play.services.attempts import end_attempt
from playtest.play.services.limits import end_attempt_if_overdue
from playtest.play.situation import Situation, go_on, look
from playtest.play.wire import CloseCode, ErrorCode, FromClient, FromServer, WireError
from playtest.rules.attempt import Outcome

logger = logging.getLogger(__name__)


class SittingConsumer(AsyncWebsocketConsumer):
    """One page of one sitting. Messages and limits take turns on `_turn`, so that nothing interleaves."""

    session_id = 0
    _situation: Situation
    _live: LiveAttempt | None = None
    _timer: Timer | None = None
    _limit_task: asyncio.Task[None] | None = None
    _closed = False
    _left = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """As Channels does it, which skips `disconnect` when a handler raises: nothing may stay behind."""
        try:
            await super().__call__(scope, receive, send)
        except announce.UNREACHABLE as error:
            logger.error("a page was sent away, because the channel layer cannot be reached: %s", error)
            await send({"type": "websocket.close", "code": int(CloseCode.TRY_AGAIN)})
        finally:
            await self._tidy_up(CloseCode.SERVER_FAILED)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """As Channels does it, without its visit to the database thread at every message."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    # Connection

    async def connect(self) -> None:
        self._turn = asyncio.Lock()
        self._pace = Pace()
        self._opened_at = (now().timestamp(), self.channel_name)
        await self.accept()
        session = await database_sync_to_async(session_of_cookie)(self.scope["cookies"])
        if session is None:
            await self._close(CloseCode.NO_SEAT)
            return
        self.session_id = session.pk
        self._log(EventKind.CONNECTED)
        if not await self._join_group(announce.group(session.pk)):
            await self._close(CloseCode.TRY_AGAIN)
            return
        async with self._turn:
            await self._show()

    async def _join_group(self, group: str) -> bool:
        """Tell other pages of this sitting, and hear what staff change; False while that cannot be had."""
        try:
            await self.channel_layer.group_add(group, self.channel_name)
            await self.channel_layer.group_send(group, {"type": announce.OPENED, "at": self._opened_at})
        except announce.UNREACHABLE as error:
            logger.error("the channel layer cannot be reached: %s", error)
            return False
        return True

    async def disconnect(self, code: int) -> None:
        await self._tidy_up(code)

    async def _tidy_up(self, code: int) -> None:
        """Leave, once, however the connection ended."""
        if not self.session_id or self._left:
            return
        self._left = True
        self._log(EventKind.DISCONNECTED, {"code": int(code)})
        self._cancel_timer()
        if self._limit_task is not None:
            self._limit_task.cancel()
        self._leave()
        with contextlib.suppress(*announce.UNREACHABLE):  # who cannot be reached has no group any more
            await self.channel_layer.group_discard(announce.group(self.session_id), self.channel_name)

    async def sitting_opened(self, message: dict[str, Any]) -> None:
        """Another page of this sitting was opened: the newer one has it."""
        if tuple(message["at"]) > self._opened_at:
            self._log(EventKind.SUPERSEDED)
            await self._close(CloseCode.SUPERSEDED)

    async def sitting_changed(self, message: dict[str, Any]) -> None:
        """Staff changed this session: look again, if the seat is still this browser's."""
        if await database_sync_to_async(session_of_cookie)(self.scope["cookies"]) is None:
            await self._close(CloseCode.NO_SEAT)
            return
        async with self._turn:
            await self._show()

    # Messages

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self._closed:
            return
        sequence = None
        try:
            self._judge(text_data, bytes_data)
            async with self._turn:
                if bytes_data is not None:
                    action = wire.parse_action(bytes_data)
                    sequence = action.sequence
                    await self._act(action)
                else:
                    await self._hear(wire.parse_text(text_data or ""))
        except WireError as error:
            await self._refuse(error, sequence)

    def _judge(self, text: str | None, data: bytes | None) -> None:
        if len(data if data is not None else (text or "").encode()) > wire.LARGEST_MESSAGE_BYTES:
            raise WireError(
                ErrorCode.MESSAGE_TOO_LARGE, "A message has at most 512 bytes.", CloseCode.MESSAGE_TOO_LARGE
            )
        match self._pace.take(now().timestamp()):
            case Verdict.REFUSE:
                raise WireError(ErrorCode.TOO_MANY_MESSAGES, "Too fast: this message was ignored.")
            case Verdict.CLOSE:
                raise WireError(
                    ErrorCode.TOO_MANY_MESSAGES, "Too fast for too long.", CloseCode.TOO_MANY_MESSAGES
                )

    async def _refuse(self, error: WireError, sequence: int | None) -> None:
        about = {} if sequence is None else {"sequence": sequence}
        await self._say({"type": FromServer.ERROR, "code": error.code, "message": error.message, **about})
        if error.close_code is not None:
            await self._close(error.close_code)
        elif error.code in (ErrorCode.ATTEMPT_OVER, ErrorCode.RESYNC_REQUIRED):
            async with self._turn:
                await self._show()

    async def _hear(self, message: wire.TextMessage) -> None:
        match message.type:
            case FromClient.PING:
                await self._say({"type": FromServer.PONG})
            case FromClient.RESYNC:
                await self._show()
            case FromClient.OBSERVED:
                self._log(EventKind(message.event))
            case FromClient.NEXT:
                await self._next()
            case FromClient.PROMPT_SHOWN:
                self._log(EventKind.PROMPT_SHOWN, attempt=self._open(message.attempt).attempt)
            case FromClient.PROMPT_ANSWERED:
                await self._answer_prompt(message)
            case FromClient.GIVE_UP:
                await self._end(self._open(message.attempt).attempt, Outcome.GAVE_UP)

    async def _act(self, action: wire.ActionMessage) -> None:
        live = self._open(action.attempt)
        try:
            answer, won = await live_attempts().act(live, action, self._rebuilding)
        except AttemptFailed as failure:
            await self._fail(live.attempt, failure)
            return
        await self.send(bytes_data=answer)
        if won:
            await self._end(live.attempt, Outcome.COMPLETED)

    async def _next(self) -> None:
        try:
            await database_sync_to_async(go_on)(self.session_id)
        except Refusal as refusal:
            raise WireError(ErrorCode.NOT_NOW, refusal.message) from refusal
        await self._show()

    async def _answer_prompt(self, message: wire.TextMessage) -> None:
        live = self._open(message.attempt)
        due = self._situation.prompt_due_at()
        if due is None or now() < due:
            raise WireError(ErrorCode.NOT_NOW, "The soft limit has not asked anything.")
        await append_event(
            self._event(EventKind.PROMPT_ANSWERED, {"answer": message.answer}, attempt=live.attempt)
        )
        if message.answer == "finish":
            await self._end(live.attempt, Outcome.CONCLUDED)
        else:
            await self._look_again()

    def _open(self, number: int) -> LiveAttempt:
        if self._live is None:
            raise WireError(ErrorCode.NO_OPEN_ATTEMPT, "No environment is open.")
        if self._live.attempt.number != number:
            raise WireError(ErrorCode.WRONG_ATTEMPT, "This is not the open attempt.")
        return self._live

    # What the page shows

    async def _show(self) -> None:
        """Say where the sitting stands and, while playing, which frame to continue from."""
        while True:
            await self._look_again()
            attempt = self._situation.attempt
            if attempt is None:
                await self._say(self._situation.message(now()))
                return
            self._live = self._live or live_attempts().join(attempt)
            try:
                frame, won = await live_attempts().frame(self._live, self._rebuilding)
            except AttemptFailed as failure:
                await self._record_failure(attempt, failure)
                continue
            except WireError:
                await self._close(CloseCode.TRY_AGAIN)
                return
            if not won:
                break
            await database_sync_to_async(end_attempt)(attempt.pk, Outcome.COMPLETED, now())
        await self._look_again()
        await self._say(self._situation.message(now()))
        await self.send(bytes_data=frame)

    async def _look_again(self) -> None:
        self._situation = await database_sync_to_async(look)(self.session_id, now())
        attempt = self._situation.attempt
        if self._live is not None and (attempt is None or attempt.pk != self._live.attempt.pk):
            self._leave()
        elif self._live is not None and attempt is not None:
            self._live.attempt.session = attempt.session  # the study's limits may have been changed
        self._set_timer()

    async def _end(self, attempt: Attempt, outcome: Outcome) -> None:
        await database_sync_to_async(end_attempt)(attempt.pk, outcome, now())
        await live_attempts().close(attempt.pk)
        await self._show()

    async def _fail(self, attempt: Attempt, failure: AttemptFailed) -> None:
        await self._record_failure(attempt, failure)
        await self._show()

    async def _record_failure(self, attempt: Attempt, failure: AttemptFailed) -> None:
        logger.error("environment fault in attempt %s: %s %s", attempt.pk, failure.code, failure.message)
        await database_sync_to_async(end_attempt)(
            attempt.pk,
            Outcome.FAULT,
            now(),
            fault_code=failure.code,
            fault_message=failure.message,
            details=failure.details,
        )
        await live_attempts().close(attempt.pk)

    def _leave(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            live_attempts().leave(live)

    # Limits

    def _set_timer(self) -> None:
        self._cancel_timer()
        moments = [self._situation.next_deadline(), self._situation.prompt_due_at()]
        upcoming = [moment for moment in moments if moment is not None and moment > now()]
        if upcoming:
            self._timer = Timer(min(upcoming), self._start_on_limit)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _start_on_limit(self) -> None:
        self._limit_task = asyncio.ensure_future(self._keep_limit())

    async def _keep_limit(self) -> None:
        """No handler runs now that could fail for it: the page comes back, and its limits are set anew."""
        try:
            await self._on_limit()
        except Exception:
            logger.exception("a limit of session %s could not be kept here", self.session_id)
            await self._close(CloseCode.TRY_AGAIN)

    async def _on_limit(self) -> None:
        async with self._turn:
            attempt = self._situation.attempt
            if attempt is not None and await database_sync_to_async(end_attempt_if_overdue)(attempt, now()):
                await live_attempts().close(attempt.pk)
            due = self._situation.prompt_due_at()
            deadline = self._situation.next_deadline()
            if deadline is not None and now() >= deadline:
                await self._show()
            elif due is not None and now() >= due:
                await self._say(self._situation.prompt_message(now()))
                self._set_timer()
            else:
                self._set_timer()

    # Sending and logging

    async def _rebuilding(self) -> None:
        self._log(EventKind.REBUILT)
        await self._say({"type": FromServer.REBUILDING})

    async def _close(self, code: CloseCode) -> None:
        """Close for good; what still arrives is not read any more."""
        self._closed = True
        await self.close(int(code))  # Daphne takes no subclass of int

    async def _say(self, message: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(message))

    def _event(
        self, kind: EventKind, details: dict[str, Any] | None = None, *, attempt: Attempt | None = None
    ) -> NewEvent:
        attempt_id = attempt.pk if attempt else self._live.attempt.pk if self._live else None
        return NewEvent(self.session_id, attempt_id, kind, now(), details=details or {})

    def _log(
        self, kind: EventKind, details: dict[str, Any] | None = None, *, attempt: Attempt | None = None
    ) -> None:
        append_event(self._event(kind, details, attempt=attempt))
