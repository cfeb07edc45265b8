"""The page that plans a study: its results, what it takes from an earlier study, and its errors."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.insight.services.reports import register
from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse
from tests.insight.test_environment_page import text
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ENOUGH = [2] * 31


@pytest.fixture
def study() -> Study:
    return make.study("wk01", fee="100.00", bonus="4.00", session_seconds=3600)


def page_of(study: Study) -> str:
    return reverse("insight:plan", args=[study.pk])


def file_of(study: Study) -> str:
    return reverse("insight:plan-file", args=[study.pk])


def test_a_plan_has_people_sessions_hours_and_pay_of_the_studys_protocol(study: Study) -> None:
    client = signed_in(Role.RESEARCHER)
    assumed = {"environments": "25", "people": "9", "a_session": "9", "counting": "90", "success": "50"}
    html = text(client, page_of(study), **assumed)
    assert "9 people on each of 25 environments cost $3,250.00" in html
    found = client.get(file_of(study), assumed).json()
    taken = found["forecast"]
    assert (taken["people"], taken["sessions"], taken["hours"], taken["cost"]) == (28, 28, 28, "3250.00")
    assert found["assumptions"]["success"] == 0.5
    assert 9 in [one["people"] for one in found["other_numbers_of_people"]]


def test_the_page_is_linked_from_the_study_and_begins_with_its_environments(study: Study) -> None:
    client = signed_in(Role.RESEARCHER)
    at_study = reverse("insight:study", args=[study.pk])
    assert f'href="{page_of(study)}"' in client.get(at_study).content.decode()
    register(study, staff(Role.LEAD), people=3, analysis="")
    assert f'href="{page_of(study)}"' in client.get(at_study).content.decode()
    html = text(client, page_of(study))
    assert "on each of 1 environment cost" in html
    assert "Nothing has been played in any study" in html
    assert "No difference to an agent can be found" in html


def test_what_an_earlier_study_measured_fills_the_form(study: Study) -> None:
    earlier = make.study("wk01", name="Pilot")
    make.play(make.session(earlier), [*ENOUGH, *WALK], Outcome.COMPLETED)
    make.play(make.session(earlier), [2] * 14 + WALK, Outcome.COMPLETED)
    make.play(make.session(earlier), ENOUGH)
    make.play(make.session(earlier), [2] * 3)  # too few actions to count
    client = signed_in(Role.RESEARCHER)
    answer = client.get(page_of(study), {"earlier": earlier.pk})
    form = answer.context["form"]
    assert form["success"].value() == "66.7"
    assert form["counting"].value() == "75"
    assert form["completing"].value().split(", ")[0] == "66.7"
    assert float(form["spread"].value()) > 1
    assert form["correlation"].value() == "10"  # nobody met two environments
    assert "those of “Pilot”" in answer.content.decode()


def test_other_studies_cannot_be_chosen_before_they_were_played(study: Study) -> None:
    client = signed_in(Role.RESEARCHER)
    for chosen in (str(study.pk), "999", "x"):
        assert client.get(page_of(study), {"earlier": chosen}).status_code == 404


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"people": "0"}, "min_value"),
        ({"completing": "95, much"}, "plan_levels_unusable"),
        ({"completing": "101"}, "plan_levels_unusable"),
        ({"spread": "nan"}, "invalid"),
        ({"power": ""}, "required"),
    ],
)
def test_assumptions_that_cannot_be_used_have_a_code(study: Study, change: dict[str, str], code: str) -> None:
    client = signed_in(Role.RESEARCHER)
    html = client.get(page_of(study), change).content.decode()
    assert "The assumptions cannot be planned with" in html
    assert f"<code>{code}</code>" in html
    answer = client.get(file_of(study), change)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_a_plan_needs_the_right_to_read_baselines(study: Study) -> None:
    client = signed_in(Role.PROCTOR)
    assert client.get(page_of(study)).status_code == 403
    assert client.get(file_of(study)).status_code == 403


def test_a_plan_is_computed_by_keyboard_on_a_narrow_screen(page: Page, study: Study) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{page_of(study)}")
    page.get_by_label("People on each environment").fill("20")
    page.get_by_label("People on each environment").press("Enter")
    expect(page.locator("h1")).to_contain_text("20 people on each of 1 environment")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.go_back()
    expect(page.locator("h1")).not_to_contain_text("20 people")
