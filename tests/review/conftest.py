"""Replays in a real browser."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse
from tests.live.games import WALK
from tests.review.replaying import Open
from tests.staff import signed_in


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
