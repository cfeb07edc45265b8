"""How long a run still takes, as its page tells it."""

from django.test import Client
from playwright.sync_api import Page

from tests.browsing import ORIGIN, browse

MODULE = "/static/studio/remaining.js"
ASK = """async (cases) => {
    const { remaining } = await import("/static/studio/remaining.js");
    return cases.map(([ms, share]) => remaining({ ms: 1000, share: 0.1 }, { ms, share }));
}"""


def test_the_time_remaining_follows_from_the_pace_so_far(page: Page) -> None:
    browse(page, Client())
    page.goto(f"{ORIGIN}{MODULE}")
    cases = {
        (10_999, 0.2): "",
        (61_000, 0.1): "",
        (61_000, 0.2): "about 8 minutes left",
        (61_000, 0.6): "about 1 minute left",
        (61_000, 0.9): "less than a minute left",
    }
    assert page.evaluate(ASK, list(cases)) == list(cases.values())
