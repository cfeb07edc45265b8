"""A session as one connection plays it: its status, its open attempt, and its limits.

It takes and returns values of the room; how they are sent to a browser is up to the caller.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

from channels.db import database_sync_to_async

from engine.actions import Action
from engine.turns import WIN, EncodedTurn
from playtest.play.clock import Timer, now
from playtest.play.entries import Provenance
from playtest.play.errors import Refusal, paused
from playtest.play.journal import append_event
from playtest.play.live import AttemptFailed, live_attempts
from playtest.play.live_attempt import LiveAttempt
from playtest.play.models import Event, EventKind
from playtest.play.queries import Stage
from playtest.play.services.limits import end_attempt_if_overdue, end_what_is_over
from playtest.play.services.sessions import open_next_or_end
from playtest.play.session_status import SessionStatus, session_status, status_in_play
from playtest.rules.attempt import Outcome

_UNNOTICED_SECONDS = 0.3
_SECONDS_BETWEEN_NOTICES = 4.0
"""While a page waits for its environment: it takes a connection for lost that is silent for ten seconds."""
_AT_ONCE = timedelta(seconds=0.1)


class LiveSession:
    """One session on one connection. `status` is its status when it was last read.

    `round_trip_ms` is the time from a ping to its answer as the page measured it last; None if unknown.
    `on_rebuild` is called before a game is rebuilt, or for an action once that has taken a moment, `on_limit`
    when a limit is reached. Callers let one call finish before the next.
    """

    status: SessionStatus
    round_trip_ms: int | None = None

    def __init__(
        self, session_id: int, on_rebuild: Callable[[], Awaitable[None]], on_limit: Callable[[], object]
    ) -> None:
        self.session_id = session_id
        self._on_rebuild = on_rebuild
        self._on_limit = on_limit
        self._live: LiveAttempt | None = None
        self._timer: Timer | None = None
        self._notice: asyncio.Task[None] | None = None

    async def current_turn(self, *, is_read: bool = False) -> EncodedTurn | None:
        """Read the status, and return the turn to continue from if an attempt is open and not paused.

        `is_read`: the status was just read, and is not read again first.
        An attempt that is won or has failed is ended first. Refusal: resync_required, as `Live.current_turn`.
        """
        while True:
            if not is_read:
                await self.refresh()
            is_read = False
            attempt = self.status.attempt
            if attempt is None:
                if self.status.stage == Stage.PAUSE:
                    live_attempts().expect(self.status.session.study_id)
                return None
            self._live = self._live or live_attempts().join(attempt, self.status.adjustments)
            if self.status.paused:
                return None
            clock_ran = attempt.first_frame_at is not None
            self._notify_after(_SECONDS_BETWEEN_NOTICES)
            try:
                turn = await live_attempts().current_turn(self._live, self._rebuilding)
            except AttemptFailed as failure:
                await live_attempts().end_as_fault(attempt, failure)
                continue
            finally:
                self._stop_notices()
            if turn.state != WIN:
                if not clock_ran:  # it has begun with this turn
                    attempt.first_frame_at = self._live.attempt.first_frame_at
                    self.set_timer()
                return turn
            await live_attempts().end(attempt, Outcome.COMPLETED)

    async def refresh(self) -> None:
        """End what is over, and read the status."""
        self.status = await database_sync_to_async(_settled_status)(self.session_id, now())
        attempt = self.status.attempt
        if self._live is not None and (attempt is None or attempt.pk != self._live.attempt.pk):
            ended = self._live.attempt.pk
            self._leave_attempt()
            await live_attempts().forget(ended)
        elif self._live is not None and attempt is not None:
            self._live.attempt.session = attempt.session
            self._live.adjustments = self.status.adjustments
        self.set_timer()

    @property
    def live(self) -> LiveAttempt | None:
        """The open attempt in this process; None in a pause, or before it was first shown."""
        return self._live

    async def act(self, number: int, sequence: int, action: Action, provenance: Provenance) -> EncodedTurn:
        """Carry out one action of attempt `number`; returns its turn. Refusal and errors: as `Live.act`."""
        live = self._open(number)
        try:
            return await live_attempts().act(live, sequence, action, provenance, self._rebuilding_for_action)
        finally:
            self._stop_notices()

    async def end_attempt(self, number: int, outcome: Outcome) -> None:
        """End the open attempt. Refusal: no_open_attempt, wrong_attempt; paused unless it is won."""
        await live_attempts().end(self._open(number).attempt, outcome)

    async def end_as_fault(self, number: int, failure: AttemptFailed) -> None:
        """End the open attempt, whose environment failed."""
        await live_attempts().end_as_fault(self._open(number).attempt, failure)

    async def open_next(self) -> None:
        """Open the next environment, or end the session when none is left. Refusal: not_now, paused."""
        await database_sync_to_async(open_next_or_end)(self.session_id)

    async def answer_prompt(self, number: int, answer: str) -> None:
        """Record the answer to the soft-limit prompt.

        Refusal: not_now, no_open_attempt, wrong_attempt, paused.
        """
        self._open(number)
        if self.status.paused:
            raise paused()
        due = self.status.prompt_due_at()
        if due is None or now() < due:
            raise Refusal("not_now", "The soft limit is not reached, or the prompt was answered.")
        await append_event(self._event(EventKind.PROMPT_ANSWERED, {"answer": answer}))

    def log_prompt_shown(self, number: int) -> None:
        """Record that the soft-limit prompt is on the screen. Refusal: no_open_attempt, wrong_attempt."""
        self._open(number)
        self.log(EventKind.PROMPT_SHOWN)

    async def was_resumed(self) -> bool:
        """Whether a session that was paused runs again: a page may have missed the notification."""
        if not self.status.paused:
            return False
        await self.refresh()
        return not self.status.paused

    async def end_if_overdue(self) -> None:
        """End the open attempt if its time is over."""
        attempt = self.status.attempt
        if attempt is not None and await database_sync_to_async(end_attempt_if_overdue)(attempt, now()):
            await live_attempts().forget(attempt.pk)

    def set_timer(self) -> None:
        """Wait for the next limit; a deadline that passed since the status was read is enforced at once."""
        self._cancel_timer()
        upcoming: list[datetime] = []
        if (deadline := self.status.next_deadline()) is not None:
            upcoming.append(max(deadline, now() + _AT_ONCE))
        if (due := self.status.prompt_due_at()) is not None and due > now():
            upcoming.append(due)
        if upcoming:
            self._timer = Timer(min(upcoming), self._on_limit)

    def log(self, kind: EventKind, details: dict[str, Any] | None = None) -> None:
        """Record an event of this session and of its open attempt, without waiting for it."""
        append_event(self._event(kind, details))

    def leave(self) -> None:
        """Release the attempt and the timer: the connection has ended."""
        self._cancel_timer()
        self._leave_attempt()

    def _open(self, number: int) -> LiveAttempt:
        if self._live is None:
            raise Refusal("no_open_attempt", "No environment is open.")
        if self._live.attempt.number != number:
            raise Refusal("wrong_attempt", "This is not the open attempt.")
        return self._live

    async def _rebuilding_for_action(self) -> None:
        """An environment that was let go is rebuilt unnoticed, unless that takes long."""
        self.log(EventKind.REBUILT)
        self._notify_after(_UNNOTICED_SECONDS)

    async def _rebuilding(self) -> None:
        self.log(EventKind.REBUILT)
        await self._on_rebuild()

    def _notify_after(self, seconds: float) -> None:
        """Say that the environment is rebuilt after so long, and then again and again until it is there."""
        if self._notice is None:
            self._notice = asyncio.create_task(self._notify(seconds))

    async def _notify(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        while True:
            await self._on_rebuild()
            await asyncio.sleep(_SECONDS_BETWEEN_NOTICES)

    def _stop_notices(self) -> None:
        if self._notice is not None:
            self._notice.cancel()
            self._notice = None

    def _leave_attempt(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            live_attempts().leave(live)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _event(self, kind: EventKind, details: dict[str, Any] | None = None) -> Event:
        return Event(
            session_id=self.session_id,
            attempt_id=self._live.attempt.pk if self._live else None,
            kind=kind,
            server_time=now(),
            details=details or {},
        )


def _settled_status(session_id: int, moment: datetime) -> SessionStatus:
    """End what is over and read the status in one call of the database thread."""
    if (status := status_in_play(session_id, moment)) is not None:
        return status
    end_what_is_over(session_id, moment)
    return session_status(session_id, moment)
