"""A lead reads and releases a baseline in a real browser, with accessible pages."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.insight.models import Release
from playtest.people.roles import Role
from playtest.rules.attempt import Outcome
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = pytest.mark.django_db


def check(page: Page) -> None:
    """Checks the page with axe in both colour schemes and on a narrow screen."""
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_lead_releases_the_shown_baseline(page: Page) -> None:
    study = make.study()
    for wasted in (0, 6, 14):
        make.play(make.session(study), [*[2] * wasted, *WALK], Outcome.COMPLETED)
    page.set_viewport_size({"width": 390, "height": 800})
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('insight:baseline', args=['wk01'])}")
    expect(page.locator("insight-figure svg a")).to_have_count(18)
    check(page)

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
    check(page)
    page.get_by_role("link", name="Today's baseline of this version").click()
    page.get_by_role("link", name="1", exact=True).click()
    page.wait_for_url(re.compile(r"/releases/1/$"))
