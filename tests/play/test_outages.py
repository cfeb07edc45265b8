"""An interval in which no server was up stops all clocks, and every rebuild agrees."""

import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from playtest.people.roles import Role
from playtest.play import clock
from playtest.play.journal import heartbeat, outages
from playtest.play.journal.outages import beat, may_end_what_is_over, record_stall, start_serving
from playtest.play.journal.servers_lock import ServersLock
from playtest.play.models import Attempt, Event, EventKind, Heartbeat, Session
from playtest.play.sessions.adjustments import adjustments_of
from playtest.play.sessions.attempts import end_attempt
from playtest.play.sessions.clocks import change, pausing
from playtest.play.sessions.reads import deadline_of
from playtest.play.tasks import end_overdue
from playtest.rules.adjustments import NO_ADJUSTMENTS, Pause
from playtest.rules.attempt import Outcome
from tests import make
from tests.make import at, play, study
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

MINUTES = timedelta(minutes=1)
type Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def lock_name(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """As if this process had just begun, and were alone; the name of the lock of its database's servers."""
    monkeypatch.setattr(outages, "_serving", outages._Serving())
    monkeypatch.setattr(clock, "_STARTED", clock._STARTED)
    servers = ServersLock(name := uuid.uuid4().hex)
    monkeypatch.setattr(outages, "servers", servers)
    yield name
    servers.release()


@pytest.fixture
def another(lock_name: str) -> Iterator[ServersLock]:
    """Another process that serves the database."""
    lock = ServersLock(lock_name)
    lock.hold()
    yield lock
    lock.release()


def last_beat(before: timedelta, process: str | None = None) -> datetime:
    """The last heartbeat of a process that served at this address, or at another one."""
    at = clock.machine_now() - before
    boot, uptime = heartbeat._machine()
    Heartbeat.objects.create(
        process=process or heartbeat.process(), at=at, boot=boot, uptime=uptime - before.total_seconds()
    )
    return at


def playing(minutes_ago: float) -> Attempt:
    """An attempt that is open, whose first frame was so long ago."""
    with at(clock.machine_now() - minutes_ago * MINUTES):
        return play(make.session(study()), [4], None)


def pauses(session: Session) -> tuple[Pause, ...]:
    return adjustments_of(session).pauses


def serve(run: Run) -> None:
    start_serving()
    with run(execute=True):
        beat()


@pytest.mark.services
def test_the_time_in_which_no_server_was_up_is_not_charged(django_capture_on_commit_callbacks: Run) -> None:
    attempt = playing(minutes_ago=8)
    before = deadline_of(attempt, NO_ADJUSTMENTS)
    down = last_beat(5 * MINUTES)
    serve(django_capture_on_commit_callbacks)
    [outage] = pauses(attempt.session)
    assert outage.start == down
    after = deadline_of(attempt, adjustments_of(attempt.session))
    assert before is not None
    assert after is not None
    assert outage.end is not None
    assert after.at - before.at == outage.end - outage.start
    serve(django_capture_on_commit_callbacks)
    assert pauses(attempt.session) == (outage,)


@pytest.mark.usefixtures("own_folder")
def test_a_rebuild_and_an_audit_agree_with_an_outage(django_capture_on_commit_callbacks: Run) -> None:
    attempt = playing(minutes_ago=8)
    last_beat(5 * MINUTES)
    serve(django_capture_on_commit_callbacks)
    said = StringIO()
    call_command("audit", stdout=said)
    assert "0 findings" in said.getvalue()
    call_command("rebuild", stdout=said)
    assert "0 attempts corrected" in said.getvalue()
    assert len(pauses(attempt.session)) == 1


def test_a_restart_of_a_few_seconds_counts(django_capture_on_commit_callbacks: Run) -> None:
    attempt = playing(minutes_ago=1)
    down = last_beat(timedelta(seconds=6))
    serve(django_capture_on_commit_callbacks)
    assert [one.start for one in pauses(attempt.session)] == [down]


def test_no_clock_stops_while_another_server_is_up(
    django_capture_on_commit_callbacks: Run, another: ServersLock
) -> None:
    attempt = playing(minutes_ago=8)
    last_beat(5 * MINUTES)
    last_beat(timedelta(seconds=9), "elsewhere:8000")
    serve(django_capture_on_commit_callbacks)
    assert pauses(attempt.session) == ()


def test_several_servers_killed_at_once_are_an_outage_however_soon_one_is_back(
    django_capture_on_commit_callbacks: Run, another: ServersLock
) -> None:
    """The one that is back second finds the first one up, and records nothing again."""
    attempt = playing(minutes_ago=8)
    last_beat(timedelta(seconds=9))
    down = last_beat(timedelta(seconds=4), "elsewhere:8000")
    another.release()
    serve(django_capture_on_commit_callbacks)
    [outage] = pauses(attempt.session)
    assert outage.start == down
    another.hold()
    outages._serving = outages._Serving()
    outages.servers.release()
    serve(django_capture_on_commit_callbacks)
    assert pauses(attempt.session) == (outage,)


def test_a_turn_after_the_last_heartbeat_shows_that_a_server_was_up(
    django_capture_on_commit_callbacks: Run,
) -> None:
    attempt = playing(minutes_ago=8)
    last_beat(timedelta(seconds=9))
    last_beat(timedelta(seconds=8), "elsewhere:8000")
    sign = clock.machine_now() - timedelta(seconds=3)
    Event.objects.create(session=attempt.session, kind=EventKind.PAGE_HIDDEN, server_time=sign)
    serve(django_capture_on_commit_callbacks)
    assert [one.start for one in pauses(attempt.session)] == [sign]


def test_a_server_that_is_stopped_and_not_killed_is_no_other_server(
    django_capture_on_commit_callbacks: Run, another: ServersLock
) -> None:
    """It still holds the lock, but has been silent for too long to have served anybody."""
    attempt = playing(minutes_ago=8)
    down = last_beat(timedelta(seconds=25), "elsewhere:8000")
    serve(django_capture_on_commit_callbacks)
    assert [one.start for one in pauses(attempt.session)] == [down]


def test_the_lock_is_found_and_taken_again_after_its_connection_was_lost(
    lock_name: str, another: ServersLock
) -> None:
    mine = ServersLock(lock_name)
    assert mine.others_hold()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
        assert not mine.others_hold()
        another.hold()
        assert mine.others_hold()
    another.release()
    assert not mine.others_hold()
    mine.release()


def test_what_happened_in_between_is_no_outage(django_capture_on_commit_callbacks: Run) -> None:
    """A process that was stopped may record a turn, or an event, before its next heartbeat."""
    attempt = playing(minutes_ago=9)
    session = attempt.session
    start_serving()
    with django_capture_on_commit_callbacks(execute=True):
        beat()
    Heartbeat.objects.update(at=clock.machine_now() - 5 * MINUTES)
    sign = clock.machine_now() - 2 * MINUTES
    Event.objects.create(session=session, kind=EventKind.PAGE_HIDDEN, server_time=sign)
    beat()
    first, second = pauses(session)
    assert first.end == sign == second.start


def test_a_pause_of_staff_covers_an_outage(django_capture_on_commit_callbacks: Run) -> None:
    session = playing(minutes_ago=8).session
    with at(clock.machine_now() - 6 * MINUTES):
        change(session, staff(Role.PROCTOR), pausing("fire alarm"))
    paused = pauses(session)
    last_beat(5 * MINUTES)
    serve(django_capture_on_commit_callbacks)
    assert pauses(session) == paused


def test_a_worker_ends_nothing_while_no_server_is_up() -> None:
    attempt = playing(minutes_ago=31)
    last_beat(5 * MINUTES)
    end_overdue()
    attempt.refresh_from_db()
    assert attempt.ended_at is None


def test_a_server_that_was_stopped_records_that_before_it_ends_anything(
    django_capture_on_commit_callbacks: Run,
) -> None:
    attempt = playing(minutes_ago=31)
    start_serving()
    with django_capture_on_commit_callbacks(execute=True):
        beat()
    Heartbeat.objects.update(at=clock.machine_now() - 5 * MINUTES)
    assert may_end_what_is_over()
    assert len(pauses(attempt.session)) == 1


def test_the_time_of_a_process_never_goes_back(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Run
) -> None:
    """The machine's clock was set back by two hours while no server was up."""
    attempt = playing(minutes_ago=8)
    last = last_beat(5 * MINUTES)
    monkeypatch.setattr(clock, "_STARTED", clock._STARTED - timedelta(hours=2))
    serve(django_capture_on_commit_callbacks)
    assert last <= clock.machine_now() < last + MINUTES
    assert pauses(attempt.session) == ()


def ago(seconds: float) -> datetime:
    return clock.machine_now() - timedelta(seconds=seconds)


@pytest.mark.services
def test_two_servers_that_could_not_record_stop_clocks_once() -> None:
    """Each records what it knows; the one that noticed later may be the first to record it."""
    session = playing(minutes_ago=8).session
    began, middle, ended = ago(9), ago(5), ago(1)
    record_stall(middle, ended)
    record_stall(began, ended)
    record_stall(began, ended)
    assert pauses(session) == (Pause(began, middle), Pause(middle, ended))
    assert adjustments_of(session).stopped(ago(60), ago(0)) == ended - began


def test_another_server_that_recorded_meanwhile_was_up() -> None:
    session = playing(minutes_ago=8).session
    for seconds in (7, 5, 3):
        Event.objects.create(session=session, kind=EventKind.PAGE_HIDDEN, server_time=ago(seconds))
    record_stall(ago(9), ago(1))
    assert pauses(session) == ()


@pytest.mark.services
def test_what_ended_before_an_outage_was_recorded_stays_as_it_was_summed_up() -> None:
    """Staff at another server ended the attempt as soon as the database answered."""
    attempt = playing(minutes_ago=8)
    began, ended = ago(12), ago(1)
    assert end_attempt(attempt.pk, Outcome.ENDED_BY_STAFF, ago(6))
    record_stall(began, ended)
    attempt.refresh_from_db()
    assert attempt.ended_at is not None
    assert pauses(attempt.session) == (Pause(attempt.ended_at, ended),)
    said = StringIO()
    call_command("rebuild", stdout=said)
    assert "0 attempts corrected" in said.getvalue()


def test_an_outage_that_is_recorded_in_a_pause_of_staff_does_not_end_it() -> None:
    session = playing(minutes_ago=8).session
    began, ended = ago(9), ago(1)
    with at(ago(0.5)):
        change(session, staff(Role.PROCTOR), pausing("fire alarm"))
    record_stall(began, ended)
    outage, of_staff = pauses(session)
    assert outage == Pause(began, ended)
    assert of_staff.end is None
    session.refresh_from_db()
    assert session.paused_at == of_staff.start
