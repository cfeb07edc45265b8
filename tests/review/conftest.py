"""Replays in a real browser, and who reviews sessions."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Locator, Page

from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.review.replaying import Open
from tests.staff import signed_in, staff


@pytest.fixture
def open_replay(page: Page) -> Iterator[Open]:
    """Opens an attempt's replay and gives the player; an error on the page fails the test."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    browse(page, signed_in(Role.RESEARCHER))

    def open_it(attempt: Attempt, fragment: str = "") -> Locator:
        page.goto("about:blank")
        page.goto(f"{ORIGIN}{reverse('review:attempt', args=[attempt.pk])}{fragment}")
        page.wait_for_selector("replay-player[data-seq], replay-player .notice")
        return page.locator("replay-player")

    yield open_it
    assert errors == []


@pytest.fixture
def walk() -> Attempt:
    """Solved at two seconds an action: three actions a level, and a reset first in the second."""
    return make.play(make.session(make.study()), [*WALK[:3], 0, *WALK[3:]], Outcome.COMPLETED)


MODULES = ("timeline", "clocks", "marks", "moment-links", "alignment", "heat", "progress-steps")


@pytest.fixture(scope="module")
def ask_models(browser: Browser) -> Iterator[Callable[..., Any]]:
    """`ask(expression, entries, given)`: what it gives; `timeline` is the entries', at 10 frames a second."""
    page = browser.new_page()
    browse(page, Client())
    page.goto(f"{ORIGIN}/static/review/timeline.js")

    def evaluate(expression: str, entries: list[dict[str, Any]], given: Any = None) -> Any:
        script = f"""async ([entries, given]) => {{
            const paths = {list(MODULES)}.map((name) => `/static/review/${{name}}.js`);
            const modules = await Promise.all(paths.map((path) => import(path)));
            const all = Object.assign({{}}, ...modules);
            const {{ Timeline, RealTime, PerAction, marksOf, momentOf, addressOf, aligned }} = all;
            const {{ heatOf, heatLabel, heatScale, stepsOf, fewestSteps, progressSummary }} = all;
            const timeline = new Timeline(entries, 10);
            return {expression};
        }}"""
        return page.evaluate(script, [entries, given])

    yield evaluate
    page.close()


@pytest.fixture
def first() -> Staff:
    """Who decides about a session first."""
    return staff(Role.LEAD)


@pytest.fixture
def second() -> Staff:
    """Another reviewer, who agrees or not."""
    return staff(Role.RESEARCHER)


@pytest.fixture
def researcher() -> Client:
    return signed_in(Role.RESEARCHER)
