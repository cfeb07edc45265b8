"""Outages: intervals in which no server could record. They stop the clocks of every session, as pauses do.

Each is a pause in the events of every session that was in progress, without staff and with `outage` in its
details, so that every rule and every rebuild leaves it out. A process that serves finds outages at each of
its heartbeats, above all the first, and before it ends anything because its time is over. A short one, such
as a database that does not answer for some seconds, is found by the journal's writer
(`play.journal.heartbeat`).
"""

import logging
from collections.abc import Iterator
from datetime import datetime

from django.db import DatabaseError, OperationalError, transaction
from django.db.models import Max

from playtest.play import clock
from playtest.play.clock import machine_now
from playtest.play.journal import heartbeat
from playtest.play.journal.heartbeat import Beat
from playtest.play.journal.servers_lock import ServersLock
from playtest.play.models import Attempt, Entry, Event, EventKind, Heartbeat, Session
from playtest.play.sessions.adjustments import adjustments_of_sessions
from playtest.play.sessions.locks import locked_sessions
from playtest.play.sessions.notifications import notify_from_thread_after_commit
from playtest.play.sessions.reads import OPEN, may_be_in_virtual_time
from playtest.rules.adjustments import Adjustments
from playtest.rules.outages import LONGEST_SILENCE, LONGEST_STALL, Outage, outages

logger = logging.getLogger(__name__)

_MOST_BETWEEN_BEATS = 20_000
"""No more rows of a log are read as signs of life."""
_DETAILS = {"reason": "", "all": True, "outage": True}


class _Serving:
    """Whether this process serves, and since when; whether it has looked for outages yet."""

    def __init__(self) -> None:
        self.since: datetime | None = None
        self.has_looked = False


_serving = _Serving()
servers = ServersLock()


def start_serving() -> None:
    """Say that this process serves from now on. Called again, it changes nothing."""
    if _serving.since is None:
        _serving.since = machine_now()


def beat() -> Beat:
    """Record the outages that have ended, then write this process's heartbeat, all in one transaction."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                _record()
        except OperationalError:
            raise
        except Exception:  # a server that can record turns must not stop for this
            logger.exception("outages could not be recorded: they are charged to participants' clocks")
        transaction.on_commit(_has_looked)
        return heartbeat.beat()


def _has_looked() -> None:
    _serving.has_looked = True
    if _serving.since is not None:
        try:
            servers.hold()
        except (DatabaseError, OSError) as error:
            logger.warning("this process cannot show others that it serves: %s", error)


def record_stall(began: datetime, ended: datetime) -> None:
    """Record that this process could record nothing in between, unless others could, or that is recorded."""
    with transaction.atomic():
        beats = Heartbeat.objects.select_for_update().order_by("process").values_list("process", "at")
        others = [at for process, at in beats if process != heartbeat.process()]
        found = outages(began, [*_signs(began, ended), *others], ended, longest=LONGEST_STALL)
        if found:
            _stop_clocks(found)


def last_sign() -> datetime | None:
    """The newest heartbeat of any process: outages are recorded until then. None if none ever served."""
    found: datetime | None = Heartbeat.objects.aggregate(at=Max("at"))["at"]
    return found


def may_end_what_is_over() -> bool:
    """Whether deadlines can be relied on: every outage that has ended is recorded, and none is going on.

    A process that serves records them first. Another one ends nothing while no server is up.
    """
    if _serving.since is not None:
        if heartbeat.writer_health.is_under_way:  # its writer will record it
            return False
        record_what_has_ended()
        return True
    newest = last_sign()
    return newest is None or machine_now() - newest <= LONGEST_SILENCE


def record_what_has_ended() -> None:
    """Record outages before something is computed with them; only in a process that serves."""
    if _serving.since is None:
        return
    newest = last_sign()
    if newest is not None and (machine_now() - newest > LONGEST_SILENCE or not _serving.has_looked):
        beat()


def _record() -> None:
    """Record the outages since the last heartbeat of any process."""
    beats = dict(Heartbeat.objects.select_for_update().order_by("process").values_list("process", "at"))
    beats |= dict(Heartbeat.objects.values_list("process", "at"))  # others may have waited, and written
    others = [at for process, at in beats.items() if process != heartbeat.process()]
    if not beats:
        return
    last, starting = max(beats.values()), not _serving.has_looked
    if starting and last > machine_now():
        _go_on_from(last)
    now = machine_now()
    another_is_up = any(now - at <= LONGEST_SILENCE for at in others)
    if another_is_up and starting:
        another_is_up = servers.others_hold()  # not if it was killed just now, too
    if another_is_up or not (starting or now - last > LONGEST_SILENCE):
        return
    found = outages(last, _signs(last, now), now, _serving.since if starting else None)
    if found:
        _stop_clocks(found)


def _go_on_from(last: datetime) -> None:
    """The machine's clock was set back while no server was up: times in the record never go back."""
    logger.error(
        "The machine's clock is %.0f s behind the last heartbeat, and this process goes on from that time. "
        "Set the clock right, then start the product again. (clock_disagrees)",
        (last - machine_now()).total_seconds(),
    )
    clock.advance_to(last)


def _signs(last: datetime, now: datetime) -> Iterator[datetime]:
    """The times of turns and events since `last`, of the newest rows."""
    for log in (Entry, Event):
        newest = log.objects.aggregate(newest=Max("pk"))["newest"] or 0
        rows = log.objects.filter(pk__gt=newest - _MOST_BETWEEN_BEATS)
        yield from rows.filter(server_time__gt=last, server_time__lt=now).values_list(
            "server_time", flat=True
        )


def _stop_clocks(found: list[Outage]) -> None:
    """Record these outages for every session that was in progress, where its clocks ran.

    What has ended stays as it was summed up, whoever ended it: of these times nothing is recorded.
    """
    now = found[-1].end
    running = Session.objects.filter(checked_in_at__isnull=False, ended_at__isnull=True)
    sessions = [
        session
        for session in locked_sessions(list(running.values_list("pk", flat=True)))
        if session.ended_at is None and not may_be_in_virtual_time(session, now)
    ]
    open_attempts = dict(Attempt.objects.filter(OPEN, session__in=sessions).values_list("session", "pk"))
    ended = dict(
        Attempt.objects.filter(session__in=sessions, ended_at__isnull=False)
        .values_list("session")
        .annotate(newest=Max("ended_at"))
    )
    adjustments = adjustments_of_sessions([session.pk for session in sessions])
    events = [
        Event(
            session=session,
            attempt_id=open_attempts.get(session.pk),
            kind=kind,
            server_time=moment,
            details=_DETAILS,
        )
        for session in sessions
        for outage in found
        for start, end in _charged(session, outage, ended.get(session.pk), adjustments[session.pk])
        for kind, moment in ((EventKind.PAUSED, start), (EventKind.RESUMED, end))
    ]
    Event.objects.bulk_create(events)
    for outage in found:
        logger.log(
            logging.WARNING if sessions else logging.INFO,  # a stop while nobody is here is no loss
            "No server could record for %.1f s until %s: %d sessions are not charged for it.",
            (outage.end - outage.start).total_seconds(), outage.end, len(sessions),
        )  # fmt: skip
    notify_from_thread_after_commit([session.pk for session in sessions])


def _charged(
    session: Session, outage: Outage, ended: datetime | None, adjustments: Adjustments
) -> list[tuple[datetime, datetime]]:
    """The parts of an outage in which the session's clocks ran; `ended`: when its newest attempt ended."""
    assert session.checked_in_at is not None
    start = max(outage.start, session.checked_in_at, ended or outage.start)
    return adjustments.between_pauses(start, outage.end)
