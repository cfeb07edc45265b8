"""A station from its registration to the next person, in a real kiosk browser that is killed in between."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from tests.live.human import MAY_ACT, SHOWN
from tests.live.kiosk_browser import KioskBrowser
from tests.live.server import Server
from tests.live.test_idle_stations import move
from tests.live.test_reload_and_restart import entries
from tests.live.visitor import Visitor

BOARD = "document.querySelector('play-board canvas').toDataURL()"
READY = re.compile("Ready")


@pytest.fixture
def kiosk(playwright: Playwright, tmp_path: Path, port: int) -> Iterator[KioskBrowser]:
    browser = KioskBrowser(playwright, tmp_path / "profile", f"http://127.0.0.1:{port}")
    yield browser
    browser.kill()


def registration_code(proctor: Visitor, number: int) -> str:
    proctor.get("/staff/stations/")
    proctor.post("/staff/stations/new/", room="Browsers", first=str(number), count="1")
    shown = proctor.post(f"/staff/stations/{number}/code/")
    found = re.search(r"<output[^>]*>([0-9A-Z]{3}-[0-9A-Z]{3})<", shown.text)
    assert found, shown.text
    return found[1]


def register(page: Page, root: str, code: str) -> None:
    page.goto(f"{root}/station/")
    page.get_by_label("registration code").fill(code)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text(READY)


def until_playing(page: Page) -> Page:
    page.wait_for_selector("main[data-stage=playing][data-connection=live]")
    page.wait_for_function(MAY_ACT)
    return page


def press(page: Page, key: str) -> None:
    shown = page.evaluate("Number(document.querySelector('main').dataset.shown)")
    page.keyboard.press(key)
    page.wait_for_function(SHOWN, arg=str(shown + 1))


def names(context: BrowserContext) -> set[str]:
    return {cookie["name"] for cookie in context.cookies()}


def test_a_station_restarts_into_the_same_place_and_forgets_who_was_there(
    server: Server, port: int, kiosk: KioskBrowser, context: BrowserContext
) -> None:
    root = f"http://127.0.0.1:{port}"
    proctor = server.staff(port, "proctor")
    session = server.seed(pool=["wk01"], stage="playing")["people"][0]["session"]

    # A browser becomes station 7301, and goes by itself to the session that is moved there.
    page = kiosk.start()
    register(page, root, registration_code(proctor, 7301))
    move(proctor, session, 7301)
    until_playing(page)
    press(page, "ArrowDown")
    shown = page.evaluate(BOARD)

    # The machine is shut down and started, and the seat's cookie is lost: the device token is enough.
    page.context.clear_cookies(name="seat")
    kiosk.close()
    page = until_playing(kiosk.start())
    assert page.evaluate(BOARD) == shown
    press(page, "ArrowRight")
    shown, recorded = page.evaluate(BOARD), entries(server, session)

    # It is killed in mid-level, as by a power failure.
    kiosk.kill()
    page = until_playing(kiosk.start())
    assert page.evaluate(BOARD) == shown
    assert entries(server, session) == recorded

    # The person moves to another station, where the same board is shown; this one welcomes the next.
    other = context.new_page()
    register(other, root, registration_code(proctor, 7302))
    move(proctor, session, 7302)
    until_playing(other)
    expect(page.get_by_role("status")).to_have_text(READY)
    assert other.evaluate(BOARD) == shown
    press(other, "ArrowDown")
    assert len(entries(server, session)) == len(recorded) + 1

    # Staff end the session: nothing of it is left, and Back leads to the welcome page.
    other.evaluate("localStorage.setItem('one', '1'); sessionStorage.setItem('two', '2')")
    proctor.post(f"/staff/sessions/{session}/end/")
    other.wait_for_url("**/session/thanks/")
    other.get_by_role("link", name="Return now").click()
    expect(other.get_by_role("status")).to_have_text(READY)
    assert names(context) == {"station", "csrftoken"}
    assert other.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]
    expect_welcome_after(other, other.go_back)
    expect_welcome_after(other, other.go_forward)


def expect_welcome_after(page: Page, step: Callable[[], object]) -> None:
    step()
    expect(page.get_by_label("Enter your code")).to_be_visible()
    assert "/session/" not in page.url


def test_a_page_without_a_socket_leaves_when_the_session_ends(
    server: Server, port: int, page: Page, make_code: Callable[[], tuple[int, str]]
) -> None:
    session, code = make_code()
    page.goto(f"http://127.0.0.1:{port}/")
    page.get_by_label("Enter your code").fill(code)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="I agree").wait_for()
    server.staff(port, "proctor").post(f"/staff/sessions/{session}/end/")
    page.wait_for_url("**/session/thanks/")
    page.get_by_role("link", name="Return now").click()
    for step in (page.go_back, page.go_back, page.go_forward):
        expect_welcome_after(page, step)


def test_a_station_fills_the_screen_at_the_first_key(
    server: Server, port: int, page: Page, context: BrowserContext
) -> None:
    cookie = server.seed(stations=[7303])["stations"]["7303"]
    root = f"http://127.0.0.1:{port}"
    page.goto(root)
    page.keyboard.press("a")
    assert page.evaluate("document.fullscreenElement === null"), "this browser is no station"
    context.add_cookies([{"name": "station", "value": cookie, "url": root}])
    page.reload()
    expect(page.get_by_role("status")).to_have_text(READY)
    page.keyboard.press("a")
    page.wait_for_function("() => document.fullscreenElement !== null")


@pytest.mark.long
def test_a_station_says_when_it_has_no_connection(
    server: Server, port: int, page: Page, context: BrowserContext
) -> None:
    cookie = server.seed(stations=[7304])["stations"]["7304"]
    root = f"http://127.0.0.1:{port}"
    context.add_cookies([{"name": "station", "value": cookie, "url": root}])
    page.clock.install()
    page.goto(root)
    status = page.get_by_role("status")
    expect(status).to_have_text(READY)
    context.set_offline(True)  # a pulled cable: nothing says that the connection is gone
    page.clock.run_for(16_000)
    expect(status).to_have_text("No connection")
    context.set_offline(False)
    page.clock.run_for(10_000)
    expect(status).to_have_text(READY)


@pytest.fixture
def make_code(server: Server) -> Callable[[], tuple[int, str]]:
    def make() -> tuple[int, str]:
        person = server.seed(pool=["wk01"], stage="new")["people"][0]
        return person["session"], person["code"]

    return make
