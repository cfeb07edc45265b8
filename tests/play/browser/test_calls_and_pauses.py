"""One button calls staff from every page, and a paused page is covered."""

import json

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.play.browser.conftest import Participant

CALL = "Call a member of staff"
CALLED = "A member of staff has been called."
COMING = "A member of staff is coming."
COMING_SHOWN_MS = 10_000
KEYS = ["a", "s", "f", "z", "r", "Space", "Enter", "Shift+ArrowUp", "ArrowDown"]
PARTS_AT = """() => [...document.querySelectorAll(".cap, canvas, .leave, pattern-switch, call-staff, h1")]
    .map((part) => part.getBoundingClientRect().toJSON())"""


IMPATIENT = """{
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (within) => { window.within = within; return timeout(within / 10); };
}"""
"""The clock of a test does not move these times, so each is a tenth."""


def called(page: Page) -> Locator:
    """What follows a call; the hidden cover of a pause has one, too."""
    return page.get_by_text(CALLED).filter(visible=True)


def calls(participant: Participant, session: int) -> int:
    """How often the session called."""
    rows = participant.server.rows(
        f"SELECT COUNT(*) FROM play_event WHERE session_id = {session} AND kind = 'proctor_called'"
    )
    return int(rows[0][0])


def press_by_tab(page: Page) -> None:
    """Reaches the button by Tab and presses it."""
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == CALL:
            page.keyboard.press("Enter")
            return
    raise AssertionError("Tab does not reach the button")


def test_a_call_is_shown_until_it_is_answered_and_play_goes_on(participant: Participant) -> None:
    session = participant.sit("wk01")
    page = participant.page
    before = page.evaluate(PARTS_AT)
    for key in KEYS:
        page.keyboard.press(key)
    page.get_by_role("button", name=CALL).click()
    expect(called(page)).to_be_visible()
    # A cap is drawn lower for a moment after each press that is carried out; then everything is where it was.
    page.wait_for_function(
        f"(before) => JSON.stringify(({PARTS_AT})()) === JSON.stringify(before)", arg=before
    )
    assert calls(participant, session) == 1, "no key of play calls"
    page.clock.install()
    page.reload()
    page.wait_for_selector("main[data-connection=live]")
    expect(called(page)).to_be_visible()
    assert participant.server.seed(answer_call=session) == {"answered": True}
    participant.ask_now()
    expect(page.get_by_text(COMING).filter(visible=True)).to_be_visible()
    expect(called(page)).to_be_hidden()
    expect(page.get_by_role("button", name=CALL)).to_be_hidden()
    page.clock.run_for(COMING_SHOWN_MS)
    expect(page.get_by_text(COMING).filter(visible=True)).to_have_count(0)
    press_by_tab(page)
    expect(called(page)).to_be_visible()
    expect(page.get_by_role("application", name="Board")).to_be_focused()
    assert calls(participant, session) == 2


def test_enter_on_the_button_does_not_open_the_next_environment(participant: Participant) -> None:
    session = participant.sit("wk01", stage="pause")
    page = participant.page
    expect(page.get_by_role("button", name="Start")).to_be_enabled()
    press_by_tab(page)
    expect(called(page)).to_be_focused()
    expect(page.get_by_role("heading", name="Ready when you are")).to_be_visible()
    assert calls(participant, session) == 1


def test_a_call_needs_no_socket(participant: Participant) -> None:
    session = participant.sit("wk01")
    page = participant.page
    page.route_web_socket("**/ws/session/*", lambda socket: None)
    page.reload()
    expect(page.get_by_text("Connecting…")).to_be_visible()
    page.get_by_role("button", name=CALL).click()
    expect(called(page)).to_be_visible()
    assert calls(participant, session) == 1


def test_every_page_before_play_has_the_button(participant: Participant) -> None:
    session = participant.reach("consent")
    page = participant.page
    page.get_by_role("button", name=CALL).click()
    expect(called(page)).to_be_visible()
    participant.agree()
    expect(called(page)).to_be_visible()
    participant.skip_survey()
    expect(called(page)).to_be_visible()
    assert calls(participant, session) == 1


def test_a_call_that_fails_says_what_to_do(participant: Participant) -> None:
    participant.reach("consent")
    page = participant.page
    page.context.set_offline(True)
    page.get_by_role("button", name=CALL).click()
    failed = page.get_by_role("button", name="That did not work. Try again, or raise your hand.")
    expect(failed).to_be_visible()
    page.context.set_offline(False)
    failed.click()
    expect(called(page)).to_be_visible()


def test_a_call_without_an_answer_says_within_seconds_to_raise_a_hand(participant: Participant) -> None:
    page = participant.page
    page.add_init_script(IMPATIENT)
    participant.reach("consent")
    page.route("**/session/call/", lambda route: None)
    page.get_by_role("button", name=CALL).click()
    expect(page.get_by_role("button", name="Calling…")).to_be_visible()
    expect(page.get_by_text(COMING)).to_have_count(0)
    expect(page.get_by_role("button", name="raise your hand")).to_be_visible()
    assert page.evaluate("window.within") == 5000


SENTENCE = "Paused. A member of staff will continue in a moment. Your time is stopped."
PICTURE = "document.querySelector('canvas').toDataURL()"
PLACES = """() => [...document.querySelectorAll(".cap, canvas, .leave, .level, .clock, prompt-bar button")]
    .map((part) => part.getBoundingClientRect().toJSON())"""
COVERED = """() => [...document.querySelectorAll("canvas, .cap, .leave")].every((part) => {
    const box = part.getBoundingClientRect();
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("paused-cover");
})"""
FOCUSED = "document.activeElement.localName"


def do(participant: Participant, control: str, session: int, **arguments: object) -> None:
    participant.server.seed(control=control, session=session, **arguments)
    participant.ask_now()


def test_the_board_is_covered_during_a_pause_and_comes_back_as_it_was(participant: Participant) -> None:
    page = participant.page
    page.clock.install()
    session = participant.sit("wk01")
    opening = page.evaluate(PICTURE)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"(opening) => {PICTURE} !== opening", arg=opening)
    do(participant, "pausing", session, reason="fire alarm")
    page.get_by_role("button", name="Leave this game").click()
    page.get_by_role("button", name="Leave for good").click()  # the page does not know of the pause yet
    expect(page.get_by_role("heading", name=SENTENCE)).to_be_visible()
    assert page.evaluate(COVERED)
    clock = page.locator(".clock").inner_text()
    for key in ("ArrowRight", "r", "Enter", "Tab", "Space"):
        page.keyboard.press(key)
    page.reload()
    expect(page.get_by_role("heading", name=SENTENCE)).to_be_visible()
    page.wait_for_selector("main[data-stage=playing]")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".clock")).to_have_text(clock)
    do(participant, "resuming", session)
    page.clock.fast_forward(6_000)  # no other process notifies the page: its next ping finds out
    expect(page.get_by_role("heading", name=SENTENCE)).to_be_hidden()
    page.wait_for_selector("main[data-connection=live]")
    page.wait_for_function(f"{FOCUSED} === 'play-board'")
    assert [action for action, *_ in participant.actions(session)] == [4]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Level 2 of 6")).to_be_visible()


def test_what_was_chosen_in_the_survey_is_still_chosen_after_a_pause(participant: Participant) -> None:
    session = participant.reach("survey")
    page = participant.page
    page.get_by_label("25 to 34").check()
    do(participant, "pausing", session, reason="")
    expect(page.get_by_role("heading", name=SENTENCE)).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    do(participant, "resuming", session)
    expect(page.get_by_role("heading", name=SENTENCE)).to_be_hidden()
    expect(page.get_by_label("25 to 34")).to_be_checked()
    expect(page.get_by_label("25 to 34")).to_be_focused()
    expect(page.get_by_text("1 of 5")).to_be_visible()


def test_a_paused_person_can_call_and_hears_announcements_before_the_first_environment(
    participant: Participant,
) -> None:
    session = participant.reach("consent")
    page = participant.page
    do(participant, "pausing", session, reason="")
    expect(page.get_by_role("heading", name=SENTENCE)).to_be_visible()
    do(participant, "planning_end", session, minutes=5)
    expect(page.locator("paused-cover").get_by_text("About 5 minutes left in your session.")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("paused-cover").get_by_text("A member of staff has been called.")).to_be_visible()
    do(participant, "resuming", session)
    expect(page.locator("footer").get_by_text("A member of staff has been called.")).to_be_visible()
    expect(page.locator("footer call-staff button")).to_be_hidden()


def test_an_announcement_moves_nothing_and_goes_by_itself(participant: Participant) -> None:
    participant.sit("wk01", soft_seconds=1)
    page = participant.page
    sockets: list[WebSocketRoute] = []
    page.route_web_socket("**/ws/session/*", lambda socket: listen(socket, sockets))
    page.clock.install()
    page.reload()
    page.wait_for_selector("main[data-stage=playing][data-connection=live]")
    expect(page.get_by_role("button", name="Finish now")).to_be_visible()
    announce(page, sockets)
    for width, height in ((390, 844), (844, 390)):
        resize(page, width, height)
        announce(page, sockets)
    page.clock.fast_forward(16_000)
    expect(page.locator("time-announcement").first).to_be_hidden()
    page.get_by_role("button", name="Leave this game").click()
    sockets[-1].send(json.dumps({"type": "announcement", "minutes": 5}))
    expect(page.get_by_role("dialog").get_by_text("About 5 minutes left in your session.")).to_be_visible()


def resize(page: Page, width: int, height: int) -> None:
    """Returns when the page has been told of its new size: the board is drawn again only then."""
    told = "new Promise((told) => addEventListener('resize', told, {once: true}))"
    page.evaluate(f"void (window.resized = {told})")
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("window.resized.then(() => {})")


def announce(page: Page, sockets: list[WebSocketRoute]) -> None:
    page.evaluate("document.querySelector('time-announcement').replaceChildren()")
    before = page.evaluate(PLACES)
    sockets[-1].send(json.dumps({"type": "announcement", "minutes": 5}))
    expect(page.get_by_text("About 5 minutes left in your session.")).to_be_visible()
    page.wait_for_function(f"(before) => JSON.stringify(({PLACES})()) === JSON.stringify(before)", arg=before)
    assert page.evaluate(FOCUSED) == "play-board"


def listen(socket: WebSocketRoute, sockets: list[WebSocketRoute]) -> None:
    socket.connect_to_server()
    sockets.append(socket)
