"""What one connection plays: the base, an internal play, and a session with its status and limits.

It takes and returns values of the room; how they are sent to a browser is up to the caller.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from channels.db import database_sync_to_async

from engine.play.actions import Action
from engine.play.turns import EncodedTurn
from engine.tasks.edits import Edit
from playtest.play.attempt.loaded import AttemptFailed, LoadedAttempt
from playtest.play.attempt.runner import attempt_runner, people_first
from playtest.play.attempt.task_in_process import TaskInProcess
from playtest.play.clock import Timer, now
from playtest.play.errors import Refusal, paused
from playtest.play.hosts.process import retrieve
from playtest.play.journal.entries import Provenance
from playtest.play.journal.heartbeat import signs
from playtest.play.journal.writer import append_event
from playtest.play.models import Attempt, Event, EventKind
from playtest.play.page.wire import FromClient
from playtest.play.sessions.absences import Absence, Return, all_came_back
from playtest.play.sessions.ends import end_attempt_if_overdue, end_what_is_over, open_next_or_end
from playtest.play.sessions.going_back import finish, set_aside, take_up
from playtest.play.sessions.internal_plays import internal_play
from playtest.play.sessions.notifications import group_of, group_of_internal_play
from playtest.play.sessions.reads import Stage
from playtest.play.sessions.status import PlayStatus, SessionStatus, session_status, statuses_in_play
from playtest.play.together import Together
from playtest.rules.adjustments import SHORTEST_AWAY
from playtest.rules.attempt import Outcome
from playtest.rules.limits import is_over

_UNNOTICED_SECONDS = 0.3
PAINTS_KEPT = 8
"""So many of the last presses of a session are the lag that the wall shows."""
SECONDS_BETWEEN_NOTICES = 4.0
"""While a page waits for its environment: it takes a connection for lost that is silent for ten seconds."""


def say_again(say: Callable[[], Awaitable[None]], seconds: float) -> asyncio.Task[None]:
    """Says it after so long, and then again and again, until the task is cancelled, or the page has gone."""

    async def say_it() -> None:
        await asyncio.sleep(seconds)
        while True:
            await say()
            await asyncio.sleep(SECONDS_BETWEEN_NOTICES)

    saying = asyncio.create_task(say_it())
    saying.add_done_callback(retrieve)
    return saying


class ConnectedPlay:
    """What one connection plays. `status` is its status when it was last read.

    `group` names the group of its pages in the channel layer, of which the newest one plays. `about` are
    numbers for lines of the log. `on_rebuild` is called before a game is rebuilt, or for an action once that
    has taken a moment. Callers let one call finish before the next.
    """

    status: PlayStatus
    group: str
    about: dict[str, int]
    paints: deque[int]
    """Milliseconds from press to paint of the last presses."""

    def __init__(self, on_rebuild: Callable[[], Awaitable[None]]) -> None:
        self._on_rebuild = on_rebuild
        self.live: LoadedAttempt | None = None
        """The open attempt in this process; None without one, or before it was first shown."""
        self._notice: asyncio.Task[None] | None = None
        self.paints = deque(maxlen=PAINTS_KEPT)

    async def refresh(self) -> None:
        """Read the status; calls `_follow`."""
        raise NotImplementedError

    def set_timer(self) -> None:
        """Wait for the next limit, where there are any."""

    async def current_turn(self, *, is_read: bool = False) -> EncodedTurn | None:
        """Read the status, and return the turn to continue from if an attempt is open and not paused.

        `is_read`: the status was just read, and is not read again first.
        An attempt that is won or has failed is ended first. Refusal: resync_required, as
        `AttemptRunner.current_turn`.
        """
        while True:
            if not is_read:
                await self.refresh()
            is_read = False
            attempt = self.status.attempt
            if attempt is None:
                return None
            self.live = self.live or attempt_runner().join(attempt, self.status.adjustments)
            if self.status.paused:
                return None
            clock_ran = attempt.first_frame_at is not None
            self._notify_after(SECONDS_BETWEEN_NOTICES)
            people_first.enter()
            try:
                turn = await attempt_runner().current_turn(self.live, self._rebuilding)
            except AttemptFailed as failure:
                await attempt_runner().end_as_fault(attempt, failure)
                continue
            finally:
                people_first.leave()
                self._stop_notices()
            outcome = self.live.ended_by(turn)
            if outcome is None:
                if not clock_ran:  # it has begun with this turn
                    attempt.first_frame_at = self.live.attempt.first_frame_at
                    self.set_timer()
                return turn
            await attempt_runner().end(attempt, outcome)

    @property
    def task(self) -> TaskInProcess | None:
        """The task that is open, once it was shown; None in an interactive environment."""
        game = self.live.game if self.live is not None else None
        return game if isinstance(game, TaskInProcess) else None

    def ended_by(self, turn: EncodedTurn) -> Outcome | None:
        """How a turn of the open attempt ends it; None if it goes on, or none is open."""
        return self.live.ended_by(turn) if self.live is not None else None

    async def act(
        self, number: int, sequence: int, action: Action | Edit, provenance: Provenance
    ) -> EncodedTurn:
        """Carry out one action of attempt `number`; returns its turn. Errors: `AttemptRunner.act`."""
        live = self._open(number)
        if provenance.previous_paint_ms is not None:
            self.paints.append(provenance.previous_paint_ms)
        people_first.enter()
        try:
            return await attempt_runner().act(live, sequence, action, provenance, self._rebuilding_for_action)
        finally:
            people_first.leave()
            self._stop_notices()

    async def end_attempt(self, number: int, outcome: Outcome) -> None:
        """End the open attempt. Refusal: no_open_attempt, wrong_attempt; paused unless it is won."""
        await attempt_runner().end(self._open(number).attempt, outcome)

    async def end_as_fault(self, number: int, failure: AttemptFailed) -> None:
        """End the open attempt, whose environment failed."""
        await attempt_runner().end_as_fault(self._open(number).attempt, failure)

    def log(self, kind: EventKind, details: dict[str, Any] | None = None) -> None:
        """Record an event of this play and of its open attempt, without waiting for it."""
        append_event(self._event(kind, details))

    async def log_painted(self, number: int, seq: int, paint_ms: int) -> None:
        """Record how long an action took that no other has followed; of an internal play nobody asks."""

    def leave(self) -> None:
        """Release the attempt: the connection has ended."""
        self._leave_attempt()

    async def _follow(self, attempt: Attempt | None) -> None:
        """Let go of an attempt that is not the open one any more."""
        if self.live is not None and (attempt is None or attempt.pk != self.live.attempt.pk):
            ended = self.live.attempt.pk
            self._leave_attempt()
            await attempt_runner().forget(ended)

    def _open(self, number: int) -> LoadedAttempt:
        if self.live is None:
            raise Refusal("no_open_attempt", "No game is open.")
        if self.live.attempt.number != number:
            raise Refusal("wrong_attempt", "This is not the open attempt.")
        return self.live

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
            self._notice = say_again(self._on_rebuild, seconds)

    def _stop_notices(self) -> None:
        if self._notice is not None:
            self._notice.cancel()
            self._notice = None

    def _leave_attempt(self) -> None:
        live, self.live = self.live, None
        if live is not None:
            attempt_runner().leave(live)

    def _event(self, kind: EventKind, details: dict[str, Any] | None = None) -> Event:
        return Event(
            attempt_id=self.live.attempt.pk if self.live else None,
            kind=kind,
            server_time=now(),
            details=details or {},
        )


class ConnectedInternalPlay(ConnectedPlay):
    """One internal play on one connection. Its events name no session, and always their attempt."""

    def __init__(self, attempt_id: int, on_rebuild: Callable[[], Awaitable[None]]) -> None:
        super().__init__(on_rebuild)
        self.attempt_id = attempt_id
        self.group = group_of_internal_play(attempt_id)
        self.about = {"attempt": attempt_id}

    async def refresh(self) -> None:
        """Read whether it is still open."""
        self.status = await database_sync_to_async(_status)(self.attempt_id)
        await self._follow(self.status.attempt)

    def _event(self, kind: EventKind, details: dict[str, Any] | None = None) -> Event:
        event = super()._event(kind, details)
        event.attempt_id = self.attempt_id
        return event


def _status(attempt_id: int) -> PlayStatus:
    attempt = internal_play(attempt_id)
    if attempt is None or attempt.ended_at is not None:
        return PlayStatus(Stage.OVER, None)
    return PlayStatus(Stage.PLAYING, attempt)


_AT_ONCE = timedelta(seconds=0.1)
STILL_DELIVERED = timedelta(seconds=3)
"""For so long the network, once it is back, delivers what was sent on a connection that its page gave up."""
_returns = Together(all_came_back)


class ConnectedSession(ConnectedPlay):
    """One session on one connection.

    `round_trip_ms` is the time from a ping to its answer as the page measured it last; None if unknown.
    `on_limit` is called when a limit is reached, and again by the sign of life that one waits for. `absence`
    is how long no page of the session was there before this one. `pings`: the page gives signs of life, so
    that it is away when it does not; `on_doubt` is called when it should be asked for one.
    """

    status: SessionStatus
    round_trip_ms: int | None = None
    absence: Absence | None = None

    def __init__(
        self,
        session_id: int,
        on_rebuild: Callable[[], Awaitable[None]],
        on_limit: Callable[[], object],
        on_doubt: Callable[[], object] = lambda: None,
        *,
        pings: bool = False,
    ) -> None:
        super().__init__(on_rebuild)
        self.session_id = session_id
        self.group = group_of(session_id)
        self.about = {"session": session_id}
        self._on_limit, self._on_doubt = on_limit, on_doubt
        self._timer: Timer | None = None
        self._doubt: Timer | None = None
        self._heard_at = now()
        self._doubted_since: datetime | None = None
        self._pings = pings
        self._is_quiet = self._waits = False

    async def current_turn(self, *, is_read: bool = False) -> EncodedTurn | None:
        """As `ConnectedPlay.current_turn`; in the pause, prepares what may be opened next."""
        turn = await super().current_turn(is_read=is_read)
        if self.status.attempt is None and self.status.stage == Stage.PAUSE:
            attempt_runner().expect(self.status.session.study_id)
        return turn

    async def arrive(self, *, reconnects: bool) -> None:
        """Record for how long no page was there, before any limit is looked at."""
        self._heard_at = now()
        self.absence = await _returns(Return(self.session_id, self._heard_at, reconnects))
        if not self._pings:
            self._is_quiet = True
            signs.opened(self.session_id)

    def heard(self) -> None:
        """The page gave a sign of life.

        One after a silence may come late, of a page that has given this connection up, which then ends. It
        counts once another follows that the network did not deliver with it.
        """
        moment, before = now(), self._heard_at
        self._heard_at = moment
        if self._pings and moment - before >= SHORTEST_AWAY:
            self._doubted_since = moment
            signs.doubt(self.session_id)
            self._stop_asking()
            self._doubt = Timer(moment + STILL_DELIVERED, self._on_doubt)
        if self._doubted_since is not None and moment - self._doubted_since < STILL_DELIVERED:
            return
        self._doubted_since = None
        signs.heard(self.session_id, moment)
        if self._waits:
            self._waits = False
            self._on_limit()

    def waits_for_a_sign(self, limit: datetime) -> bool:
        """Whether a limit waits, because the page gave no sign of life since."""
        last = signs.here(self.session_id)
        allowed = self._pings and self.status.session.prescribed.away.seconds > 0
        self._waits = allowed and last is not None and last < limit
        return self._waits

    async def refresh(self) -> None:
        """End what is over, and read the status."""
        self.status = await _statuses(self.session_id)
        attempt = self.status.attempt
        await self._follow(attempt)
        if self.live is not None and attempt is not None:
            self.live.attempt.session = attempt.session
            self.live.adjust(self.status.adjustments)
        self.set_timer()

    async def move_on(self, kind: FromClient, number: int) -> None:
        """Open the next environment, set the open task aside, take up another, or finish the session.

        Refusal: not_now, paused, attempt_over, no_open_attempt, wrong_attempt.
        """
        service: Callable[[], object]
        match kind:
            case FromClient.SET_ASIDE:
                service = partial(set_aside, self._open(number).attempt.pk)
            case FromClient.TAKE_UP:
                service = partial(take_up, self.session_id, number)
            case FromClient.FINISH:
                service = partial(finish, self.session_id)
            case _:
                service = partial(open_next_or_end, self.session_id)
        await database_sync_to_async(service)()

    async def answer_prompt(self, number: int, answer: str) -> None:
        """Record the answer to the soft-limit prompt.

        Refusal: not_now, no_open_attempt, wrong_attempt, paused.
        """
        self._open(number)
        if self.status.paused:
            raise paused()
        due = self.status.prompt_due_at()
        if not is_over(due, now()):
            raise Refusal("not_now", "The soft limit is not reached, or the prompt was answered.")
        await append_event(self._event(EventKind.PROMPT_ANSWERED, {"answer": answer}))

    def log_prompt_shown(self, number: int) -> None:
        """Record that the soft-limit prompt is on the screen. Refusal: no_open_attempt, wrong_attempt."""
        self._open(number)
        self.log(EventKind.PROMPT_SHOWN)

    async def log_painted(self, number: int, seq: int, paint_ms: int) -> None:
        """As in every play, also of an attempt that has ended. Refusal: wrong_attempt."""
        found = Attempt.objects.filter(session=self.session_id, number=number).values_list("pk", flat=True)
        event = self._event(EventKind.PAINTED, {"seq": seq, "paint_ms": paint_ms})
        event.attempt_id = await database_sync_to_async(found.first)()
        if event.attempt_id is None:
            raise Refusal("wrong_attempt", "The session has no attempt of this number.")
        append_event(event)

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
            await attempt_runner().forget(attempt.pk)

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

    def leave(self) -> None:
        """Release the attempt and the timer: the connection has ended."""
        self._cancel_timer()
        self._stop_asking()
        if self._is_quiet:
            self._is_quiet = False
            signs.closed(self.session_id, now())
        super().leave()

    def _stop_asking(self) -> None:
        if self._doubt is not None:
            self._doubt.cancel()
            self._doubt = None

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _event(self, kind: EventKind, details: dict[str, Any] | None = None) -> Event:
        event = super()._event(kind, details)
        event.session_id = self.session_id
        return event


def _settled_statuses(sessions: Sequence[int]) -> list[SessionStatus]:
    """End what is over and read the statuses. What was ended before it fails stays so, and is not again."""
    moment = now()
    in_play = statuses_in_play(sessions, moment)
    return [in_play.get(one) or _settled_status(one, moment) for one in sessions]


def _settled_status(session_id: int, moment: datetime) -> SessionStatus:
    end_what_is_over(session_id, moment)
    return session_status(session_id, moment)


_statuses = Together(_settled_statuses)
