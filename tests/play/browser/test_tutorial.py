"""The tutorial ends after every control was used, by keys, mouse or touch."""

import pytest
from playwright.sync_api import expect

from tests.play.browser.conftest import Participant

KEYS = ["ArrowUp", "s", "ArrowLeft", "d", "Space", "Shift+ArrowRight", "Enter", "Control+z", "r"]
CAPS = ["Up", "Down", "Left", "Right", "Space", "Undo", "Reset level"]
PLAYING = "main[data-stage=playing][data-connection=live]"


def reach_tutorial(participant: Participant, pool: list[str] | None = None) -> None:
    participant.arrive(pool)
    participant.agree()
    participant.skip_survey()
    expect(participant.page.get_by_role("button", name="Start")).to_be_disabled()


def test_the_tutorial_can_be_completed_by_keys(participant: Participant) -> None:
    reach_tutorial(participant)
    for key in KEYS:
        expect(participant.page.get_by_role("button", name="Start")).to_be_disabled()
        participant.page.keyboard.press(key)
    expect(participant.page.get_by_role("button", name="Start")).to_be_enabled()
    participant.page.keyboard.press("Enter")
    participant.page.wait_for_selector(PLAYING)


def test_a_key_for_the_board_does_not_press_start(participant: Participant) -> None:
    reach_tutorial(participant)
    page = participant.page
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.reload()
    page.clock.run_for(20)
    for key in [*KEYS, "Enter"]:
        page.keyboard.press(key)
    page.clock.run_for(590)
    expect(page.get_by_role("button", name="Start")).to_be_disabled()
    page.clock.run_for(20)
    expect(page.get_by_role("button", name="Start")).to_be_enabled()
    assert page.url.endswith("/tutorial/")


def test_the_tutorial_can_be_completed_by_mouse(participant: Participant) -> None:
    reach_tutorial(participant)
    for cap in CAPS:
        participant.page.get_by_role("button", name=cap, exact=True).click()
        expect(participant.page.get_by_role("button", name=cap, exact=True)).to_contain_class("used")
    participant.click_cell(40, 20)
    participant.page.get_by_role("button", name="Start").click()
    participant.page.wait_for_selector(PLAYING)


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
def test_the_tutorial_can_be_completed_by_touch(participant: Participant) -> None:
    reach_tutorial(participant)
    page = participant.page
    page.touchscreen.tap(*participant.point(40, 20))
    for cap in CAPS:  # a tablet has no space bar
        page.get_by_role("button", name="Use" if cap == "Space" else cap, exact=True).tap()
    page.get_by_role("button", name="Start").tap()
    page.wait_for_selector(PLAYING)


@pytest.mark.browser_context_args(viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True)
def test_start_is_in_view_on_a_small_phone(participant: Participant) -> None:
    reach_tutorial(participant)
    page = participant.page
    start = page.get_by_role("button", name="Start").bounding_box()
    assert start is not None
    assert start["y"] + start["height"] <= 568


def test_all_controls_of_the_tutorial_are_in_view(participant: Participant) -> None:
    reach_tutorial(participant)
    for width, height in [(390, 844), (820, 1180), (1280, 800), (1920, 1080)]:
        participant.page.set_viewport_size({"width": width, "height": height})
        participant.page.evaluate("new Promise(requestAnimationFrame)")
        for part in participant.page.locator(
            "main :is(.cap, canvas, form button, [data-lesson]):visible"
        ).all():
            box = part.bounding_box()
            assert box is not None
            assert min(box["x"], box["y"]) >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= height


def test_lines_name_the_controls_and_are_ticked_when_all_of_them_were_used(participant: Participant) -> None:
    reach_tutorial(participant)
    for lesson, keys in {"Up, Down, Left, Right": "wasd", "Space": "f", "Undo": "z"}.items():
        line = participant.page.get_by_role("listitem").filter(has_text=lesson)
        for key in keys:
            expect(line).not_to_contain_class("used")
            participant.page.keyboard.press(key)
        expect(line).to_contain_class("used")
    page = participant.page
    listed = ", ".join(page.locator("[data-lesson] b:not(.touched)").all_inner_texts()).split(", ")
    caps = [cap.get_attribute("aria-label") for cap in page.locator(".cap").all()]
    assert sorted(listed) == sorted(str(name) for name in caps)
    written = [text for text in page.locator(".cap-label").all_inner_texts() if text]
    assert written == ["Space", "Click on the board", "Undo", "Reset level"]
    expect(page.get_by_role("button", name="Click on the board")).to_have_count(0)
    label = page.locator(".cap-click")
    assert label.evaluate("(label) => getComputedStyle(label).borderTopColor") == "rgba(0, 0, 0, 0)"


def test_the_tutorial_asks_only_for_controls_of_the_studys_environments(participant: Participant) -> None:
    reach_tutorial(participant, ["wk01"])
    page = participant.page
    expect(page.locator(".cap:visible")).to_have_count(5)
    assert page.locator("[data-lesson] b").all_inner_texts() == ["Up, Down, Left, Right", "Reset level"]
    expect(page.get_by_text("Each game shows only the controls that it uses.")).to_be_visible()
    for key in ["z", "f", "w", "a", "s", "d"]:
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="Start")).to_be_disabled()
    page.keyboard.press("r")
    expect(page.get_by_role("button", name="Start")).to_be_enabled()
    page.keyboard.press("Enter")
    page.wait_for_selector(PLAYING)
