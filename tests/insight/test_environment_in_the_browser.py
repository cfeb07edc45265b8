"""A designer follows links from the heading to a replay and to two versions, in a browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version
from tests import make
from tests.accessibility import violations
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
    pictures = page.locator(".levels img")
    pictures.last.scroll_into_view_if_needed()
    expect(pictures).to_have_count(6)
    page.wait_for_function(
        "[...document.querySelectorAll('.levels img')].every((one) => one.naturalWidth === 256)"
    )

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
    expect(page.locator("#figure-funnel-later svg.plot")).to_be_visible()
    assert said == []
    assert violations(page) == []
