"""Pages show a rehearsal while nobody has played, and a link leads to one figure."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.insight.requests import demonstration
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Attempt, Study
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.insight.stages import newer_version
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


ARGUMENTS: dict[str, list[Any]] = {
    "portfolio": [],
    "environment": ["wk01"],
    "level": ["wk01", 1],
    "ends": ["wk01", 1],
    "action-patterns": ["wk01", 1],
    "states": ["wk01", 1],
    "versions": ["wk01"],
    "split": ["wk01"],
    "baseline": ["wk01"],
}
PAGES = {name: reverse(f"insight:{name}", args=arguments) for name, arguments in ARGUMENTS.items()}
FILES = {
    "portfolio-file": reverse("insight:portfolio-file"),
    "environment-figure": reverse("insight:environment-figure", args=["wk01", "funnel", "csv"]),
    "baseline-figure": reverse("insight:baseline-figure", args=["wk01", "levels", "csv"]),
}


@pytest.fixture
def rehearsal() -> Study:
    """A rehearsal that somebody played."""
    study = make.study(rehearsal=True, name="Demonstration")
    make.play(make.session(study, new_participant(simulated=True)), [4] * 40, Outcome.GAVE_UP)
    return study


def test_pages_show_the_demonstration_until_somebody_chooses_real_people(
    designer: Client, rehearsal: Study
) -> None:
    for name, page in PAGES.items():
        answer = designer.get(f"{page}?sort=-name")
        assert answer.status_code == 302, name
        assert answer["Location"] == f"{page}?sort=-name&study={rehearsal.pk}"


def test_one_real_attempt_ends_the_demonstration(designer: Client, rehearsal: Study) -> None:
    assert demonstration() == demonstration("wk01") == rehearsal.pk
    make.play(make.session(make.study("ck01", name="Real")), [(1, 1)])
    assert demonstration() is demonstration("wk01") is None
    assert designer.get(PAGES["environment"]).status_code == 200


def test_simulated_people_in_a_real_study_do_not_end_it(rehearsal: Study) -> None:
    study = make.study(name="Real")
    make.play(make.session(study, new_participant(simulated=True)), [4])
    assert demonstration() == rehearsal.pk


def test_an_environment_that_was_not_rehearsed_shows_that_nobody_played(
    designer: Client, rehearsal: Study
) -> None:
    make.environment("ck01")
    page = designer.get(reverse("insight:environment", args=["ck01"]))
    assert page.status_code == 200
    assert "Nobody has played ck01 yet" in page.content.decode()


def test_without_a_rehearsal_there_is_nothing_to_show(designer: Client) -> None:
    make.study(rehearsal=True, name="Planned")
    assert demonstration() is None
    assert designer.get(PAGES["portfolio"]).status_code == 200


def test_filters_apply_at_once_and_keep_the_focus(page: Page, rehearsal: Study) -> None:
    browse(page, signed_in(Role.DESIGNER))
    page.goto(f"{ORIGIN}{PAGES['environment']}")
    settled(page)
    choice = page.locator("#study")
    expect(choice.locator("option:checked")).to_have_text("Demonstration (rehearsal)")
    expect(page.get_by_role("button", name="Apply filters")).to_be_hidden()
    choice.select_option("")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nobody has played wk01 yet")
    expect(page.locator("#study")).to_be_focused()


def test_on_a_phone_filters_are_folded_below_what_is_chosen(page: Page, rehearsal: Study) -> None:
    browse(page, signed_in(Role.DESIGNER))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{ORIGIN}{PAGES['portfolio']}")
    settled(page)
    choice = page.locator("#study")
    expect(choice).to_be_hidden()
    page.get_by_text("Filters: Demonstration (rehearsal)").click()
    expect(choice).to_be_visible()
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 740})
    expect(choice).to_be_visible()
    expect(page.get_by_text("Filters: Demonstration")).to_be_hidden()


ENVIRONMENT = reverse("insight:environment", args=["wk01"])


@pytest.fixture
def solved() -> Attempt:
    session = make.session(make.study(people=10))
    return make.play(session, [*[2] * 31, *WALK], Outcome.COMPLETED)


@pytest.fixture
def shown(page: Page, solved: Attempt) -> Page:
    """The page of the environment, for a designer who may use the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    browse(page, signed_in(Role.DESIGNER))
    page.goto(f"{ORIGIN}{ENVIRONMENT}")
    return settled(page)


def test_a_link_leads_to_a_figure_of_the_version_that_was_shown(shown: Page, solved: Attempt) -> None:
    figure = shown.locator("insight-figure").first
    title = figure.get_by_role("heading").inner_text()
    figure.get_by_role("button", name="Copy as link").click()
    expect(figure.get_by_text("Link to this figure copied.")).to_be_visible()
    link = shown.evaluate("navigator.clipboard.readText()")
    assert f"version={solved.version.digest}" in link
    newer_version(Environment.objects.get(code="wk01"))
    shown.goto("about:blank")
    shown.goto(link)
    heading = shown.locator("insight-figure").first.get_by_role("heading", name=title)
    expect(heading).to_be_in_viewport()


def test_the_nearest_small_mark_is_meant(shown: Page, solved: Attempt) -> None:
    """The slowest of three: neither the baseline nor the best is drawn where their dot is."""
    study = solved.session.study
    slow = [make.play(make.session(study), [*[2] * idle, *WALK], Outcome.COMPLETED) for idle in (81, 131)]
    settled(shown).reload()
    settled(shown).locator("details.part > summary").first.click()
    small = shown.locator("insight-figure svg.plot a[data-tip*='134 actions']").first
    small.scroll_into_view_if_needed()
    box = small.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] - 5
    shown.mouse.move(x, y)
    tip = shown.locator(".tip:not([hidden])")
    expect(tip).to_have_text(small.get_attribute("data-tip") or "")
    shown.mouse.click(x, y)
    shown.wait_for_url(re.compile(rf"/attempts/{slow[-1].pk}/"))
