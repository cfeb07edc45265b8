"""One button calls a member of staff from every page, and no key of play presses it."""

from playwright.sync_api import Locator, Page, expect

from tests.play.browser.conftest import Participant

CALL = "Call a member of staff"
CALLED = "A member of staff has been called."
COMING = "A member of staff is coming."
KEYS = ["a", "s", "f", "z", "r", "Space", "Enter", "Shift+ArrowUp", "ArrowDown"]
PLACES = """() => [...document.querySelectorAll(".cap, canvas, .leave, pattern-switch, call-staff, h1")]
    .map((part) => part.getBoundingClientRect().toJSON())"""


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
    before = page.evaluate(PLACES)
    for key in KEYS:
        page.keyboard.press(key)
    page.get_by_role("button", name=CALL).click()
    expect(called(page)).to_be_visible()
    # A cap is drawn lower for a moment after each press that is carried out; then everything is where it was.
    page.wait_for_function(f"(before) => JSON.stringify(({PLACES})()) === JSON.stringify(before)", arg=before)
    assert calls(participant, session) == 1, "no key of play calls"
    page.reload()
    page.wait_for_selector("main[data-connection=live]")
    expect(called(page)).to_be_visible()
    assert participant.server.seed(answer_call=session) == {"answered": True}
    expect(page.get_by_text(COMING).filter(visible=True)).to_be_visible()
    expect(called(page)).to_be_hidden()
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
    session = participant.arrive()
    page = participant.page
    page.get_by_role("button", name=CALL).click()
    expect(called(page)).to_be_visible()
    participant.agree()
    expect(called(page)).to_be_visible()
    participant.skip_survey()
    expect(called(page)).to_be_visible()
    assert calls(participant, session) == 1


def test_a_call_that_fails_says_what_to_do(participant: Participant) -> None:
    participant.arrive()
    page = participant.page
    page.context.set_offline(True)
    page.get_by_role("button", name=CALL).click()
    failed = page.get_by_role("button", name="That did not work. Try again, or raise your hand.")
    expect(failed).to_be_visible()
    page.context.set_offline(False)
    failed.click()
    expect(called(page)).to_be_visible()


def test_a_call_without_an_answer_says_within_seconds_to_raise_a_hand(participant: Participant) -> None:
    participant.arrive()
    page = participant.page
    page.route("**/session/call/", lambda route: None)
    page.get_by_role("button", name=CALL).click()
    expect(page.get_by_role("button", name="Calling…")).to_be_visible()
    expect(page.get_by_text(COMING)).to_have_count(0)
    expect(page.get_by_role("button", name="raise your hand")).to_be_visible(timeout=8000)
