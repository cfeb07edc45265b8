"""A session from the proctor's page to the baseline, in a real browser, with keys and mouse."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, Response, expect

from engine.play.actions import CLICK, Action
from tests.browsing import bundles
from tests.live.games import WALK
from tests.live.human import Human
from tests.live.server import PASSWORD, Server
from tests.live.visitor import Visitor

WON, LEFT = "wk01", "ck01"
ACTIONS = {WON: [Action(action) for action in WALK], LEFT: [Action(CLICK, 5, 23)] * 2 + [Action(7)]}
"""What is done in each: the other one is left on its second level."""


def environment_shown(human: Human) -> str:
    """Identifies the shown environment by its controls."""
    return WON if "Left" in human.controls() else LEFT


def test_a_person_plays_a_session_and_staff_read_it(page: Page, make_server: Callable[..., Server]) -> None:
    server = make_server()
    (server.folder / "assets").symlink_to(bundles())
    port = server.start()
    watched = WatchedPages(page)
    server.seed(pool=[*ACTIONS], people=0)
    proctor = server.staff(port, "proctor")
    code = create_session(server, proctor)
    human = Human(page, f"http://127.0.0.1:{port}/")
    human.check_in(code)
    won = play_until_thanked(human)
    assert sorted(won) == sorted(ACTIONS)
    check_journal(server)
    read_as_researcher(server, port, page)
    watched.check()


class WatchedPages:
    """What a page loads, and what fails on it, as `make up` serves it: bundled and compressed."""

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self.loads: list[list[Response]] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("response", self._answered)

    def _answered(self, response: Response) -> None:
        if response.request.is_navigation_request():
            self.loads.append([])
        self.loads[-1].append(response)

    def check(self) -> None:
        """At most 12 files a page; all of `static/` is kept by browsers and compressed."""
        assert self.errors == []
        assert max(map(len, self.loads)) <= 12
        fixed = [response for load in self.loads for response in load if "/static/" in response.url]
        assert any("review/replay-player." in response.url for response in fixed)
        for response in fixed:
            assert "immutable" in response.headers["cache-control"], response.url
        encodings = {response.headers.get("content-encoding") for load in self.loads for response in load}
        assert {"gzip", "br"} <= encodings


def watch_to_the_end(page: Page) -> None:
    """Plays the replay up to the last action on the last level."""
    actions = len(ACTIONS[WON])
    page.goto(f"{page.url}#action={actions}")
    page.reload()
    player = page.locator("replay-player")
    expect(player.locator("canvas").first).to_be_visible()
    expect(player.locator(".moment-line output")).to_contain_text(f"{actions}")


def create_session(server: Server, proctor: Visitor) -> str:
    proctor.get("/staff/sessions/new/")
    [(study,)] = server.rows("SELECT id FROM play_study")
    answer = proctor.post("/staff/sessions/new/", study=str(study), new="on", name="")
    found = re.search(r"<output[^>]*>([0-9A-Z]{3}-[0-9A-Z]{3})<", answer.text)
    assert found, answer.text
    return found[1]


def play_until_thanked(human: Human) -> list[str]:
    """Win one environment, leave the other one early, reload during each."""
    seen: list[str] = []
    while "/thanks/" not in human.page.url:
        name = environment_shown(human)
        seen.append(name)
        leave = name != WON
        for i, action in enumerate(ACTIONS[name]):
            if i == 1:
                human.page.reload()
                human.until_playing()
            human.act(action)
        if leave:
            human.page.get_by_role("button", name="Leave this game").click()
            human.page.get_by_role("button", name="Leave for good").click()
        if len(seen) == len(ACTIONS):
            human.page.wait_for_url("**/thanks/")
            continue
        expected = "On to the next one" if leave else "Solved"
        expect(human.page.get_by_role("heading", name=expected, exact=True)).to_be_visible()
        expect(human.page.get_by_role("button", name="Next")).to_be_enabled()
        human.page.keyboard.press("Enter")
        human.until_playing()
    return seen


def check_journal(server: Server) -> None:
    attempts = dict(
        server.rows(
            "SELECT e.code, a.outcome FROM play_attempt a"
            " JOIN studio_environment e ON e.id = a.environment_id"
        )
    )
    assert attempts == {LEFT: "gave_up", WON: "completed"}
    for name in attempts:
        played = server.rows(
            "SELECT j.action, j.x, j.y FROM play_entry j JOIN play_attempt a ON a.id = j.attempt_id"
            f" JOIN studio_environment e ON e.id = a.environment_id WHERE e.code = '{name}' AND j.seq > 0"
            " ORDER BY j.seq"
        )
        assert played == [(action.id, action.x, action.y) for action in ACTIONS[name]]


def read_as_researcher(server: Server, port: int, page: Page) -> None:
    server.seed(staff="researcher", password=PASSWORD)
    page.context.clear_cookies()
    page.goto(f"http://127.0.0.1:{port}/staff/sign-in/?next=/staff/attempts/")
    page.get_by_label("Name").fill("researcher")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/staff/attempts/")
    row = page.get_by_role("row").filter(has_text=WON)
    expect(row).to_contain_text("6 of 6")
    row.get_by_role("link").first.click()
    page.wait_for_url(re.compile(r"/staff/attempts/\d+/"))
    watch_to_the_end(page)
    answer = json.loads(server.command("baseline", WON, "--json"))
    assert [level["completers"] for level in answer["levels"]] == [1] * 6
    assert sum(level["upper_median"] for level in answer["levels"]) == len(ACTIONS[WON])
    page.goto(f"http://127.0.0.1:{port}/staff/environments/{WON}/baseline/")
    expect(page.get_by_role("row").filter(has_text="6").last).to_be_visible()
