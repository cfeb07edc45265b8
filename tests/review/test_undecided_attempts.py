"""The page of an attempt leads to no baseline for those who still have to decide about its session."""

import pytest
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.models import Attempt, Session
from playtest.review.models import DecisionKind, Strength
from playtest.review.services.decisions import decide
from tests.review import cases
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


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
