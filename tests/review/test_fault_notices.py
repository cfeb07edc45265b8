"""Staff pages show an environment fault until someone acknowledges it."""

import pytest
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.models import Attempt, Event, EventKind
from playtest.review.services.faults import acknowledge_fault
from playtest.rules.attempt import Outcome
from tests import make
from tests.refusals import refused
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NOTICE = "1 environment fault to acknowledge"


@pytest.fixture
def fault() -> Attempt:
    return make.play(
        make.session(make.study()),
        [4],
        Outcome.FAULT,
        fault_code="deadline_exceeded",
        fault_message="The environment took too long for one action.",
    )


def test_a_fault_is_shown_to_staff_with_the_right(fault: Attempt) -> None:
    assert NOTICE in signed_in(Role.LEAD).get("/staff/sessions/").content.decode()
    assert NOTICE in signed_in(Role.DESIGNER).get("/staff/environments/").content.decode()
    assert NOTICE not in signed_in(Role.PROCTOR).get("/staff/sessions/").content.decode()


def test_the_notice_leads_to_the_fault(fault: Attempt) -> None:
    client = signed_in(Role.RESEARCHER)
    assert (
        'href="/staff/attempts/?outcome=fault_not_acknowledged"'
        in client.get("/staff/studies/").content.decode()
    )
    page = client.get("/staff/attempts/?outcome=fault_not_acknowledged").content.decode()
    assert reverse("review:attempt", args=[fault.pk]) in page


def test_acknowledging_is_logged_and_ends_the_notice(fault: Attempt) -> None:
    client = signed_in(Role.RESEARCHER)
    page = client.post(reverse("review:acknowledge", args=[fault.pk]), follow=True).content.decode()
    assert NOTICE not in page
    assert "Acknowledge fault" not in page
    assert "deadline_exceeded" in page
    event = Event.objects.get(attempt=fault, kind=EventKind.FAULT_ACKNOWLEDGED)
    assert (event.staff, event.session) == (staff(Role.RESEARCHER), fault.session)


def test_a_fault_is_acknowledged_once(fault: Attempt) -> None:
    acknowledge_fault(fault.pk, staff(Role.LEAD))
    with refused("fault_acknowledged"):
        acknowledge_fault(fault.pk, staff(Role.LEAD))
    again = signed_in(Role.LEAD).post(reverse("review:acknowledge", args=[fault.pk]), follow=True)
    assert "fault_acknowledged" in again.content.decode()
