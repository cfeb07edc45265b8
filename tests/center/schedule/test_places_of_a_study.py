"""A study never promises more places than its quotas still have, and codes expire."""

from datetime import timedelta

import pytest

from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Session, SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.quota import places_of
from playtest.play.sessions.services import check_in, create_session, reissue_code
from playtest.rules.codes import LIFETIME
from tests import make
from tests.center.schedule.conftest import StandingClock
from tests.refusals import refused
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

COUNTS = [2] * 31
"""Actions of an attempt that counts."""


@pytest.mark.services
def test_a_code_takes_a_place_until_its_session_ends() -> None:
    study = make.study(people=2)
    first, _ = create_session(study, new_participant(), None)
    create_session(study, new_participant(), None)
    with refused("no_places"):
        create_session(study, new_participant(), None)
    end_session(first, SessionEnd.NO_SHOW)
    create_session(study, new_participant(), None)


def test_a_session_under_way_takes_the_place_that_it_may_still_need() -> None:
    study = make.study(people=2)
    session = make.session(study)
    assert places_of(study).left == 1
    make.play(session, COUNTS, None)
    assert places_of(study).left == 1


def test_an_attempt_that_does_not_count_gives_its_place_back() -> None:
    study = make.study(people=2)
    session = make.session(study)
    make.play(session, [4])
    assert places_of(study).left == 2, "there is nothing else for this person to play"


def test_more_promised_than_left_is_counted() -> None:
    study = make.study(people=3)
    for _ in range(3):
        create_session(study, new_participant(), None)
    make.change(study, people=1, solvers=1)
    places = places_of(study)
    assert (places.needed, places.promised, places.left, places.too_many) == (1, 3, 0, 2)


def test_the_last_sessions_find_fewer_environments() -> None:
    pool = [make.environment(code) for code in ("wk01", "ck01")]
    places = places_of(make.study(pool=pool, people=2))
    assert (places.environments, places.needed, places.fewer) == (2, 2, 0)


def test_a_study_with_finished_sessions_expects_what_they_played() -> None:
    pool = [make.environment(code) for code in ("wk01", "ck01", "rn01")]
    study = make.study(pool=pool, people=10)
    for _ in range(5):
        session = make.session(study)
        make.play(session, [0] * 31)
        end_session(session, SessionEnd.ENDED_BY_STAFF)
    places = places_of(study)
    assert places.environments == 1
    assert places.needed == 25


def test_a_code_works_until_it_expires_and_not_at_that_moment(clock: StandingClock) -> None:
    study = make.study()
    first, second = (create_session(study, new_participant(), None) for _ in "12")
    clock.moment += LIFETIME - timedelta(microseconds=1)
    check_in(first[1], station=1)
    clock.advance(microseconds=1)
    with refused("code_expired"):
        check_in(second[1], station=2)


def test_an_expired_code_holds_no_place_and_a_new_one_needs_it_again(clock: StandingClock) -> None:
    study = make.study(people=1, solvers=1)
    session, _ = create_session(study, new_participant(), None, code_expires_at=now() + timedelta(hours=1))
    clock.advance(hours=1)
    create_session(study, new_participant(), None)
    with refused("no_places"):
        reissue_code(session, staff(Role.PROCTOR))


def test_a_session_from_before_codes_expired_stays_valid(clock: StandingClock) -> None:
    code = create_session(make.study(), new_participant(), None)[1]
    Session.objects.update(code_expires_at=None)
    clock.advance(days=400)
    check_in(code, station=1)
