"""Staff pause, resume, grant time, plan ends and end attempts; the events are the truth about it."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import Error, connection, transaction

from playtest.people.models import Staff
from playtest.people.services import new_participant
from playtest.play import clock
from playtest.play.journal.entries import NewEntry
from playtest.play.journal.sql import insert_entries
from playtest.play.models import Attempt, Entry, Event, EventKind, Session, SessionEnd
from playtest.play.sessions import clocks
from playtest.play.sessions.adjustments import adjustments_of, adjustments_of_attempt
from playtest.play.sessions.attempts import end_attempt, open_next, set_first_frame
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.reads import COUNTED, Stage, deadline_of, stage
from playtest.play.sessions.services import create_session
from playtest.play.tasks import end_overdue
from playtest.rules.adjustments import Pause
from playtest.rules.attempt import Outcome
from tests import make
from tests.make import environment, play, record, study
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.once]

START = datetime.fromisoformat("2026-03-02T09:00:00+00:00")


class Watch:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        return self.time

    def seconds_until(self, moment: datetime) -> float:
        return max(0.0, (moment - self.time).total_seconds())

    def pass_minutes(self, minutes: float) -> None:
        self.time += timedelta(minutes=minutes)


@pytest.fixture
def watch() -> Iterator[Watch]:
    watch = Watch()
    before = clock.set_clock(watch)
    yield watch
    clock.set_clock(before)


@pytest.fixture
def proctor() -> Staff:
    return Staff.objects.create_user("proctor", password="x", role="proctor")


@pytest.fixture
def session(watch: Watch) -> Session:
    return make.session(study(pool=[environment("wk01"), environment("ck01")]))


def playing(session: Session) -> Attempt:
    """An open attempt whose clock begins now."""
    attempt = open_next(session)
    assert attempt is not None
    set_first_frame(attempt.pk, clock.now())
    attempt.refresh_from_db()
    return attempt


def last_event(session: Session) -> Event:
    return session.events.order_by("-pk")[0]


def test_a_pause_stops_the_clocks_and_the_log_says_so(watch: Watch, session: Session, proctor: Staff) -> None:
    attempt = playing(session)
    watch.pass_minutes(10)
    clocks.change(session, proctor, clocks.pausing(" fire alarm "))
    event = last_event(session)
    assert (event.kind, event.staff, event.attempt) == ("paused", proctor, attempt)
    assert event.details == {"reason": "fire alarm", "all": False}
    session.refresh_from_db()
    assert session.paused_at == event.server_time == watch.now()
    assert deadline_of(attempt, adjustments_of(session)) is None
    watch.pass_minutes(120)
    assert stage(session, watch.now()) == Stage.PLAYING
    clocks.change(session, proctor, clocks.resuming())
    assert last_event(session).details == {"all": False}
    session.refresh_from_db()
    assert session.paused_at is None
    assert adjustments_of(session).pauses == (Pause(event.server_time, watch.now()),)
    deadline = deadline_of(attempt, adjustments_of(session))
    assert deadline is not None
    assert deadline.at == START + timedelta(minutes=150)


def test_the_sweep_ends_nothing_during_a_pause_and_at_the_moved_deadline_afterwards(
    watch: Watch, session: Session, proctor: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playtest.play.tasks.seconds_ahead", lambda: 0)
    attempt = playing(session)
    watch.pass_minutes(29)
    clocks.change(session, proctor, clocks.pausing(""))
    watch.pass_minutes(200)
    end_overdue()
    attempt.refresh_from_db()
    assert attempt.ended_at is None
    clocks.change(session, proctor, clocks.resuming())
    watch.pass_minutes(2)
    end_overdue()
    attempt = Attempt.objects.get(pk=attempt.pk)
    assert (attempt.outcome, attempt.ended_at) == ("timed_out", START + timedelta(minutes=230))
    watch.pass_minutes(60)
    end_overdue()
    session.refresh_from_db()
    assert (session.end_reason, session.ended_at) == ("time_over", START + timedelta(minutes=290))


def test_time_is_granted_to_the_open_attempt_or_the_session(
    watch: Watch, session: Session, proctor: Staff
) -> None:
    attempt = playing(session)
    watch.pass_minutes(20)
    clocks.change(session, proctor, clocks.granting(300, environment=True, session_too=False, reason="noise"))
    assert last_event(session).details == {
        "seconds": 300,
        "environment": True,
        "session": False,
        "reason": "noise",
    }
    deadline = deadline_of(attempt, adjustments_of(session))
    assert deadline is not None
    assert deadline.at == START + timedelta(minutes=35)
    end_attempt(attempt.pk, Outcome.GAVE_UP, watch.now())
    clocks.change(session, proctor, clocks.granting(600, environment=False, session_too=True, reason=""))
    assert last_event(session).attempt is None
    following = playing(session)
    deadline = deadline_of(following, adjustments_of(session))
    assert deadline is not None
    assert deadline.at == START + timedelta(minutes=50)  # 30 minutes: granted time was for the one before
    watch.pass_minutes(79.9)
    assert stage(session, watch.now()) == Stage.PLAYING
    watch.pass_minutes(0.1)
    assert stage(session, watch.now()) == Stage.OVER


@pytest.mark.parametrize(("grant", "counts"), [(5, True), (0, False)])
def test_an_attempt_solved_within_its_granted_time_counts(
    grant: int, counts: bool, watch: Watch, session: Session, proctor: Staff
) -> None:
    """Solved at 30:10. A rebuild finds the same from the events."""
    attempt = open_next(session)
    assert attempt is not None
    set_first_frame(attempt.pk, watch.now())
    watch.pass_minutes(29)
    if grant:
        clocks.change(
            session, proctor, clocks.granting(grant * 60, environment=True, session_too=False, reason="fire")
        )
    record(attempt, [0] * 31, Outcome.COMPLETED, START, seconds_an_action=1810 / 31)
    assert Attempt.objects.filter(COUNTED).exists() is counts
    Attempt.objects.update(granted=timedelta(hours=1))
    call_command("rebuild")
    attempt.refresh_from_db()
    assert attempt.granted == timedelta(minutes=grant)
    assert Attempt.objects.filter(COUNTED).exists() is counts


def test_an_attempt_counts_by_its_time_without_pauses(watch: Watch, session: Session, proctor: Staff) -> None:
    watch.pass_minutes(10)
    clocks.change(session, proctor, clocks.pausing(""))
    watch.pass_minutes(10)
    clocks.change(session, proctor, clocks.resuming())
    watch.pass_minutes(60)
    paused = play(session, [0] * 40, seconds_an_action=60, minutes_ago=75)
    assert (paused.paused, paused.seconds) == (timedelta(minutes=10), 30 * 60)
    assert not Attempt.objects.filter(COUNTED).exists()
    Attempt.objects.update(paused=timedelta(0))
    Session.objects.update(paused_at=watch.now())
    call_command("rebuild")
    paused.refresh_from_db()
    session.refresh_from_db()
    assert (paused.paused, session.paused_at) == (timedelta(minutes=10), None)


@pytest.mark.services
def test_the_database_takes_no_entry_of_a_paused_session(
    watch: Watch, session: Session, proctor: Staff
) -> None:
    attempt = play(session, [0], outcome=None)
    clocks.change(session, proctor, clocks.pausing(""))
    [entry] = Entry.objects.filter(attempt=attempt, seq=1)
    entry.pk, entry.seq = None, 2
    with pytest.raises(Error, match="is paused"), transaction.atomic():
        entry.save(force_insert=True)
    clocks.change(session, proctor, clocks.resuming())
    entry.save(force_insert=True)


@pytest.mark.services
def test_the_journal_of_a_process_that_missed_the_pause_records_nothing(
    watch: Watch, session: Session, proctor: Staff
) -> None:
    other = play(make.session(session.study), [0], outcome=None)
    attempt = play(session, [0], outcome=None)
    clocks.change(session, proctor, clocks.pausing(""))
    assert appended(attempt, other) == {(other.pk, 2)}
    clocks.change(session, proctor, clocks.resuming())
    assert appended(attempt) == {(attempt.pk, 2)}


def appended(*attempts: Attempt) -> set[tuple[int, int] | None]:
    """What entered of one further entry of each attempt, in one group."""
    entries = [Entry.objects.get(attempt=attempt, seq=1) for attempt in attempts]
    for entry in entries:
        entry.seq, entry.frames = 2, bytes(entry.frames)
    rows = [NewEntry(*(getattr(entry, name) for name in NewEntry._fields)) for entry in entries]
    return insert_entries(connection, rows)


def test_a_participant_opens_and_ends_nothing_during_a_pause(
    watch: Watch, session: Session, proctor: Staff
) -> None:
    clocks.change(session, proctor, clocks.pausing(""))
    with refused("paused"):
        open_next(session)
    clocks.change(session, proctor, clocks.resuming())
    attempt = playing(session)
    clocks.change(session, proctor, clocks.pausing(""))
    with refused("paused"):
        end_attempt(attempt.pk, Outcome.GAVE_UP, watch.now(), by_participant=True)


def test_staff_end_the_open_attempt_also_during_a_pause(
    watch: Watch, session: Session, proctor: Staff
) -> None:
    attempt = playing(session)
    clocks.change(session, proctor, clocks.pausing(""))
    clocks.end_attempt_by_staff(session, proctor)
    attempt.refresh_from_db()
    assert (attempt.outcome, attempt.ended_at) == ("ended_by_staff", watch.now())
    event = last_event(session)
    assert (event.kind, event.staff, event.details) == (
        "attempt_ended",
        proctor,
        {"outcome": "ended_by_staff"},
    )
    session.refresh_from_db()
    assert (stage(session, watch.now()), session.paused_at) == (Stage.PAUSE, watch.now())
    with refused("no_open_attempt"):
        clocks.end_attempt_by_staff(session, proctor)


def test_the_end_of_a_session_ends_its_pause(watch: Watch, session: Session, proctor: Staff) -> None:
    clocks.change(session, proctor, clocks.pausing(""))
    watch.pass_minutes(5)
    end_session(session, SessionEnd.ENDED_BY_STAFF, staff=proctor)
    session.refresh_from_db()
    assert (session.paused_at, adjustments_of(session).paused) == (None, False)
    assert not clocks.correct_pause(session)


def test_granted_time_that_is_used_is_not_taken_back_in_a_pause(
    watch: Watch, session: Session, proctor: Staff
) -> None:
    clocks.change(session, proctor, clocks.granting(300, environment=False, session_too=True, reason=""))
    watch.pass_minutes(91)
    clocks.change(session, proctor, clocks.pausing(""))
    with refused("grant_used"):
        clocks.change(session, proctor, clocks.taking_back())


@pytest.mark.services
def test_all_are_paused_at_one_moment_and_some_stay_as_they_are(
    watch: Watch, session: Session, proctor: Staff
) -> None:
    other, third = make.session(session.study), make.session(session.study)
    new, _ = create_session(session.study, new_participant(), None)
    clocks.change(third, proctor, clocks.pausing("first"))
    watch.pass_minutes(1)
    everybody = [new, third, other, session]
    assert clocks.change_all(everybody, proctor, clocks.pausing("fire alarm")) == ([session, other], [third])
    assert set(Event.objects.filter(details__all=True).values_list("server_time", flat=True)) == {watch.now()}
    planned = clocks.change_all(everybody, proctor, clocks.planning_end(5))
    assert planned == ([session, other, third], [])
    watch.pass_minutes(1)
    assert clocks.change_all(everybody, proctor, clocks.resuming()).changed == [session, other, third]
    assert not Session.objects.filter(paused_at__isnull=False).exists()
    assert clocks.change_all(everybody, proctor, clocks.resuming()).changed == []


def test_what_does_not_fit_the_session_is_refused(watch: Watch, session: Session, proctor: Staff) -> None:
    def grant(seconds: int, *, environment: bool = False, session_too: bool = True) -> None:
        what = clocks.granting(seconds, environment=environment, session_too=session_too, reason="")
        clocks.change(session, proctor, what)

    with refused("not_paused"):
        clocks.change(session, proctor, clocks.resuming())
    for seconds in (0, -1, 7201):
        with refused("seconds_invalid"):
            grant(seconds)
    with refused("nothing_granted"):
        grant(60, session_too=False)
    with refused("no_open_attempt"):
        grant(60, environment=True)
    for minutes in (0, 121):
        with refused("minutes_invalid"):
            clocks.change(session, proctor, clocks.planning_end(minutes))
    with refused("reason_too_long"):
        clocks.change(session, proctor, clocks.pausing("x" * 501))
    clocks.change(session, proctor, clocks.pausing(""))
    with refused("already_paused"):
        clocks.change(session, proctor, clocks.pausing(""))
    new, _ = create_session(session.study, new_participant(), None)
    with refused("not_checked_in"):
        clocks.change(new, proctor, clocks.pausing(""))
    clocks.change(session, proctor, clocks.resuming())
    watch.pass_minutes(90)
    with refused("session_ended"):
        clocks.change(session, proctor, clocks.pausing(""))
    with refused("session_ended"):
        grant(60)


def test_time_granted_after_a_limit_does_not_open_it_again(
    watch: Watch, session: Session, proctor: Staff
) -> None:
    attempt = playing(session)
    watch.pass_minutes(30)
    with refused("no_open_attempt"):
        clocks.change(session, proctor, clocks.granting(60, environment=True, session_too=True, reason=""))
    Event.objects.create(
        session=session,
        attempt=attempt,
        kind=EventKind.TIME_GRANTED,
        server_time=watch.now(),
        details={"seconds": 60, "environment": True, "session": False, "reason": ""},
    )
    deadline = deadline_of(attempt, adjustments_of_attempt(attempt))
    assert deadline is not None
    assert deadline.at == watch.now()
