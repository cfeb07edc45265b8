"""What a simulated person's browser sends before play: the code and the survey."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from random import Random
from typing import Any

from playtest.rehearsal.browser import Browser, Page
from playtest.rehearsal.errors import RehearsalFailed
from playtest.rules.survey_questions import QUESTIONS

_TRIES, _TRY_AGAIN_SECONDS = 40, 5.0


async def enter_code(browser: Browser, code: str) -> Page:
    """Enters a code, and retries while the rate limit refuses it: that limit is in real time."""
    for _ in range(_TRIES):
        page = await browser.post("/", code=code)
        if page.status != HTTPStatus.TOO_MANY_REQUESTS:
            return page
        await asyncio.sleep(_TRY_AGAIN_SECONDS)
    raise RehearsalFailed("The server takes no more codes.")


def survey_answers(chance: Random) -> dict[str, str]:
    """One person in four answers nothing; the others skip some questions."""
    if chance.random() < 0.25:
        return {}
    return {
        question.name: chance.choice(question.choices)[0] for question in QUESTIONS if chance.random() < 0.9
    }


def debrief_answers(chance: Random, previous: Mapping[str, Any]) -> dict[str, Any] | None:
    """The difficulty that one person felt in the environment that ended so; one in five says nothing."""
    if chance.random() < 0.2:
        return None
    felt = (1, 2, 2, 3) if previous["solved"] else (3, 4, 4, 5)
    return {"difficulty": chance.choice(felt), "about": ""}


def expect(page: Page, path: str) -> None:
    """Raises RehearsalFailed unless this page came."""
    if (page.status, page.path) != (200, path):
        raise RehearsalFailed(f"Expected {path}, but came to {page.path} ({page.status}).")
