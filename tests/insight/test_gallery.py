"""Every state of a figure, at any size, contrast and with forced colours."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from tests.accessibility import thin, violations
from tests.browsing import ORIGIN, browse, settled
from tests.insight.samples import UNKNOWN_KIND, every_kind, states

pytestmark = pytest.mark.urls("tests.insight.gallery")


def opened(page: Page, width: int) -> list[str]:
    """Opens the figures in each state; what the console says."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_viewport_size({"width": width, "height": 900})
    browse(page, Client())
    page.goto(f"{ORIGIN}/gallery/?figures=none&states")
    settled(page)
    return said


@pytest.mark.long
def test_each_state_of_a_figure_is_accessible_on_a_narrow_screen(page: Page) -> None:
    said = opened(page, 390)
    drawn = [one for one in states() if one.rows and one.kind != UNKNOWN_KIND]
    expect(page.locator("insight-figure svg.plot")).to_have_count(len(drawn))
    expect(page.locator("#figure-empty .empty")).to_be_visible()
    expect(page.locator("#figure-failed .state")).to_contain_text("could not be drawn")
    expect(page.locator("#figure-failed table")).to_be_visible()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert said == []
    thin(page)
    assert violations(page) == []


@pytest.mark.long
def test_more_contrast_and_colours_of_the_viewer_are_respected(page: Page) -> None:
    opened(page, 1280)
    muted = "getComputedStyle(document.querySelector('figcaption')).color"
    usual = page.evaluate(muted)
    page.emulate_media(contrast="more")
    assert page.evaluate(muted) != usual
    page.emulate_media(contrast="no-preference", forced_colors="active")
    border = "getComputedStyle(document.querySelector('.empty')).borderTopStyle"
    assert page.evaluate(border) == "solid"


def test_there_is_a_sample_of_each_kind() -> None:
    drawings = (Path(settings.BASE_DIR) / "static/insight/drawings.js").read_text()
    drawn = re.search(r"DRAWINGS = Object\.freeze\(\{(.*?)\}\)", drawings)
    assert drawn is not None
    assert set(re.findall(r"\w+", drawn[1])) <= {one.kind for one in every_kind()}
