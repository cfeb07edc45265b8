"""The playing page against a real server: controls, limits, faults and connections."""

import re

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.play.browser.conftest import Participant

KEY, MOUSE, BUTTON = 1, 3, 5


def caps(page: Page) -> list[str | None]:
    return [cap.get_attribute("aria-label") for cap in page.locator(".cap").all() if cap.is_visible()]


def test_the_available_controls_are_shown_and_make_the_actions_of_keys(participant: Participant) -> None:
    session = participant.sit("wk01")
    page = participant.page
    assert caps(page) == ["Up", "Left", "Down", "Right", "Reset level"]
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Right").click()
    expect(page.get_by_text("Level 1 of 6")).to_be_visible()
    page.keyboard.press("d")
    expect(page.get_by_text("Level 2 of 6")).to_be_visible()
    expect(page.locator(".dots .done")).to_have_count(1)
    assert participant.actions(session) == [
        (4, None, None, KEY),
        (4, None, None, BUTTON),
        (4, None, None, KEY),
    ]


def test_cells_can_be_clicked_by_mouse_and_by_keys(participant: Participant) -> None:
    session = participant.sit("ck01")
    page = participant.page
    page.keyboard.press("ArrowUp")  # shows the cell in the middle
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    participant.click_cell(4, 24)
    expect(page.get_by_text("Level 2 of 6")).to_be_visible()
    assert participant.actions(session) == [(6, 36, 31, KEY), (6, 4, 24, MOUSE)]


def test_the_board_stays_after_game_over_and_a_reset_continues(participant: Participant) -> None:
    session = participant.sit("wk01")
    page = participant.page
    page.keyboard.press("ArrowUp")
    expect(page.get_by_text("This try is over. Press Reset level (R).")).to_be_visible()
    expect(page.locator("main")).to_have_attribute("data-shown", "1")  # painted: before that nothing counts
    page.keyboard.press("ArrowRight")
    page.keyboard.press("r")
    expect(page.get_by_text("This try is over. Press Reset level (R).")).to_be_hidden()
    assert [action for action, *_ in participant.actions(session)] == [1, 0]


def test_giving_up_asks_for_confirmation(participant: Participant) -> None:
    session = participant.sit("wk01", later=["ck01"])
    page = participant.page
    page.get_by_role("button", name="Leave this game").click()
    page.keyboard.press("d")
    page.get_by_role("button", name="Stay").click()
    page.keyboard.press("a")
    page.get_by_role("button", name="Leave this game").click()
    page.get_by_role("button", name="Leave for good").click()
    expect(page.get_by_role("heading", name="On to the next one")).to_be_visible()
    expect(page.get_by_text("Solved so far: 0. Each one that you solve earns $5.00.")).to_be_visible()
    assert [action for action, *_ in participant.actions(session)] == [3]


def test_a_second_window_takes_over_and_the_first_can_take_back(participant: Participant) -> None:
    participant.sit("wk01")
    first, second = participant.page, participant.page.context.new_page()
    second.goto(participant.address)
    second.wait_for_selector("main[data-connection=live]")
    expect(first.get_by_text("You are playing in another window.")).to_be_visible()
    expect(first.get_by_role("status")).to_be_empty()
    first.get_by_role("button", name="Continue here").click()
    first.wait_for_selector("main[data-connection=live]")
    expect(second.get_by_text("You are playing in another window.")).to_be_visible()


def test_a_fault_page_says_that_the_participant_did_nothing_wrong(participant: Participant) -> None:
    participant.sit("ft01", later=["wk01"])
    participant.page.keyboard.press("ArrowUp")
    expect(participant.page.get_by_role("heading", name="That one stopped working")).to_be_visible()
    expect(participant.page.get_by_text("You did nothing wrong")).to_be_visible()


def test_the_soft_limit_question_is_below_the_board(participant: Participant) -> None:
    participant.sit("wk01", soft_seconds=1)
    page = participant.page
    expect(page.get_by_text("You have spent 1 second here.")).to_be_visible()
    page.get_by_role("button", name=re.compile("Keep going")).click()
    expect(page.get_by_text("You have spent")).to_be_hidden()
    page.reload()
    page.wait_for_selector("main[data-connection=live]")
    expect(page.get_by_text("You have spent")).to_be_hidden()


def test_a_key_held_into_the_pause_does_not_press_its_button(participant: Participant) -> None:
    participant.sit("wk01", stage="pause")
    page = participant.page
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.reload()
    page.get_by_role("heading", name="Ready when you are").wait_for()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Start")).to_be_disabled()
    page.clock.run_for(700)
    page.keyboard.press("Enter")
    page.wait_for_selector("main[data-stage=playing]")


def test_the_page_never_names_the_environment(participant: Participant) -> None:
    page = participant.page
    heard: list[str] = []
    page.on("response", lambda response: heard.append(response.url))
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    participant.sit("wk01")
    page.keyboard.press("d")
    page.get_by_text("Level 1 of 6").wait_for()
    assert page.title() == "Game · Testing center"
    assert len(heard) > 5
    for text in [page.content(), page.url, *heard]:
        assert "wk01" not in text.lower()


def test_the_back_button_leads_to_the_current_page(participant: Participant) -> None:
    participant.reach("consent")
    participant.agree()
    participant.page.go_back()
    participant.page.wait_for_url("**/survey/")


def test_the_thank_you_page_leaves_after_a_minute(participant: Participant) -> None:
    participant.reach("consent")
    page = participant.page
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.get_by_role("button", name="I do not agree").click()
    page.wait_for_url("**/thanks/")
    page.clock.run_for(59_000)
    page.keyboard.press("Shift")
    page.clock.run_for(59_000)
    assert page.url.endswith("/thanks/")
    page.clock.run_for(1_000)
    expect(page.get_by_label("Enter your code")).to_be_visible()


def test_the_page_names_whom_to_call_if_the_server_stays_away(participant: Participant) -> None:
    participant.sit("wk01")
    page = participant.page
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.route_web_socket("**/ws/session/*", lambda socket: socket.close(code=1011))
    page.reload()
    expect(page.get_by_text("Reconnecting…")).to_be_visible()
    page.clock.run_for(19_000)
    expect(page.get_by_text("Still trying.")).to_be_hidden()
    page.clock.run_for(1_500)
    said = "Still trying. What you did is saved. Please tell a member of staff."
    expect(page.get_by_role("status").get_by_text(said)).to_be_visible()


def test_a_page_that_an_older_server_cannot_read_is_loaded_again(participant: Participant) -> None:
    unread: list[str | bytes] = []

    def older(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if isinstance(message, str) or unread:
                server.send(message)
            else:
                unread.append(message)
                page.send('{"type": "error", "code": "malformed_message", "message": ""}')

        page.on_message(pass_on)

    page = participant.page
    page.route_web_socket("**/ws/session/*", older)
    session = participant.sit("wk01")
    with page.expect_navigation():
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("main[data-connection=live]")
    page.keyboard.press("ArrowRight")
    expect(page.locator("main")).to_have_attribute("data-shown", "1")
    assert [action for action, *_ in participant.actions(session)] == [4]


def test_the_last_minute_is_announced_and_finishing_is_asked(participant: Participant) -> None:
    participant.sit("wk01", soft_seconds=1, hard_seconds=61)
    page = participant.page
    finish = page.get_by_role("button", name="Finish now")
    finish.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(finish).to_be_visible()
    expect(
        page.get_by_text("a minute is left for this game").or_(page.get_by_text("One minute is left"))
    ).to_be_visible()
    finish.click()
    page.get_by_role("button", name="Leave for good").click()
    page.wait_for_url("**/thanks/")
