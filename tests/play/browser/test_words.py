"""Participants' pages in another language say nothing in English: the same walk is made in both."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import expect

from tests.live.server import Server
from tests.live.test_static_tasks import TASKS
from tests.play.browser.conftest import Participant

POOL = ["rn01", "d98105bc"]
TEXTS = """() => {
    const own = (part) => !part.closest("script, style, code, noscript, [translate=no], .cap-key, .reading");
    const found = [document.title.split(" · ")[0]];
    for (const part of document.querySelectorAll("*")) {
        if (!own(part)) continue;
        for (const name of ["aria-label", "title", "alt"]) found.push(part.getAttribute(name) ?? "");
        for (const node of part.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.data);
    }
    return found.map((text) => text.trim());
}"""
"""Everything that a page says or would say, shown or not."""
SAME = {"es": {"No", "R", "Z / Ctrl+Z", "Undo (Z)", "magenta (6)", "magenta"}, "ar": {"R", "Z / Ctrl+Z"}}
"""Keys, and what is the same word."""
OTHERS = [code for code, _ in settings.LANGUAGES if code != "en"]


@pytest.fixture(scope="module", autouse=True)
def tasks(server: Server) -> None:
    server.seed(tasks=str(TASKS))


def walk(participant: Participant, language: str) -> Iterator[str]:
    """Goes through a session in this language; yields the name of each page while it is open."""
    page = participant.page
    code = participant.new_code(POOL)
    page.goto(f"{participant.address}?language={language}")
    page.locator("#code").fill("XXXXXX")
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_be_visible()
    yield "refused code"
    page.locator("#code").fill(code)
    page.keyboard.press("Enter")
    page.wait_for_url("**/consent/")
    yield "consent"
    page.goto(f"{participant.address}nowhere/")
    yield "no such page"
    page.goto(f"{participant.address}session/consent/")
    page.locator("[value=agree]").click()
    page.wait_for_url("**/survey/")
    yield "survey"
    page.evaluate("document.querySelector('#survey').submit()")
    page.wait_for_url("**/tutorial/")
    yield "tutorial"
    page.evaluate("document.querySelector('.start').submit()")
    page.wait_for_url("**/tutorial/?part=task")
    page.locator("[data-command=submit]").click()
    expect(page.locator("submit-question dialog")).to_be_visible()
    yield "task"
    page.evaluate("document.querySelector('.start').submit()")
    page.wait_for_selector("main[data-stage=playing][data-connection=live]")
    yield "board"
    page.locator("call-staff button").first.click()
    expect(page.locator("call-staff p").first).not_to_be_empty()
    page.locator("button.leave").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    yield "leaving"
    page.locator("[value=leave]").click()
    page.wait_for_selector("main[data-stage=pause][data-connection=live]")
    yield "pause"


def said(participant: Participant, language: str) -> dict[str, set[str]]:
    found = {}
    for name in walk(participant, language):
        texts = participant.page.evaluate(TEXTS)
        found[name] = {text for text in texts if re.search("[A-Za-z]", text)}
    return found


@pytest.mark.parametrize("language", [OTHERS[0], pytest.param(OTHERS[1], marks=pytest.mark.long)])
def test_no_page_says_in_another_language_what_it_says_in_english(
    participant: Participant, language: str
) -> None:
    english = said(participant, "en")
    participant.page.context.clear_cookies()
    translated = said(participant, language)
    assert {name: texts & english[name] - SAME[language] for name, texts in translated.items()} == {
        name: set() for name in english
    }
