"""Every screen of a participant passes axe's checks, in light and dark."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.accessibility import violations
from tests.play.browser.conftest import Participant

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}

Check = Callable[[str], None]


@pytest.fixture
def check(page: Page) -> Check:
    """Assert that the named screen has no violation in either colour scheme."""
    page.emulate_media(reduced_motion="reduce")

    def assert_accessible(screen: str) -> None:
        assert violations(page, **RULES) == [], screen

    return assert_accessible


def test_pages_from_the_code_to_the_first_pause_are_accessible(
    participant: Participant, check: Check
) -> None:
    page = participant.page
    page.goto(participant.address)
    page.get_by_label("Enter your code").fill("nothing")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    check("welcome with an error")
    participant.arrive()
    check("consent")
    participant.agree()
    check("survey")
    participant.skip_survey()
    for key in ["w", "a", "s", "d", "f", "Shift+ArrowUp", "Enter", "z", "r"]:
        page.keyboard.press(key)
    check("tutorial, all used")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("main[data-stage=playing][data-connection=live]")
    page.get_by_role("button", name="Leave this game").click()
    page.get_by_role("button", name="Leave for good").click()
    page.get_by_role("heading", name="On to the next one").wait_for()
    check("pause")


def test_the_playing_page_is_accessible(participant: Participant, check: Check) -> None:
    page = participant.page
    participant.sit("wk01")
    page.get_by_role("button", name="Colour patterns").click()
    check("play with patterns")
    page.keyboard.press("ArrowUp")
    page.get_by_text("This try is over").wait_for()
    page.evaluate("document.querySelector('prompt-bar').show(1200, 600)")
    check("game over, at the soft limit")
    page.get_by_role("button", name="Leave this game").click()
    check("leave")
    page.get_by_role("button", name="Leave for good").click()
    page.get_by_role("heading", name="Thank you").wait_for()
    check("thank you")
