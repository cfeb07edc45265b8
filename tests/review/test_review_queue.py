"""Which sessions wait for whom, and what stays closed until they are decided."""

import pytest
from django.urls import reverse

from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Attempt, Session, Study
from playtest.review.models import Decision, DecisionKind, Flag, Strength
from playtest.review.queries.queue import queue
from playtest.review.services.decisions import decide
from playtest.review.services.decisions import reverse as take_back
from tests.review import cases
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def study() -> Study:
    return cases.study_with_people()


def only(session: Session, *rules: str) -> None:
    """Leave the session with these flags."""
    Flag.objects.filter(session=session).exclude(rule__in=rules).delete()


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
    take_back(decide(session, first, DecisionKind.KEEP, "tried", cases.EXPLANATION).pk, second, "disagree")
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


def leads_on(session: Session, role: Role) -> bool:
    """Whether the page leads to the baseline; it offers best first runs exactly then."""
    attempt = Attempt.objects.filter(session=session).latest("pk")
    page = signed_in(role).get(reverse("review:attempt", args=[attempt.pk])).content.decode()
    to_baseline = reverse("insight:baseline", args=[attempt.environment.code]) in page
    assert to_baseline == (reverse("review:others", args=[attempt.pk]) in page)
    return to_baseline


def test_a_reviewer_is_not_led_to_the_baseline_before_the_session_is_decided() -> None:
    study = cases.study_with_people()
    undisputed = Session.objects.latest("pk")
    session = cases.hasty(study)
    assert {role: leads_on(session, role) for role in (Role.LEAD, Role.RESEARCHER, Role.DESIGNER)} == {
        Role.LEAD: False,
        Role.RESEARCHER: False,
        Role.DESIGNER: True,
    }
    assert leads_on(undisputed, Role.RESEARCHER)
    decide(session, staff(Role.RESEARCHER), DecisionKind.KEEP, "tried")
    assert leads_on(session, Role.RESEARCHER)


def test_a_reviewer_is_not_led_to_the_baseline_before_the_second_verdict() -> None:
    session = cases.one_cycler()
    assert Strength.STRONG in {flag.strength for flag in cases.found(session)}
    decision = decide(
        session, staff(Role.RESEARCHER), DecisionKind.EXCLUDE_SESSION, "did_not_try", cases.EXPLANATION
    )
    assert not leads_on(session, Role.RESEARCHER)
    assert not leads_on(session, Role.LEAD)
    cases.confirm(decision, staff(Role.LEAD))
    assert leads_on(session, Role.LEAD)
