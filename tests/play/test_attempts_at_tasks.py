"""Static tasks are set aside and taken up again; how attempts at them end and count."""

from datetime import timedelta

import pytest
from django.db import Error, IntegrityError, connection, transaction
from django.db.models import F

from playtest.center.wall.consumers import note_watched
from playtest.people.models import Staff
from playtest.play import clock
from playtest.play.journal.entries import NewEntry
from playtest.play.journal.sql import insert_entries
from playtest.play.models import Attempt, Entry, Session, SessionEnd
from playtest.play.sessions import clocks
from playtest.play.sessions.adjustments import adjustments_of
from playtest.play.sessions.attempts import end_attempt, wrong_summaries
from playtest.play.sessions.ends import end_session, end_session_if_nothing_left, open_next_or_end
from playtest.play.sessions.going_back import finish, set_aside, take_up
from playtest.play.sessions.reads import (
    COUNTED,
    LEFT_AT_ONCE,
    Stage,
    deadline_of,
    last_attempt,
    set_aside_in,
    stage,
)
from playtest.play.sessions.status import session_status
from playtest.play.tasks import end_overdue
from playtest.review.services.verification import check_record
from playtest.rules.attempt import Outcome
from playtest.studio.models import Sighting
from tests import make
from tests.make_tasks import (
    ONE_INPUT,
    SUBMIT,
    TWO_INPUTS,
    play_task,
    small_task,
    solution,
    solved,
    submitted,
    task,
)
from tests.play.test_clocks import START, Watch
from tests.play.test_clocks import watch as watch
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def session(watch: Watch) -> Session:
    """Somebody in the pause of a study of two tasks."""
    study = make.study(pool=[task(ONE_INPUT), task(TWO_INPUTS)])
    return make.session(study)


def begun(session: Session) -> Attempt:
    """The next task, opened and shown."""
    return play_task(session, [], None)


def test_another_task_is_opened_while_one_is_set_aside(session: Session, watch: Watch) -> None:
    first = begun(session)
    set_aside(first.pk)
    assert stage(session, clock.now()) == Stage.PAUSE
    second = begun(session)
    assert second.number == 2
    assert stage(session, clock.now()) == Stage.PLAYING
    with refused("not_now"):
        take_up(session.pk, first.number)
    end_attempt(second.pk, Outcome.GAVE_UP, clock.now())
    take_up(session.pk, first.number)
    assert session_status(session.pk, clock.now()).attempt == first


def test_the_clock_stands_still_meanwhile(session: Session, watch: Watch) -> None:
    first = begun(session)
    watch.pass_minutes(2)
    set_aside(first.pk)
    watch.pass_minutes(30)
    take_up(session.pk, first.number)
    watch.pass_minutes(1)
    end_attempt(first.pk, Outcome.GAVE_UP, clock.now())
    first.refresh_from_db()
    assert (first.seconds, first.paused) == (180, timedelta(minutes=30))
    assert wrong_summaries(Attempt.objects.filter(pk=first.pk)) == []


def test_a_pause_by_staff_meanwhile_is_not_left_out_twice(session: Session, watch: Watch) -> None:
    proctor = Staff.objects.create_user("proctor", password="x", role="proctor")
    first = begun(session)
    watch.pass_minutes(1)
    set_aside(first.pk)
    watch.pass_minutes(5)
    clocks.change(session, proctor, clocks.pausing(""))
    watch.pass_minutes(5)
    with refused("paused"):
        take_up(session.pk, first.number)
    clocks.change(session, proctor, clocks.resuming())
    watch.pass_minutes(5)
    take_up(session.pk, first.number)
    watch.pass_minutes(1)
    end_attempt(first.pk, Outcome.GAVE_UP, clock.now())
    first.refresh_from_db()
    assert (first.seconds, first.paused) == (120, timedelta(minutes=15))


def test_the_hard_limit_waits_and_the_sessions_does_not(session: Session, watch: Watch) -> None:
    first = begun(session)
    limits = session.prescribed.limits
    before = deadline_of(first, adjustments_of(session))
    set_aside(first.pk)
    watch.pass_minutes(10)
    take_up(session.pk, first.number)
    after = deadline_of(first, adjustments_of(session))
    assert before is not None
    assert after is not None
    assert after.at - before.at == timedelta(minutes=10)
    set_aside(first.pk)
    watch.time = START + timedelta(seconds=limits.session_seconds + 60)
    end_overdue()
    first.refresh_from_db()
    session.refresh_from_db()
    assert (first.outcome, first.set_aside_at) == (Outcome.SESSION_OVER, None)
    assert session.end_reason == SessionEnd.TIME_OVER
    assert first.seconds == 0


def test_a_session_with_something_aside_does_not_end_by_itself(session: Session, watch: Watch) -> None:
    first = begun(session)
    set_aside(first.pk)
    with refused("not_now"):
        finish(session.pk)  # another task is new
    second = begun(session)
    end_attempt(second.pk, Outcome.GAVE_UP, clock.now())
    open_next_or_end(session.pk)
    assert not end_session_if_nothing_left(session)
    status = session_status(session.pk, clock.now())
    assert (status.stage, status.only_aside, [one.number for one in status.aside]) == (Stage.PAUSE, True, [1])
    finish(session.pk)
    first.refresh_from_db()
    session.refresh_from_db()
    assert (first.outcome, session.end_reason) == (Outcome.GAVE_UP, SessionEnd.POOL_USED_UP)


def test_what_was_played_last_is_what_the_pause_speaks_of(session: Session, watch: Watch) -> None:
    first = begun(session)
    watch.pass_minutes(1)
    set_aside(first.pk)
    assert last_attempt(session) == first
    watch.pass_minutes(1)
    second = begun(session)
    watch.pass_minutes(1)
    end_attempt(second.pk, Outcome.GAVE_UP, clock.now())
    assert last_attempt(session) == second
    take_up(session.pk, first.number)
    assert last_attempt(session) == first
    watch.pass_minutes(1)
    end_attempt(first.pk, Outcome.GAVE_UP, clock.now())
    assert last_attempt(session) == first


def test_staff_who_end_the_session_end_what_is_aside(session: Session, watch: Watch) -> None:
    first = begun(session)
    set_aside(first.pk)
    second = begun(session)
    assert end_session(session, SessionEnd.ENDED_BY_STAFF)
    outcomes = Attempt.objects.filter(pk__in=[first.pk, second.pk]).values_list("outcome", flat=True)
    assert set(outcomes) == {Outcome.SESSION_OVER}


def test_what_cannot_be_set_aside_or_taken_up_is_refused(session: Session, watch: Watch) -> None:
    first = begun(session)
    with refused("not_now"):
        take_up(session.pk, first.number)
    set_aside(first.pk)
    with refused("attempt_over"):
        set_aside(first.pk)
    with refused("wrong_attempt"):
        take_up(session.pk, 2)
    take_up(session.pk, first.number)
    end_attempt(first.pk, Outcome.GAVE_UP, clock.now())
    with refused("attempt_over"):
        set_aside(first.pk)
    with refused("wrong_attempt"):
        take_up(session.pk, first.number)
    assert not set_aside_in(session).exists()


def test_only_tasks_of_a_protocol_with_going_back_are_set_aside(watch: Watch) -> None:
    study = make.study(pool=[task(ONE_INPUT)], going_back=False)
    attempt = begun(make.session(study))
    with refused("not_now"):
        set_aside(attempt.pk)
    interactive = make.play(make.session(make.study()), [4], outcome=None)
    with refused("not_now"):
        set_aside(interactive.pk)


@pytest.mark.services
def test_nothing_enters_the_journal_of_what_is_set_aside(session: Session, watch: Watch) -> None:
    first = begun(session)
    set_aside(first.pk)
    entry = edited(first, 1)
    assert insert_entries(connection, [entry]) == set()
    with pytest.raises(Error, match="set aside"), transaction.atomic():
        Entry.objects.create(**entry._asdict())
    take_up(session.pk, first.number)
    assert insert_entries(connection, [entry]) == {(first.pk, 1)}


@pytest.mark.services
def test_a_session_has_one_attempt_that_is_played(session: Session, watch: Watch) -> None:
    first = begun(session)
    set_aside(first.pk)
    begun(session)
    with pytest.raises(IntegrityError), transaction.atomic():
        Attempt.objects.filter(pk=first.pk).update(set_aside_at=None)


def test_an_entry_after_the_sessions_time_is_named_although_the_attempts_clock_stood_still(
    session: Session, watch: Watch
) -> None:
    first = begun(session)
    set_aside(first.pk)
    seconds = session.prescribed.limits.session_seconds
    watch.time = START + timedelta(seconds=seconds - 300)
    take_up(session.pk, first.number)
    watch.time = START + timedelta(seconds=seconds - 60)
    assert insert_entries(connection, [edited(first, 1)])
    assert "time_implausible" not in codes(first)
    watch.time = START + timedelta(seconds=seconds + 60)
    assert insert_entries(connection, [edited(first, 2)])
    assert "time_implausible" in codes(first)


@pytest.mark.parametrize(("seconds", "seen"), [(2, True), (60, False)])
def test_who_watches_has_seen_what_was_set_aside_a_moment_ago(
    session: Session, watch: Watch, seconds: int, seen: bool
) -> None:
    viewer = Staff.objects.create_user("proctor", password="x", role="proctor")
    first = begun(session)
    set_aside(first.pk)
    watch.time += timedelta(seconds=seconds)
    note_watched(viewer, [session.pk], 5)
    assert Sighting.objects.filter(environment=first.environment).exists() is seen


def codes(attempt: Attempt) -> set[str]:
    [checked] = check_record([attempt.pk])
    return {difference.code for difference in checked.differences}


def edited(attempt: Attempt, seq: int) -> NewEntry:
    """A row like the attempt's opening entry, with another seq and the time that it is now."""
    opening = Entry.objects.get(attempt=attempt, seq=0)
    values = {name: getattr(opening, name) for name in NewEntry._fields}
    return NewEntry(**values | {"seq": seq, "server_time": clock.now()})


@pytest.mark.parametrize("code", [ONE_INPUT, TWO_INPUTS])
def test_solving_every_test_input_completes_a_task(code: str) -> None:
    pool = [task(code)]
    attempt = play_task(make.session(make.study(pool=pool)), solved(pool[0]))
    assert (attempt.outcome, attempt.levels_completed) == (Outcome.COMPLETED, attempt.version.levels)
    assert attempt.actions == Entry.objects.filter(attempt=attempt, seq__gt=0, edit__isnull=False).count()


def test_a_right_submission_after_the_tries_completes_nothing() -> None:
    pool = [small_task("small-1", [[3]])]
    session = make.session(make.study(pool=pool, most_submissions=5))
    attempt = play_task(session, [SUBMIT, SUBMIT, *submitted([[3]])])
    assert (attempt.outcome, attempt.levels_completed) == (Outcome.TRIES_USED, 0)


def test_the_record_of_an_attempt_is_sound() -> None:
    pool = [task(TWO_INPUTS)]
    attempt = play_task(make.session(make.study(pool=pool)), submitted(solution(pool[0])))
    [checked] = check_record([attempt.pk])
    assert (checked.checked, checked.differences) == (attempt.actions + 1, ())


@pytest.mark.parametrize(("seconds", "counts"), [(5.0, False), (5.1, True)])
def test_a_view_counts_if_it_took_longer_than_the_protocol_says(seconds: float, counts: bool) -> None:
    session = make.session(make.study(pool=[task()]))
    play_task(session, [], seconds_after=seconds)
    assert Attempt.objects.filter(COUNTED).exists() is counts
    assert Attempt.objects.filter(LEFT_AT_ONCE).exists() is not counts
    assert Attempt.objects.filter(last_action_at=F("ended_at")).exists()
