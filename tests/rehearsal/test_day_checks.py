"""The checks after a rehearsed day name whatever does not add up."""

from datetime import timedelta

import pytest
from django.db.models import F

from playtest.people.roles import Role
from playtest.play.models import Attempt, Session, SessionEnd
from playtest.play.sessions.clocks import change, pausing, resuming
from playtest.play.sessions.ends import end_session
from playtest.rehearsal.day.checks import (
    Expected,
    Seen,
    check_attempts,
    check_clocks,
    check_codes,
    check_pay,
    paid,
)
from tests import make
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def session() -> Session:
    """A person who made three actions, was paused meanwhile, and left."""
    session = make.session(make.study())
    change(session, staff(Role.PROCTOR), pausing("Fire alarm"))
    change(session, staff(Role.PROCTOR), resuming())
    make.play(session, [4, 4, 4])
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    return Session.objects.get(pk=session.pk)


def seen(session: Session, last: int = 3) -> Seen:
    return {(session.pk, 1): last}


@pytest.mark.services
def test_a_right_day_has_no_problem(session: Session) -> None:
    assert not list(check_codes(session.study, Expected(1, 1, 0)))
    assert not list(check_attempts(session.study, seen(session)))
    assert not list(check_clocks(session.study))
    assert not list(check_pay(session.study))
    assert paid(session.study) == session.prescribed.pay.fee


def test_people_who_are_missing_or_too_many_are_named(session: Session) -> None:
    assert list(check_codes(session.study, Expected(2, 1, 1))) == [
        "1 sessions were created and 2 were planned",
        "0 people did not check in and 1 did not come",
    ]


def test_a_lost_or_an_invented_action_is_named(session: Session) -> None:
    attempt = Attempt.objects.get(session=session)
    assert list(check_attempts(session.study, seen(session, 4))) == [
        f"attempt {attempt.pk}: 4 actions were answered and 3 are recorded",
        f"attempt {attempt.pk}: its summary says 3 actions instead of 4",
    ]
    assert list(check_attempts(session.study, {})) == [
        f"session {session.pk}: attempt 1 is recorded and nobody played it"
    ]


def test_a_session_that_lasted_too_long_is_named(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(
        checked_in_at=F("checked_in_at") - timedelta(minutes=91), end_reason=SessionEnd.TIME_OVER
    )
    [ended, lasted] = check_clocks(session.study)
    assert ended.startswith(f"session {session.pk} ended at ")
    assert lasted.startswith(f"session {session.pk} lasted 0:01:0")


def test_a_wrong_time_of_pauses_is_named(session: Session) -> None:
    attempt = Attempt.objects.get(session=session)
    Attempt.objects.filter(pk=attempt.pk).update(paused=timedelta(minutes=2))
    assert list(check_clocks(session.study)) == [
        f"attempt {attempt.pk}: 0:02:00 are stored as paused instead of 0:00:00"
    ]


def test_a_bonus_that_is_not_in_the_ledger_is_named(session: Session) -> None:
    attempt = Attempt.objects.get(session=session)
    Attempt.objects.filter(pk=attempt.pk).update(levels_completed=attempt.version.levels)
    assert list(check_pay(session.study)) == [
        f"session {session.pk}: 115.00 are in the ledger instead of 120.00"
    ]
