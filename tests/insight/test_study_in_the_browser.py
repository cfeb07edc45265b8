"""The page of a study and the portfolio in a real browser: live figures, search, sorting."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = pytest.mark.django_db

SOLVES = [*[2] * 14, *WALK]


def test_numbers_and_figures_follow_running_sessions_and_a_bar_links_to_its_replays(page: Page) -> None:
    study = make.study()
    make.play(make.session(study), SOLVES, Outcome.COMPLETED, seconds_an_action=10)
    page.clock.install()
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('insight:study', args=[study.pk])}")
    expect(page.locator("h1")).to_have_text("1 person, 1 attempt, 0.1 hours")
    page.locator("#figure-time").scroll_into_view_if_needed()
    expect(page.locator("#figure-time .drawing a")).to_have_count(1)
    second = make.play(make.session(study), [2] * 32, seconds_an_action=40)
    page.clock.run_for(11_000)
    expect(page.locator("h1")).to_have_text("2 people, 2 attempts, 0.4 hours")
    expect(page.get_by_role("link", name="2 attempts on wk01")).to_be_visible()
    expect(page.locator("#figure-time .drawing a")).to_have_count(2)
    page.get_by_role("link", name="20 to 22").click()
    expect(page.locator("h1")).to_have_text("1 attempt of 20 to 22 minutes, not solved")
    page.get_by_role("link", name=second.participant.label).click()
    expect(page).to_have_url(f"{ORIGIN}{reverse('review:attempt', args=[second.pk])}")


def test_environments_can_be_searched_and_sorted_and_the_address_stores_both(page: Page) -> None:
    for code, title in (("wk01", "Walking"), ("ck01", "Clicking")):
        environment = make.environment(code)
        environment.title = title
        environment.save()
    make.play(make.session(make.study()), SOLVES, Outcome.COMPLETED)
    browse(page, signed_in(Role.ENGINEER))
    page.goto(f"{ORIGIN}{reverse('insight:portfolio')}")
    rows = page.locator("tbody tr:visible")
    for _ in range(2):  # descending
        page.get_by_role("button", name="Counted").click()
    expect(rows.first).to_contain_text("Walking")
    page.get_by_role("searchbox").fill("not yet CLICK")
    expect(rows).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("1 of 2 found")
    page.goto(page.url)
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Clicking")
    page.get_by_role("searchbox").fill("nothing like it")
    expect(rows).to_have_count(0)
    expect(page.get_by_role("status")).to_have_text("0 of 2 found")
