"""In a browser: a page is there before its link is followed, and none is left after signing out."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.live.server import PASSWORD, Server

DELIVERED = "performance.getEntriesByType('navigation')[0].deliveryType"
AHEAD = "navigational-prefetch"
PATIENCE_STEPS = 600


@dataclass
class Browser:
    """A signed-in page, and what the browser says of the pages that it asked for ahead."""

    page: Page
    root: str
    statuses: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        devtools = self.page.context.new_cdp_session(self.page)
        devtools.on("Preload.prefetchStatusUpdated", self._note)
        devtools.send("Preload.enable")

    def _note(self, event: dict[str, Any]) -> None:
        self.statuses[event["prefetchUrl"].removeprefix(self.root)] = event["status"]

    def until(self, path: str, status: str) -> None:
        """Waits until a page that was asked for ahead has this status."""
        for _ in range(PATIENCE_STEPS):
            if self.statuses.get(path) == status:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{path} is {self.statuses.get(path)}, of {self.statuses}")


@pytest.fixture
def browser_of_lead(page: Page, server: Server, port: int) -> Browser:
    server.seed(played=True)
    server.seed(staff="lead", password=PASSWORD)
    browser = Browser(page, f"http://127.0.0.1:{port}")
    page.goto(f"{browser.root}/staff/sessions/")
    page.get_by_label("Name").fill("lead")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Schedule")).to_be_visible()
    return browser


def test_a_link_under_the_pointer_or_with_the_focus_is_asked_for_ahead(browser_of_lead: Browser) -> None:
    page = browser_of_lead.page
    page.get_by_role("link", name="Schedule").hover()
    browser_of_lead.until("/staff/schedule/", "Ready")
    page.get_by_role("link", name="Schedule").click()
    page.wait_for_url("**/staff/schedule/")
    assert page.evaluate(DELIVERED) == AHEAD
    stations = page.get_by_role("link", name="Stations")
    while not stations.evaluate("link => link === document.activeElement"):
        page.keyboard.press("Tab")
    browser_of_lead.until("/staff/stations/", "Ready")
    page.keyboard.press("Enter")
    page.wait_for_url("**/staff/stations/")
    assert page.evaluate(DELIVERED) == AHEAD


def test_nothing_that_was_asked_for_ahead_is_left_after_signing_out(browser_of_lead: Browser) -> None:
    page = browser_of_lead.page
    page.get_by_role("link", name="Schedule").hover()
    browser_of_lead.until("/staff/schedule/", "Ready")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Password")).to_be_visible()
    page.goto(f"{browser_of_lead.root}/staff/schedule/")
    expect(page.get_by_label("Password")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Password")).to_be_visible()


def test_pages_that_show_frames_are_not_asked_for_ahead(browser_of_lead: Browser) -> None:
    page = browser_of_lead.page
    page.goto(f"{browser_of_lead.root}/staff/environments/")
    page.get_by_role("link", name="wk01", exact=True).hover()
    page.wait_for_timeout(1_000)  # five times as long as the browser waits before it asks
    page.get_by_role("link", name="Board", exact=True).hover()
    browser_of_lead.until("/staff/board/", "Ready")
    assert list(browser_of_lead.statuses) == ["/staff/board/"]
