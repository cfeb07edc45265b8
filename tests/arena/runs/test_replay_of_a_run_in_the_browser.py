"""In a browser: the reasoning beside the board follows the action that is shown."""

import json
from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.play.models import Attempt
from tests import make
from tests.arena.runs.played import on_a_card, write_run
from tests.arena.runs.test_usage import HARNESS
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.staff import signed_in

LONG = "A wall of text without a space: " + "x" * 4_000


@pytest.fixture
def run(page: Page, db: None) -> Iterator[Attempt]:
    """Opens the replay of a run; an error on the page fails the test."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    version = make.environment().current
    assert version is not None
    plan = {"plan": ["right", "right"], "output": "ACTION4\nand on", "nothing": ""}
    notes = {1: json.dumps(json.dumps(HARNESS)), 2: json.dumps(plan), 3: LONG, 5: "<b>not bold</b>"}
    found = write_run(version, [*[2] * 60, *WALK], notes=notes | {70: "far"})
    on_a_card(found)
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('review:attempt', args=[found.pk])}")
    page.wait_for_selector("replay-player[data-seq]")
    yield found
    assert errors == []


def test_the_reasoning_follows_the_playback(page: Page, run: Attempt) -> None:
    panel = page.get_by_role("region", name="Reasoning")
    expect(panel).to_contain_text("The opening frame")
    page.keyboard.press("ArrowRight")
    expect(panel).to_contain_text("Reasoning of action 1")
    expect(panel).to_contain_text("1,280 tokens: 1,200 in, 80 out (64 reasoning) · $0.0020")
    expect(panel.locator("h3")).to_have_text(["output", "reasoning"])
    expect(panel).to_contain_text("The door is to the right.")
    page.keyboard.press("ArrowRight")
    expect(panel.locator("pre")).to_have_text('[\n  "right",\n  "right"\n]')
    expect(panel.locator(".text")).to_have_text("ACTION4\nand on")
    page.keyboard.press("ArrowRight")
    expect(panel.locator(".text")).to_have_text(LONG)
    assert panel.evaluate("box => box.scrollWidth <= box.clientWidth"), "long words are wrapped"
    page.keyboard.press("ArrowRight")
    expect(panel).to_contain_text("The agent sent nothing with this action.")
    page.keyboard.press("ArrowRight")
    expect(panel.locator(".text")).to_have_text("<b>not bold</b>")
    page.evaluate("location.hash = 'action=70'")
    expect(panel).to_contain_text("far")
    page.get_by_role("button", name="Play").click()
    expect(panel).not_to_contain_text("far")
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth", timeout=10_000)
