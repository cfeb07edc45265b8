"""The gallery for staff: every state of lists and figures, at any size, contrast and with forced colours."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.insight.gallery.states import UNKNOWN_KIND, every_kind, states
from playtest.insight.gallery.tokens import Token, groups, tokens
from playtest.people.roles import Role
from tests.accessibility import thin, violations
from tests.browsing import ORIGIN, browse, settled
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def opened(page: Page, width: int) -> list[str]:
    """Opens the gallery; what the console says."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_viewport_size({"width": width, "height": 900})
    browse(page, signed_in(Role.DESIGNER))
    page.goto(f"{ORIGIN}{reverse('insight:gallery')}")
    settled(page)
    return said


def test_the_gallery_shows_each_state_accessibly_on_a_narrow_screen(page: Page) -> None:
    said = opened(page, 390)
    drawn = [*every_kind(), *(state.figure for state in states() if not state.loading)]
    drawn = [one for one in drawn if one.rows and one.kind not in ("spark", UNKNOWN_KIND)]
    expect(page.locator("insight-figure svg.plot")).to_have_count(len(drawn))
    expect(page.locator("#figure-empty .empty")).to_be_visible()
    expect(page.locator("#figure-failed .state")).to_contain_text("could not be drawn")
    expect(page.locator("#figure-failed table")).to_be_visible()
    waiting = page.locator("#figure-loading .drawing")
    assert "Drawing" in waiting.evaluate("(place) => getComputedStyle(place, '::before').content")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert said == []
    thin(page)
    assert violations(page) == []


def test_more_contrast_and_colours_of_the_viewer_are_respected(page: Page) -> None:
    opened(page, 1280)
    muted = "getComputedStyle(document.querySelector('.sample-parts .muted')).color"
    usual = page.evaluate(muted)
    page.emulate_media(contrast="more")
    assert page.evaluate(muted) != usual
    page.emulate_media(contrast="no-preference", forced_colors="active")
    border = "getComputedStyle(document.querySelector('.empty')).borderTopStyle"
    assert page.evaluate(border) == "solid"


def test_the_gallery_has_a_figure_of_each_kind() -> None:
    drawings = (Path(settings.BASE_DIR) / "static/insight/drawings.js").read_text()
    drawn = re.search(r"DRAWINGS = Object\.freeze\(\{(.*?)\}\)", drawings)
    assert drawn is not None
    assert set(re.findall(r"\w+", drawn[1])) <= {one.kind for one in every_kind()}


def test_tokens_are_those_of_the_style_sheets() -> None:
    found = {token.name: token for group in groups() for token in group.tokens}
    assert found["--space-1"] == Token("--space-1", "0.25rem")
    assert found["--bad"] == Token("--bad", "#a3241b", "#ff9288")
    assert found["--good"] == Token("--good", "#14691f", "#7fe08a")
    assert found["--heat-5"].dark == "#f2f9ff"
    assert list(tokens("a { --b: 1px; } @media print { a { --b: 2px; } }")) == [Token("--b", "1px")]


def test_files_of_the_gallery_are_those_of_its_figures() -> None:
    lead: Client = signed_in(Role.LEAD)
    text = lead.get(reverse("insight:gallery-figure", args=["many-bars", "csv"])).content.decode()
    assert len(text.splitlines()) == 31
    assert lead.get(reverse("insight:gallery-figure", args=["nothing", "csv"])).status_code == 404
