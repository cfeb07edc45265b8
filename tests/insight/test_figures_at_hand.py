"""A link leads to one figure with its version and scope, and a small mark need not be hit."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment
from tests import make
from tests.browsing import ORIGIN, browse, settled
from tests.insight.stages import newer_version
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

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
    figure = shown.locator("insight-figure").nth(2)
    title = figure.get_by_role("heading").inner_text()
    figure.get_by_role("button", name="Copy link to this figure").click()
    expect(figure.get_by_text("Link to this figure copied.")).to_be_visible()
    link = shown.evaluate("navigator.clipboard.readText()")
    assert f"version={solved.version.digest}" in link
    newer_version(Environment.objects.get(code="wk01"))
    shown.goto("about:blank")
    shown.goto(link)
    expect(shown.get_by_role("heading", name=title)).to_be_in_viewport()


def test_the_nearest_small_mark_is_meant(shown: Page, solved: Attempt) -> None:
    marks = shown.locator("insight-figure svg.plot a[data-tip]")
    small = marks.filter(has=shown.locator("circle")).first
    small.scroll_into_view_if_needed()
    box = small.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] + 8
    shown.mouse.move(x, y)
    tip = shown.locator(".tip:not([hidden])")
    expect(tip).to_have_text(small.get_attribute("data-tip") or "")
    shown.mouse.click(x, y)
    shown.wait_for_url(re.compile(rf"/attempts/{solved.pk}/"))
