"""`python -m tests.screenshots`: a small study is played on a throw-away server; every screen is pictured."""

import asyncio
import random
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.chromium import launch_arguments
from tests.live.human import Human, winning_actions
from tests.live.server import PASSWORD, ROOT, Server, make_template
from tests.live.station import Station

GAMES = ROOT / "games"
PICTURES = ROOT / "docs" / "pictures"
PACE_SECONDS = 0.03  # the server takes no more than fifty messages a second from one page
SIZE: ViewportSize = {"width": 1280, "height": 800}


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "server", make_template(Path(folder)), GAMES_DIR=str(GAMES))
        try:
            port = server.start()
            earlier = play_earlier_people(server, port)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(**launch_arguments())
                picture_participant(browser, server, port)
                picture_staff(browser, server, port, earlier)
                browser.close()
        finally:
            server.stop()


def play_earlier_people(server: Server, port: int) -> dict[str, Any]:
    """Four people at one environment: two solve it with detours of their own, two leave on the way."""
    study = {"name": "Spring sessions", "target_people": 10}
    seeded = server.seed(games=str(GAMES), pool=["vq37"], people=4, stage="playing", study=study)
    shares = (1.0, 1.0, 0.6, 0.3)
    for i, (person, share) in enumerate(zip(seeded["people"], shares, strict=True)):
        asyncio.run(play(port, person["seat"], share, random.Random(i)))
    return seeded


async def play(port: int, seat: str, share: float, chance: random.Random) -> None:
    """The winning actions as far as `share`, with a few resets of a level that has just begun."""
    actions = winning_actions(GAMES / "vq37")
    async with Station(port, seat) as station:
        await station.begin()
        for action in actions[: int(len(actions) * share)]:
            turn = await station.act(action.id)
            await asyncio.sleep(PACE_SECONDS)
            for _ in range(chance.randrange(9) if turn.level_completed and turn.state == 0 else 0):
                await station.act(0)
        if share < 1:
            await station.say("give_up", attempt=station.attempt)
            await station.hear_text("sitting")


def picture_participant(browser: Browser, server: Server, port: int) -> None:
    study = {"name": "Pictures", "target_people": 10}
    person = server.seed(games=str(GAMES), pool=["tz85"], people=1, stage="new", study=study)["people"][0]
    page = browser.new_page(viewport=SIZE)
    human = Human(page, f"http://127.0.0.1:{port}/")
    page.goto(human.address)
    take(page, "welcome")
    page.get_by_label("Enter your code").fill(person["code"])
    page.keyboard.press("Enter")
    page.wait_for_url("**/consent/")
    take(page, "consent")
    page.get_by_role("button", name="I agree").click()
    page.wait_for_url("**/survey/")
    take(page, "survey")
    human.skip_survey()
    take(page, "tutorial")
    human.learn()
    for action in winning_actions(GAMES / "tz85")[:30]:
        human.act(action)
    take(page, "board")
    page.get_by_role("button", name="Leave this environment").click()
    take(page, "leave")
    page.get_by_role("button", name="Leave for good").click()
    page.get_by_role("heading", name="Not solved").wait_for()
    page.wait_for_timeout(800)
    take(page, "pause")
    page.keyboard.press("Enter")
    page.wait_for_url("**/thanks/")
    take(page, "thanks")
    page.close()


def picture_staff(browser: Browser, server: Server, port: int, earlier: dict[str, Any]) -> None:
    server.seed(staff="lead", password=PASSWORD)
    page = browser.new_page(viewport=SIZE)
    root = f"http://127.0.0.1:{port}"
    page.goto(f"{root}/staff/sign-in/")
    take(page, "sign-in")
    page.get_by_label("Name").fill("lead")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/staff/sessions/")
    session = earlier["people"][0]["session"]
    pages = {
        "sessions": "/staff/sessions/",
        "session": f"/staff/sessions/{session}/",
        "studies": "/staff/studies/",
        "study": f"/staff/studies/{earlier['study']}/",
        "environments": "/staff/environments/",
        "attempts": "/staff/attempts/",
        "replay": "/staff/attempts/1/#action=60",
        "baseline": "/staff/environments/vq37/baseline/",
        "review": "/staff/review/",
        "exports": "/staff/exports/",
        "data": "/staff/data/",
        "withdrawal": "/staff/withdrawal/",
    }
    for name, path in pages.items():
        page.goto(root + path)
        page.wait_for_load_state("networkidle")
        take(page, name)
    page.close()


def take(page: Page, name: str) -> None:
    page.screenshot(path=PICTURES / f"{name}.png")


if __name__ == "__main__":
    main()
