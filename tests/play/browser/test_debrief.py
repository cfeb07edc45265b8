"""The two questions after an environment: skipped by one press, saved as given, asked at the end too."""

from playwright.sync_api import Page, expect

from tests.live.server import Server
from tests.play.browser.conftest import Participant

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


def test_answers_are_saved_as_they_are_given_and_come_back_after_a_reload(
    participant: Participant, server: Server
) -> None:
    session = participant.sit("wk01", later=["ck01"])
    page = participant.page
    leave(page, participant, session)
    page.get_by_label("Very hard").check()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert said(server, session) == [(1, 5, "")]
    page.get_by_label(ABOUT).fill("Two words")
    page.get_by_label(ABOUT).press("Enter")  # a new line: the next environment does not open
    page.get_by_label(ABOUT).press_sequentially("and more")
    page.get_by_role("heading").first.click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Very hard")).to_be_checked()
    expect(page.get_by_label(ABOUT)).to_have_value("Two words\nand more")
    assert said(server, session) == [(1, 5, "Two words\nand more")]


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


def test_answers_wait_while_the_network_is_away(participant: Participant, server: Server) -> None:
    session = participant.sit("wk01", later=["ck01"])
    page = participant.page
    leave(page, participant, session)
    page.route("**/session/debrief/", lambda route: route.abort())
    page.get_by_label("Easy", exact=True).check()
    expect(page.get_by_text("Not saved yet. Trying again.")).to_be_visible()
    page.unroute("**/session/debrief/")
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible(timeout=10_000)
    assert said(server, session) == [(1, 2, "")]


def test_the_last_page_asks_about_the_last_environment(participant: Participant, server: Server) -> None:
    session = participant.sit("wk01")
    page = participant.page
    leave(page, participant, session)
    page.wait_for_url("**/thanks/")
    page.get_by_label("Neither").check()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    assert said(server, session) == [(1, 3, "")]
    assert "seat" not in {cookie.get("name") for cookie in page.context.cookies()}
