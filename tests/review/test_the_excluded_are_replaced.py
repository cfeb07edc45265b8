"""The quota counts people whose attempts count, at what is to be released; all others are replaced."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from playtest.people.roles import Role
from playtest.play.models import Attempt, Session, Study
from playtest.play.sessions.attempts import open_next
from playtest.play.sessions.quota import candidates
from playtest.review.models import DecisionKind
from playtest.review.queries.exclusions import exclusions
from playtest.review.services.decisions import reverse
from tests import make
from tests.review.cases import TO_AND_FRO, settled
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def study() -> Study:
    return make.study(people=1)


@pytest.fixture
def waiting(study: Study) -> Session:
    """Somebody who sat down while there was a place."""
    return make.session(study)


@pytest.fixture
def attempt(study: Study, waiting: Session) -> Attempt:
    """The one person the study wants; the next finds the quota full."""
    attempt = make.play(make.session(study, has_place=True), TO_AND_FRO, minutes_ago=30)
    assert people(study) == (1, 0)
    return attempt


def people(study: Study) -> tuple[int, int]:
    [candidate] = candidates(study)
    return candidate.counted, candidate.in_progress


@pytest.mark.services
def test_an_excluded_person_is_replaced_until_the_reversal(
    study: Study, waiting: Session, attempt: Attempt
) -> None:
    assert open_next(waiting) is None
    lead = staff(Role.LEAD)
    decision = settled(attempt.session, lead, DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert people(study) == (0, 0)
    reverse(decision.pk, lead, "mistake", "It was her twin.")
    assert people(study) == (1, 0)
    assert open_next(waiting) is None
    settled(attempt.session, lead, DecisionKind.EXCLUDE_ATTEMPT, "idle", attempt_id=attempt.pk)
    assert open_next(waiting) is not None
    assert people(study) == (0, 1)


@pytest.mark.parametrize(("from_seq", "counted"), [(31, 0), (32, 1)])
def test_who_is_cut_from_a_moment_on_counts_while_enough_actions_are_left(
    study: Study, attempt: Attempt, from_seq: int, counted: int
) -> None:
    settled(
        attempt.session,
        staff(Role.LEAD),
        DecisionKind.EXCLUDE_FROM,
        "disturbed",
        attempt_id=attempt.pk,
        from_seq=from_seq,
    )
    assert people(study) == (counted, 0)


def test_who_still_plays_in_an_excluded_session_takes_no_place(study: Study) -> None:
    session = make.session(study)
    make.play(session, TO_AND_FRO, None)
    assert people(study) == (0, 1)
    settled(session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert people(study) == (0, 0)


def test_a_new_version_is_played_by_as_many_people_again(
    study: Study, waiting: Session, attempt: Attempt
) -> None:
    version = attempt.version
    version.pk, version.digest = None, "f" * 64
    version.save()
    attempt.environment.current = version
    attempt.environment.save()
    assert people(study) == (0, 0)
    assert open_next(attempt.session) is None, "nobody meets an environment twice, whatever its version"
    assert open_next(waiting) is not None
    assert people(study) == (0, 1)


@pytest.mark.services
def test_the_quota_is_still_counted_in_one_query_for_all_environments(study: Study, attempt: Attempt) -> None:
    settled(attempt.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert exclusions().sessions
    with CaptureQueriesContext(connection) as asked:
        candidates(study)
    assert len(asked) == 3, "the people, the links of records, and the pool with all counts"
