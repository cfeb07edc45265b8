"""Which sessions wait for whom."""

import pytest

from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Session, Study
from playtest.review.models import Decision, DecisionKind, Flag
from playtest.review.queries.queue import queue
from playtest.review.services.decisions import decide, reverse
from tests.review import cases
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def study() -> Study:
    return cases.study_with_people()


@pytest.fixture
def first() -> Staff:
    return staff(Role.LEAD)


@pytest.fixture
def second() -> Staff:
    return staff(Role.RESEARCHER)


def only(session: Session, *rules: str) -> None:
    """Leave the session with these flags."""
    Flag.objects.filter(session=session).exclude(rule__in=rules).delete()


@pytest.mark.services
def test_two_independent_flags_open_a_review(study: Study, first: Staff) -> None:
    session = cases.hasty(study)
    assert queue(first) == [session.pk]


def test_a_strong_flag_opens_one_alone(first: Staff) -> None:
    session = cases.one_cycler()
    only(session, "response_time")
    assert queue(first) == [session.pk]
    Flag.objects.filter(session=session).update(strength="review")
    assert queue(first) == []


def test_one_flag_does_not(study: Study, first: Staff) -> None:
    only(cases.hasty(study), "fast")
    assert queue(first) == []


def test_two_flags_of_the_same_evidence_do_not(study: Study, first: Staff) -> None:
    only(cases.hasty(study), "no_ops", "repeats")
    assert queue(first) == []


def test_a_note_does_not_count(study: Study, first: Staff) -> None:
    session = cases.hasty(study)
    only(session, "no_ops", "fast")
    Flag.objects.filter(session=session, rule="fast").update(rule="away", strength="note")
    assert queue(first) == []


def test_what_the_rules_find_no_longer_does_not_count(study: Study, first: Staff) -> None:
    Flag.objects.filter(session=cases.hasty(study), rule="fast").update(superseded_at=now())
    assert queue(first) == []


@pytest.mark.parametrize(
    ("kind", "reason"), [(DecisionKind.KEEP, "tried"), (DecisionKind.EXCLUDE_SESSION, "did_not_try")]
)
def test_a_decision_ends_the_wait_for_everyone(
    study: Study, first: Staff, second: Staff, kind: DecisionKind, reason: str
) -> None:
    decide(cases.hasty(study), first, kind, reason, cases.EXPLANATION)
    assert queue(first) == queue(second) == []


@pytest.mark.services
def test_a_flag_newer_than_the_decision_brings_it_back(study: Study, first: Staff) -> None:
    session = cases.hasty(study)
    decision = decide(session, first, DecisionKind.KEEP, "tried", cases.EXPLANATION)
    Flag.objects.filter(session=session, rule="fast").update(raised_at=decision.decided_at)
    assert queue(first) == [session.pk]
    Flag.objects.filter(session=session, rule="fast").update(strength="note")
    assert queue(first) == []


def test_a_reversed_decision_brings_it_back(study: Study, first: Staff, second: Staff) -> None:
    session = cases.hasty(study)
    reverse(decide(session, first, DecisionKind.KEEP, "tried", cases.EXPLANATION).pk, second, "disagree")
    assert queue(first) == queue(second) == [session.pk]


def test_a_strong_case_goes_to_somebody_else_next(first: Staff, second: Staff) -> None:
    session = cases.one_cycler()
    decision = decide(session, first, DecisionKind.EXCLUDE_SESSION, "cycled", cases.EXPLANATION)
    assert queue(first) == []
    assert queue(second) == [session.pk]
    cases.confirm(decision, second)
    assert queue(first) == queue(second) == []


def test_what_waits_for_a_second_reviewer_does_so_without_flags(first: Staff, second: Staff) -> None:
    session = cases.one_cycler()
    decide(session, first, DecisionKind.EXCLUDE_SESSION, "cycled", cases.EXPLANATION)
    Flag.objects.all().delete()
    assert queue(second) == [session.pk]


@pytest.mark.services
def test_the_longest_wait_comes_first_and_simulated_people_last(study: Study, first: Staff) -> None:
    simulated = cases.hasty(study, new_participant(simulated=True), minutes_ago=30)
    late = cases.hasty(study, minutes_ago=10)
    early = cases.hasty(study, minutes_ago=20)
    assert queue(first) == [early.pk, late.pk, simulated.pk]
    assert not Decision.objects.exists()
