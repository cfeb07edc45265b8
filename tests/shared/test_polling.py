"""`static/shared/polling.js`: the times at which a page asks for news."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from tests.play.browser.conftest import bare as bare

NEWS = "http://play.test/news"
VISIBILITY = "Object.defineProperty(document, 'visibilityState', { value: '%s', configurable: true })"

type Answer = Callable[[Route], None]


def fulfilled(route: Route) -> None:
    route.fulfill(body="news")


def refused(route: Route) -> None:
    route.abort()


def silent(_route: Route) -> None:
    """A request that never gets an answer or an error."""


class Poll:
    """A page that polls every second, with the test's clock."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.answer: Answer = fulfilled
        page.route(NEWS, lambda route: self.answer(route))
        page.clock.install()
        page.clock.pause_at("2026-12-01T09:00:00")
        page.evaluate(
            f"""async () => {{
                const {{ poll }} = await import("/static/shared/polling.js");
                const say = (text) => document.body.append(text);
                const ask = async (signal) => say(await (await fetch("{NEWS}", {{ signal }})).text());
                window.asked = [];
                const recorded = (signal) => window.asked[window.asked.push(ask(signal)) - 1];
                window.stop = poll(recorded, 1000, () => say("failed"));
            }}"""
        )

    def after(self, seconds: float) -> int:
        """Advances the clock, waits for answers and returns the number of requests."""
        self.page.clock.run_for(round(seconds * 1000))
        if self.answer is not silent:
            self.page.evaluate("async () => { await Promise.allSettled(window.asked); }")
        return int(self.page.evaluate("window.asked.length"))

    def show(self, visibility: str) -> None:
        self.page.evaluate(VISIBILITY % visibility)
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    @property
    def text(self) -> str:
        return self.page.locator("body").inner_text()


@pytest.fixture
def polling(bare: Page) -> Poll:
    return Poll(bare)


def test_polling_asks_a_second_after_each_answer(polling: Poll) -> None:
    assert [polling.after(0.9), polling.after(0.2), polling.after(1), polling.after(1)] == [0, 1, 2, 3]
    assert polling.text == "newsnewsnews"


def test_polling_slows_down_without_answers_and_recovers(polling: Poll) -> None:
    polling.answer = refused
    assert [polling.after(1), polling.after(1.9), polling.after(0.2), polling.after(3.8)] == [1, 1, 2, 2]
    polling.answer = fulfilled
    assert [polling.after(0.3), polling.after(1)] == [3, 4]
    assert polling.text == "failedfailednewsnews"


def test_a_request_without_an_answer_is_cancelled(polling: Poll) -> None:
    polling.answer = silent
    assert [polling.after(1), polling.after(14), polling.after(2), polling.after(2)] == [1, 1, 1, 2]
    assert polling.text == "failed"


def test_a_hidden_page_does_not_poll_and_polls_at_once_when_shown(polling: Poll) -> None:
    polling.show("hidden")
    assert polling.after(60) == 0
    polling.show("visible")
    assert [polling.after(0), polling.after(1)] == [1, 2]


def test_polling_asks_at_once_when_the_network_returns(polling: Poll) -> None:
    polling.answer = refused
    asked = [polling.after(30) for _ in range(6)][-1]
    polling.page.evaluate("window.dispatchEvent(new Event('online'))")
    assert polling.after(0) == asked + 1


def test_stopped_polling_asks_nothing(polling: Poll) -> None:
    polling.answer = silent
    polling.after(1)
    polling.page.evaluate("stop()")
    assert polling.after(60) == 1
    assert polling.text == ""
