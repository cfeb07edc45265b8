"""The survey asks one question at a time, permits skipping and works without scripts."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.live.server import Server
from tests.play.browser.conftest import Participant

DAILY = "Every day"


def answers(server: Server, session: int) -> dict[str, Any]:
    query = (
        "SELECT s.answers FROM people_survey s JOIN play_session p ON p.survey_id = s.id"
        f" WHERE p.id = {session}"
    )
    ((found,),) = server.rows(query)
    return dict(found if isinstance(found, dict) else json.loads(found))


def reach_survey(participant: Participant) -> int:
    return participant.reach("survey")


def shown(page: Page) -> list[str]:
    return [legend.inner_text() for legend in page.locator("legend").all() if legend.is_visible()]


def test_the_survey_shows_one_question_at_a_time_and_stores_no_answer_of_who_prefers_not_to_say(
    participant: Participant, server: Server
) -> None:
    session = reach_survey(participant)
    page = participant.page
    assert shown(page) == ["How old are you?"]
    expect(page.get_by_text("1 of 5")).to_be_visible()
    expect(page.get_by_role("button", name="Back")).to_be_disabled()
    page.get_by_label("25 to 34").check()
    page.get_by_role("button", name="Next").dblclick()
    assert shown(page) == ["How often do you play video games?"]
    expect(page.get_by_text("2 of 5")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_label("25 to 34")).to_be_checked()
    page.get_by_label("Prefer not to say").locator("visible=true").check()
    page.get_by_role("button", name="Next").click()
    page.get_by_label(DAILY).locator("visible=true").check()
    page.get_by_role("button", name="Next").click()
    participant.skip_survey()
    assert answers(server, session) == {"video_games": "daily"}


KINDS = [
    {"name": "hours", "text": "Hours?", "choices": [], "kind": "number", "most": 24},
    {"name": "skill", "text": "Skill?", "choices": [], "kind": "scale", "least": 1, "most": 5},
    {"name": "words", "text": "Words?", "choices": [], "kind": "text", "most": 20},
]


def test_numbers_steps_and_texts_are_asked_and_a_wrong_answer_is_asked_again(
    participant: Participant, server: Server
) -> None:
    session = participant.reach("survey", survey=KINDS)
    page = participant.page
    page.get_by_label("A whole number from 0 to 24").fill("25")
    page.get_by_role("button", name="Next").click()
    page.get_by_label("4", exact=True).check()
    page.keyboard.press("Enter")
    page.get_by_label("In your own words").fill("two\nlines")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Write a number from 0 to 24, or nothing.")).to_be_visible()
    assert shown(page) == ["Hours?"]
    page.get_by_label("A whole number from 0 to 24").fill("24")
    for _ in KINDS:
        page.get_by_role("button", name="Next").click()
    page.wait_for_url("**/tutorial/")
    assert answers(server, session) == {"hours": 24, "skill": 4, "words": "two\nlines"}


def test_answers_outlast_a_reload_and_what_cannot_be_seen_is_none(
    participant: Participant, server: Server
) -> None:
    session = participant.reach("survey", survey=KINDS)
    page = participant.page
    page.get_by_label("A whole number from 0 to 24").fill("24")
    page.get_by_role("button", name="Next").click()
    page.get_by_label("4", exact=True).check()
    page.reload()
    expect(page.get_by_label("4", exact=True)).to_be_checked()
    page.get_by_role("button", name="Next").click()
    answer = page.get_by_label("In your own words")
    answer.fill("\u200b \u3164")
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    answer.fill(19 * "\U0001f600" + "\U0001f44d\U0001f3fd")  # the last sign has two letters
    expect(answer).to_have_value(19 * "\U0001f600")
    answer.fill("\u200b \u3164")
    page.get_by_role("button", name="Skip").click()
    page.wait_for_url("**/tutorial/")
    assert answers(server, session) == {"hours": 24, "skill": 4}


SIZES = [(911, 512), (390, 844), (844, 390)]


def test_buttons_are_always_in_sight(participant: Participant) -> None:
    page = participant.page
    participant.reach("consent", consent_text="Many words. " * 300)
    agree = page.get_by_role("button", name="I agree")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")  # keys scroll on while others are pressed
        expect(agree).to_be_in_viewport(ratio=1)
        expect(page.locator(".help")).to_contain_class("more")
        page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
        expect(page.locator(".help")).not_to_contain_class("more")
    participant.agree()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.get_by_role("button", name="Skip")).to_be_in_viewport(ratio=1)


def test_arabic_runs_from_right_to_left_without_sideways_scrolling(participant: Participant) -> None:
    page = participant.page
    page.set_viewport_size({"width": 390, "height": 844})
    (person,) = participant.server.seed(people=1, stage="new")["people"]
    page.goto(f"{participant.address}?language=ar")
    page.locator("#code").fill(person["code"])
    page.keyboard.press("Enter")
    page.wait_for_url("**/consent/")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    agree, decline = (page.locator(f"[value={answer}]").bounding_box() for answer in ("agree", "decline"))
    assert agree is not None
    assert decline is not None
    assert agree["x"] > decline["x"]


def test_who_sees_some_colours_alike_is_offered_patterns(participant: Participant) -> None:
    reach_survey(participant)
    page = participant.page
    for _ in range(4):
        page.get_by_role("button", name="Skip").click()
    switch = page.get_by_role("button", name="Colour patterns")
    expect(switch).to_be_hidden()
    page.get_by_label("Yes, some colours").check()
    switch.click()
    page.get_by_role("button", name="Next").click()
    page.wait_for_url("**/tutorial/")
    expect(switch).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("lacking", ["WebSocket", "DecompressionStream"])
def test_what_the_browser_lacks_is_said_before_a_code_is_asked_for(
    participant: Participant, lacking: str
) -> None:
    page = participant.page
    page.add_init_script(f"delete window.{lacking}")
    page.goto(participant.address)
    expect(page.get_by_text(f"({lacking})")).to_be_visible()
    expect(page.get_by_label("Enter your code")).to_be_hidden()


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_the_survey_is_one_page_without_scripts(participant: Participant, server: Server) -> None:
    session = reach_survey(participant)
    page = participant.page
    assert len(shown(page)) == 5
    page.get_by_label(DAILY).first.check()
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/tutorial/")
    assert answers(server, session) == {"video_games": "daily"}
