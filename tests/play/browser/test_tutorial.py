"""The tutorial can be finished by keys, by mouse alone and by touch; not before every control was used."""

import pytest
from playwright.sync_api import expect

from tests.play.browser.conftest import Participant

KEYS = ["ArrowUp", "s", "ArrowLeft", "d", "Space", "Shift+ArrowRight", "Enter", "Control+z", "r"]
CAPS = ["Up", "Down", "Left", "Right", "Space", "Undo", "Reset level"]


def reach_tutorial(participant: Participant) -> None:
    participant.arrive()
    participant.agree()
    participant.skip_survey()
    expect(participant.page.get_by_role("button", name="Start")).to_be_disabled()


def start(participant: Participant) -> None:
    participant.page.get_by_role("button", name="Start").press("Enter")
    participant.page.wait_for_selector("main[data-stage=playing][data-connection=live]")


def test_by_keys(participant: Participant) -> None:
    reach_tutorial(participant)
    for key in KEYS:
        expect(participant.page.get_by_role("button", name="Start")).to_be_disabled()
        participant.page.keyboard.press(key)
    start(participant)


def test_by_mouse_alone(participant: Participant) -> None:
    reach_tutorial(participant)
    for cap in CAPS:
        participant.page.get_by_role("button", name=cap, exact=True).click()
        expect(participant.page.get_by_role("button", name=cap, exact=True)).to_contain_class("used")
    participant.click_cell(40, 20)
    participant.page.get_by_role("button", name="Start").click()
    participant.page.wait_for_selector("main[data-stage=playing][data-connection=live]")


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
def test_by_touch(participant: Participant) -> None:
    reach_tutorial(participant)
    page = participant.page
    page.touchscreen.tap(*participant.point(40, 20))
    for cap in CAPS:
        page.get_by_role("button", name=cap, exact=True).tap()
    page.get_by_role("button", name="Start").tap()
    page.wait_for_selector("main[data-stage=playing][data-connection=live]")


def test_a_line_is_ticked_when_all_its_controls_were_used(participant: Participant) -> None:
    reach_tutorial(participant)
    for lesson, keys in {"Move": "wasd", "Act": "f", "Take back": "z"}.items():
        line = participant.page.get_by_role("listitem").filter(has_text=lesson)
        for key in keys:
            expect(line).not_to_contain_class("used")
            participant.page.keyboard.press(key)
        expect(line).to_contain_class("used")
