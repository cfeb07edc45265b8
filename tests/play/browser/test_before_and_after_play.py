"""The tutorial before play and the questions after an environment."""

import pytest
from playwright.sync_api import Page, expect

from tests.live.server import Server
from tests.play.browser.conftest import Participant

KEYS = ["ArrowUp", "s", "ArrowLeft", "d", "Space", "Shift+ArrowRight", "Enter", "Control+z", "r"]
CAPS = ["Up", "Down", "Left", "Right", "Space", "Undo", "Reset level"]
PLAYING = "main[data-stage=playing][data-connection=live]"


def reach_tutorial(participant: Participant, pool: list[str] | None = None) -> None:
    participant.reach("tutorial", pool)
    expect(participant.page.get_by_role("button", name="Start")).to_be_disabled()


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


def test_all_controls_of_the_tutorial_are_in_view(participant: Participant) -> None:
    reach_tutorial(participant)
    participant.page.set_viewport_size({"width": 320, "height": 568})
    expect(participant.page.get_by_role("button", name="Start")).to_be_in_viewport(ratio=1)
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


ABOUT = "What was it about?"


def said(server: Server, session: int) -> list[tuple[object, ...]]:
    return server.rows(
        "SELECT a.number, d.difficulty, d.about FROM play_debrief d"
        " JOIN play_attempt a ON a.id = d.attempt_id"
        f" WHERE a.session_id = {session} ORDER BY a.number"
    )


def leave(page: Page, participant: Participant, session: int) -> None:
    """Plays one action, then leaves the environment."""
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('button.leave:enabled')")
    while not participant.actions(session):
        page.wait_for_timeout(50)
    page.get_by_role("button", name="Leave this game").click()
    page.get_by_role("button", name="Leave for good").click()


def test_answers_are_saved_as_they_are_given_wait_for_the_network_and_come_back_after_a_reload(
    participant: Participant, server: Server
) -> None:
    session = participant.sit("wk01", later=["ck01"])
    page = participant.page
    leave(page, participant, session)
    page.get_by_label("Very hard").check()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert said(server, session) == [(1, 5, "")]
    page.route("**/session/debrief/", lambda route: route.abort())
    page.get_by_label("Easy", exact=True).check()
    expect(page.get_by_text("Not saved yet. Trying again.")).to_be_visible()
    page.unroute("**/session/debrief/")
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible(timeout=10_000)
    assert said(server, session) == [(1, 2, "")]
    page.get_by_label(ABOUT).fill("Two words")
    page.get_by_label(ABOUT).press("Enter")  # a new line: the next environment does not open
    page.get_by_label(ABOUT).press_sequentially("and more")
    page.get_by_role("heading").first.click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Easy", exact=True)).to_be_checked()
    expect(page.get_by_label(ABOUT)).to_have_value("Two words\nand more")
    assert said(server, session) == [(1, 2, "Two words\nand more")]


def test_both_are_skipped_by_one_press(participant: Participant, server: Server) -> None:
    session = participant.sit("wk01", later=["ck01"])
    page = participant.page
    leave(page, participant, session)
    expect(page.get_by_text("You can skip both.")).to_be_visible()
    expect(page.get_by_role("button", name="Next")).to_be_enabled()
    page.keyboard.press("Enter")
    page.wait_for_selector("main[data-stage=playing]")
    assert said(server, session) == []


def test_words_that_were_just_written_are_saved_when_the_next_one_opens(
    participant: Participant, server: Server
) -> None:
    session = participant.sit("wk01", later=["ck01"])
    page = participant.page
    leave(page, participant, session)
    page.get_by_label(ABOUT).fill("A door")
    with page.expect_response("**/session/debrief/"):
        page.get_by_role("button", name="Next").click()
    page.wait_for_selector("main[data-stage=playing]")
    assert said(server, session) == [(1, None, "A door")]


def test_the_last_page_asks_about_the_last_environment(participant: Participant, server: Server) -> None:
    session = participant.sit("wk01")
    page = participant.page
    leave(page, participant, session)
    page.wait_for_url("**/thanks/")
    page.get_by_label("Neither").check()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    assert said(server, session) == [(1, 3, "")]
    assert "seat" not in {cookie.get("name") for cookie in page.context.cookies()}
