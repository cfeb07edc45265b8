"""The page of the wall: 34 stations on one screen, worst first, live, and honest when it is not."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, WebSocketRoute, expect

from engine.play.frames import Frame
from playtest.center.wall.news import pack_present
from playtest.center.wall.state import WallState
from playtest.people.roles import Role
from playtest.play.sessions.reads import Stage
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.center.wall.worlds import NOW, facts, frame, turn
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

STATIONS = 34
ROOM_SCREEN: ViewportSize = {"width": 1920, "height": 1080}
T = NOW.timestamp()
PIXEL = """([key, x, y]) => {
    const canvas = document.querySelector(`wall-tile[data-key="${key}"] canvas`);
    return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data.slice(0, 3)];
}"""

FAINT_WORDS = """() => [...document.querySelectorAll("#wall, wall-tile, wall-tile span:not(:empty)")]
    .filter((one) => getComputedStyle(one).opacity !== "1").map((one) => one.className)"""
PICTURE = '(key) => document.querySelector(`wall-tile[data-key="${key}"] canvas`).toDataURL()'


class Wall:
    """The server's end of the wall's socket, which says what a WallState says.

    `in_view` are the sessions that the page has said to have on the screen.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.state = WallState()
        self.sockets: list[WebSocketRoute] = []
        self.confirmed: list[int] = []
        self.in_view: set[int] = set()
        self._told_in_view: set[int] = set()
        self.number = 0
        page.route_web_socket("ws://localhost/ws/wall/", self._connected)

    def _connected(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        socket.on_message(lambda text: self._heard(json.loads(text)))
        self._told_in_view = set()
        self.state.settle(T, everything=True)
        self._say("all", self.state.snapshot(), [])

    def _heard(self, message: dict[str, Any]) -> None:
        if message["type"] == "drawn":
            self.confirmed.append(message["number"])
        else:
            self.in_view = set(message["sessions"])
            self.send_news()

    def send_news(self, at: float = T) -> None:
        changed, gone = self.state.settle(at, everything=True)
        seen = self.state.in_view(self.in_view, self._told_in_view)
        self._told_in_view = self.in_view
        self._say("news", [*changed, *seen], gone, at=at)

    def _say(self, kind: str, tiles: list[str], gone: list[str], at: float = T) -> None:
        self.number += 1
        message = {"type": kind, "at": round(at * 1000), "number": self.number, "gone": gone}
        self.sockets[-1].send(json.dumps({**message, "tiles": [json.loads(tile) for tile in tiles]}))


@pytest.fixture
def wall(page: Page) -> Wall:
    """34 stations at which people play, and one that is ready."""
    page.set_viewport_size(ROOM_SCREEN)
    wall = Wall(page)
    numbers = range(1, STATIONS + 1)
    wall.state.take_facts({pk: facts(pk) for pk in numbers})
    wall.state.take_present("one", pack_present((pk, 20 + pk) for pk in numbers), T)
    wall.state.take_stations(
        {pk: "North" if pk < 20 else "South" for pk in numbers},
        {40: {"session": None, "station": 40, "room": "South", "stage": "ready"}},
    )
    for pk in numbers:
        wall.state.take_turn(turn(pk, 12, [frame(pk % 16)]))
    browse(page, signed_in(Role.PROCTOR)).goto(f"{ORIGIN}/staff/wall/")
    expect(page.locator("wall-tile")).to_have_count(STATIONS)
    expect(page.locator("wall-tile .actions", has_text="12 actions")).to_have_count(STATIONS)
    return wall


def keys(page: Page) -> list[str]:
    found: list[str] = page.eval_on_selector_all("wall-tile", "tiles => tiles.map(tile => tile.dataset.key)")
    return found


def show(wall: Wall, session: int, board: Frame, seq: int = 13, **changes: Any) -> None:
    wall.state.take_turn(turn(session, seq, [board], **changes))
    wall.send_news()


def test_thirty_four_stations_are_readable_on_every_screen(wall: Wall) -> None:
    page = wall.page
    settled(page)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    boxes = page.eval_on_selector_all("wall-tile", "tiles => tiles.map(tile => tile.getBoundingClientRect())")
    assert all(box["x"] >= 0 and box["right"] <= 1920 and box["bottom"] <= 1080 for box in boxes)
    boards = page.eval_on_selector_all("wall-tile canvas", "all => all.map((one) => one.offsetWidth)")
    assert boards == [128] * STATIONS
    sizes = page.eval_on_selector_all(
        "wall-tile span:not(:empty)", "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(sizes) >= 14
    cut = page.eval_on_selector_all(
        "wall-tile .facts-of-tile > :not(:empty)",
        "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)",
    )
    assert cut == []
    assert page.locator("staff-controls").count() == 0
    tops = "tiles => tiles.map(tile => tile.getBoundingClientRect().top)"
    before = page.eval_on_selector_all("wall-tile", tops)
    page.get_by_text("Everybody in the room").click()
    panel = page.locator("#wall-everybody staff-controls")
    expect(panel.get_by_role("region", name="Controls for everybody")).to_be_visible()
    assert page.eval_on_selector_all("wall-tile", tops) == before
    for width in (1600, 1536, 1440, 1280, 1024, 911):
        page.set_viewport_size({"width": width, "height": 900})
        box = panel.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    page.select_option("#wall-room", "South")
    expect(page.get_by_role("region", name="Controls for everybody in room South")).to_be_visible()
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 720})
    page.select_option("#wall-room", "")
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("wall-tile canvas").first.evaluate("one => one.offsetWidth") == 128


def test_only_boards_on_the_screen_are_asked_for_and_the_large_one(wall: Wall) -> None:
    page = wall.page
    assert wall.in_view == set(range(1, STATIONS + 1))
    page.set_viewport_size({"width": 600, "height": 400})
    page.wait_for_function("() => document.documentElement.scrollHeight > 2000")
    settled(page)
    assert 1 in wall.in_view
    assert STATIONS not in wall.in_view
    show(wall, STATIONS, frame(5, 0), 15)
    page.goto(f"{page.url}#{STATIONS}")
    expect(page.locator("#wall-large dl")).to_contain_text("15")
    page.keyboard.press("Escape")
    page.locator("wall-tile").last.scroll_into_view_if_needed()
    expect(page.locator(f'[data-key="session-{STATIONS}"] .actions')).to_have_text("15 actions")
    settled(page)
    assert 1 not in wall.in_view


def test_whoever_needs_help_comes_first_and_the_others_keep_their_places(wall: Wall) -> None:
    before = keys(wall.page)
    assert before == [f"session-{pk}" for pk in range(1, STATIONS + 1)]
    show(wall, 30, frame(5, 65))
    expect(wall.page.locator('[data-key="session-30"] .actions')).to_have_text("13 actions")
    assert wall.page.evaluate(PIXEL, ["session-30", 1, 1]) == [0x1E, 0x93, 0xFF]
    assert wall.page.evaluate(PIXEL, ["session-30", 2, 1]) == [0, 0, 0]
    wall.page.wait_for_function("() => true")  # what was drawn is confirmed in between
    assert wall.confirmed == [*range(1, wall.number + 1)]
    picture = wall.page.evaluate(PICTURE, "session-30")
    wall.page.locator('[data-key="session-30"] button').focus()
    numbers = range(1, STATIONS + 1)
    called_at = NOW - timedelta(seconds=5)
    wall.state.take_facts({pk: facts(pk, called_at=called_at if pk == 30 else None) for pk in numbers})
    wall.send_news()
    tile = wall.page.locator('[data-key="session-30"]')
    expect(tile.locator(".need")).to_contain_text("calls a proctor 0:0")
    expect(wall.page.locator("#wall-answer")).to_have_text("1 station needs help")
    assert keys(wall.page) == ["session-30", *(key for key in before if key != "session-30")]
    assert tile.locator("button").evaluate("one => one === document.activeElement")
    assert wall.page.evaluate(PICTURE, "session-30") == picture
    wall.send_news(T + 60)
    assert keys(wall.page)[0] == "session-30"
    wall.state.take_present("one", pack_present((pk, 20 + pk) for pk in numbers if pk > 13), T)
    wall.send_news()
    wall.send_news(T + 4)
    expect(wall.page.locator("#wall-answer")).to_have_text(
        "13 stations lost their connection at once: see to the network; 1 more needs help"
    )


def test_heading_and_clocks_say_what_the_tiles_show(wall: Wall) -> None:
    heading = wall.page.locator("#wall-answer")
    expect(heading).to_have_text(f"All {STATIONS} stations are fine")
    expect(wall.page.locator("wall-tile .here").first).to_have_text(re.compile(r"^here [1-9]:\d\d$"))
    expect(wall.page.locator("wall-tile .session").first).to_have_text(re.compile(r"^session 3\d:\d\d$"))
    numbers = range(1, STATIONS + 1)
    wall.state.take_present("one", pack_present((pk, 20) for pk in numbers), T + 121)
    wall.send_news(T + 121)
    expect(heading).to_have_text(f"Keep an eye on {STATIONS} of {STATIONS} stations")
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert wall.page.eval_on_selector_all("wall-tile .need:not(:empty)", cut) == []


def test_one_room_and_rehearsals_are_shown_once_they_are_asked_for_and_stay_chosen(wall: Wall) -> None:
    page = wall.page
    page.select_option("#wall-room", "South")
    expect(page.locator("wall-tile")).to_have_count(15)
    expect(page.locator("#wall-idle")).to_have_text("Station 40: ready")
    assert page.url.endswith("?room=South")
    page.reload()
    expect(page.locator("wall-tile")).to_have_count(15)
    page.select_option("#wall-room", "North")
    expect(page.locator("wall-tile")).to_have_count(19)
    expect(page.locator("#wall-idle")).to_be_empty()
    page.select_option("#wall-room", "")
    expect(page.get_by_label("Rehearsals")).to_be_hidden()
    rehearsed: dict[str, Any] = {"rehearsal": True, "study": "Rehearsal of a day"}
    wall.state.take_facts({pk: facts(pk, **(rehearsed if pk > 30 else {})) for pk in range(1, STATIONS + 1)})
    wall.send_news()
    expect(page.locator("wall-tile")).to_have_count(30)
    expect(page.get_by_label("Study")).to_be_hidden()
    page.get_by_label("Rehearsals").check()
    expect(page.locator("wall-tile")).to_have_count(STATIONS)
    page.select_option("#wall-study", "Rehearsal of a day")
    expect(page.locator("wall-tile")).to_have_count(4)
    assert page.url.endswith("?study=Rehearsal+of+a+day&rehearsals=1")


def test_one_station_opens_large_from_the_keyboard_and_stays_live(wall: Wall) -> None:
    page = wall.page
    page.locator("wall-tile button").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    large = page.locator("#wall-large")
    expect(large).to_be_visible()
    expect(large.locator("h2")).to_have_text("Station 9")
    assert page.url.endswith("#9")
    settled(page)
    assert large.locator("canvas").evaluate("one => one.offsetWidth") >= 900
    show(wall, 9, frame(5, 0), level=2)
    expect(large.locator("dl")).to_contain_text("2 of 6")
    assert large.locator("canvas").evaluate(
        "one => [...one.getContext('2d').getImageData(0, 0, 1, 1).data.slice(0, 3)]"
    ) == [0x1E, 0x93, 0xFF]
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(large).to_be_hidden()
    page.wait_for_url("**/staff/wall/")  # the event comes after the dialog is hidden


def test_an_old_picture_says_so_and_is_right_after_the_connection_is_back(wall: Wall) -> None:
    page = wall.page
    expect(page.locator("#wall-live")).to_have_text("Live")
    page.locator('[data-key="session-2"] button').click()
    wall.state.take_turn(turn(2, 14, [frame(5, 0)]))
    wall.state.take_facts({pk: facts(pk) for pk in range(1, 4)})
    expect(page.locator("#wall-live")).to_contain_text("this picture is old", timeout=8000)
    expect(page.locator("#wall-large").get_by_text("this picture is old")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator('[data-key="session-2"] play-board')).to_have_css("opacity", "0.4")
    assert page.evaluate(FAINT_WORDS) == []
    expect(page.locator("#wall-live")).to_have_text("Live")
    expect(page.locator("wall-tile")).to_have_count(3)
    assert len(wall.sockets) == 2
    assert wall.page.evaluate(PIXEL, ["session-2", 0, 0]) == [0x1E, 0x93, 0xFF]


def test_an_empty_room_says_what_will_appear(page: Page) -> None:
    wall = Wall(page)
    browse(page, signed_in(Role.PROCTOR)).goto(f"{ORIGIN}/staff/wall/")
    expect(page.locator("#wall-empty")).to_contain_text("A station appears here")
    expect(page.locator("#wall-answer")).to_have_text("Nobody is playing")
    wall.state.take_facts({1: facts(1, Stage.CONSENT)})
    wall.send_news()
    expect(page.locator("wall-tile .stage")).to_have_text("reads the consent")
    expect(page.locator("#wall-empty")).to_be_hidden()
