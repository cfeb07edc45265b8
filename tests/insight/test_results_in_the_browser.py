"""Pages of results in a real browser: from a heading to a replay, search, sorting, release."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.insight.models import Release
from playtest.people.roles import Role
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version
from tests import make
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = pytest.mark.django_db


def test_a_designer_follows_the_heading_to_a_replay_and_compares_versions(page: Page) -> None:
    study = make.study(people=100)
    for actions in (WALK, [*WALK[:3], 1, 2], [*WALK[:3], 2]):
        outcome = Outcome.COMPLETED if actions == WALK else Outcome.GAVE_UP
        session = make.session(study)
        make.play(session, [*[2] * 31, *actions], outcome)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    browse(page, signed_in(Role.DESIGNER))
    page.goto(f"{ORIGIN}/staff/environments/wk01/")
    expect(page.locator("h1")).to_have_text("Level 2 loses 2 of 3 people")
    expect(page.locator("#figure-funnel image")).to_have_count(6 + 2)

    page.locator("#figure-funnel").get_by_role("link", name=re.compile("Level 2, gave up: 2 people")).click()
    expect(page.locator("h1")).to_have_text("Level 2, gave up: where 2 people stopped")
    page.locator(".endings a").first.click()
    page.wait_for_url(re.compile(r"/staff/attempts/\d+/#end=2$"))
    expect(page.locator("replay-player output")).to_contain_text("level 2, action 34")
    page.go_back()
    page.go_back()
    page.get_by_role("link", name="Level 2", exact=True).click()
    expect(page.locator("h1")).to_have_text("Level 2 loses 2 of 3 people")
    expect(page.locator("#figure-dwell-2 svg.plot")).to_be_visible()
    page.get_by_role("button", name="Play level 2 of").first.click()
    page.wait_for_url(re.compile(r"/staff/attempts/\d+/#level=2$"))

    version = Version.objects.get()
    version.pk, version.digest = None, "f" * 64
    version.save()
    page.goto(f"{ORIGIN}/staff/environments/wk01/versions/")
    expect(page.locator("h1")).to_have_text("Too few people to compare: 0 and 3")
    expect(page.locator("#figure-funnel svg.plot")).to_be_visible()
    assert said == []


SOLVES = [*[2] * 14, *WALK]


def test_numbers_and_figures_follow_running_sessions_and_a_bar_links_to_its_replays(page: Page) -> None:
    study = make.study()
    make.play(make.session(study), SOLVES, Outcome.COMPLETED, seconds_an_action=10)
    page.clock.install()
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('insight:study', args=[study.pk])}?figure=time")
    expect(page.locator("h1")).to_have_text("1 person, 1 attempt")
    page.locator("#figure-time").scroll_into_view_if_needed()
    expect(page.locator("#figure-time .drawing a")).to_have_count(1)
    second = make.play(make.session(study), [2] * 32, seconds_an_action=40)
    page.clock.run_for(11_000)
    expect(page.locator("h1")).to_have_text("2 people, 2 attempts")
    expect(page.get_by_role("link", name="2 attempts on wk01")).to_be_visible()
    expect(page.locator("#figure-time .drawing a")).to_have_count(2)
    page.get_by_role("link", name="20 to 22").click()
    expect(page.locator("h1")).to_have_text("1 attempt, 20 to 22 min, not solved")
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


def test_a_lead_releases_the_shown_baseline(page: Page) -> None:
    study = make.study()
    for wasted in (0, 6, 14):
        make.play(make.session(study), [*[2] * wasted, *WALK], Outcome.COMPLETED)
    page.set_viewport_size({"width": 390, "height": 800})
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('insight:baseline', args=['wk01'])}")
    page.locator("summary", has_text="Level 1 takes 3.0 times").click()
    expect(page.locator("insight-figure svg a")).to_have_count(18)

    page.get_by_text("Release this baseline").click()
    page.get_by_role("button", name="Release baseline 1").click()
    expect(page.get_by_label("Note")).to_be_focused()  # the note is missing, and nothing was sent
    page.get_by_label("Note").fill("For the workshop.")
    page.get_by_label("It is provisional").check()
    assert not Release.objects.exists()
    page.get_by_role("button", name="Release baseline 1").click()
    page.wait_for_url(re.compile(r"/releases/1/$"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("its inputs are unchanged")
    expect(page.get_by_role("status")).to_contain_text("Baseline 1 is released")
    page.get_by_role("link", name="Today's baseline of this version").click()
    page.get_by_role("link", name="1", exact=True).click()
    page.wait_for_url(re.compile(r"/releases/1/$"))
