"""In a browser: a designer plays a version from its page in the studio, with one click and without a code."""

import re

from playwright.sync_api import Page, expect

from engine.play.actions import Action
from tests.live.games import WALK
from tests.live.human import Human
from tests.live.server import PASSWORD, Server


def test_a_designer_plays_from_the_studio_and_watches_the_replay(
    page: Page, server: Server, port: int
) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.set_viewport_size({"width": 390, "height": 844})
    server.seed(played=True)
    server.seed(staff="designer", password=PASSWORD)
    human = Human(page, f"http://127.0.0.1:{port}/")
    page.goto(f"http://127.0.0.1:{port}/staff/environments/wk01/studio/")
    page.get_by_label("Name").fill("designer")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play it now").press("Enter")
    human.until_playing()
    for action in WALK[:4]:
        human.act(Action(action))
    page.reload()
    human.until_playing()
    expect(page.get_by_role("heading", name="Level 2 of 6")).to_be_visible()
    expect(page.get_by_role("button", name="Call a member of staff")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.go_back()
    page.get_by_role("button", name="Continue your play from level 1").click()
    human.until_playing()
    page.get_by_role("button", name="Leave this game").click()
    page.get_by_role("button", name="End this play").click()
    expect(page.get_by_role("heading", name="You completed 1 level")).to_be_visible()
    page.get_by_label("Play again from level").select_option("4")
    page.get_by_role("button", name="Play again").click()
    human.until_playing()
    expect(page.get_by_role("heading", name="Level 4 of 6")).to_be_visible()
    for action in WALK[9:]:
        human.act(Action(action))
    expect(page.get_by_role("heading", name="You completed 3 levels")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Watch level 5").click()
    page.wait_for_selector("replay-player[data-seq]")
    expect(page.locator("replay-player")).to_have_attribute("data-seq", "3")
    expect(page.locator("h1")).to_have_text(re.compile("played by designer: completed, 3 levels completed"))
    assert errors == []
