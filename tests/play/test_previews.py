"""Staff see what participants of a study see before they play, and nothing of it is stored."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.models import Participant
from playtest.people.roles import Role
from playtest.play.models import Event, Session, Study
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def study() -> Study:
    return make.study(consent_text="You take part of your own will.")


def address(study: Study, name: str) -> str:
    return reverse("play:preview", args=[study.pk, name])


def test_the_forms_lead_through_the_pages_and_store_nothing(study: Study) -> None:
    client = signed_in(Role.RESEARCHER)
    page = client.get(address(study, "consent")).content.decode()
    assert "You take part of your own will." in page
    assert "Call a member of staff" not in page
    for name, following in (("consent", "survey"), ("survey", "tutorial")):
        assert client.post(address(study, name), {"answer": "agree"})["Location"] == address(study, following)
    protocol = reverse("play:protocol-versions", args=[study.pk])
    assert client.post(address(study, "tutorial"))["Location"] == protocol
    assert address(study, "tutorial") in client.get(protocol).content.decode()
    assert [model.objects.count() for model in (Session, Participant, Event)] == [0, 0, 0]


def test_who_may_not_read_the_protocol_goes_home(study: Study) -> None:
    client = signed_in(Role.PROCTOR)
    assert f'href="{reverse("people:home")}"' in client.get(address(study, "consent")).content.decode()
    assert client.post(address(study, "tutorial"))["Location"] == reverse("people:home")


def test_there_is_no_other_page(study: Study) -> None:
    assert signed_in(Role.LEAD).get(address(study, "board")).status_code == 404
    assert signed_in(Role.LEAD).get(reverse("play:preview", args=[0, "consent"])).status_code == 404


def test_the_whole_way_is_walked_in_the_browser(page: Page, study: Study) -> None:
    browse(page, signed_in(Role.DESIGNER))
    page.goto(f"{ORIGIN}{address(study, 'consent')}")
    assert violations(settled(page)) == []
    page.get_by_role("button", name="I agree").click()
    expect(page).to_have_url(f"{ORIGIN}{address(study, 'survey')}")
    assert violations(settled(page)) == []
    while page.url.endswith("/survey/"):
        page.get_by_role("button", name="Skip").click()
        settled(page)
    for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "r"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("of the protocol")
