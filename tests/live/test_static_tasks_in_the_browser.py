"""Tasks in a browser at a real server: solved, reloaded, set aside, and the tutorial.

`tests/play/browser/test_task_editor.py` has what mouse, keys and touch do in the editor.
"""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.accessibility import violations
from tests.browsing import painted
from tests.live.human import Human
from tests.live.server import Server
from tests.live.test_static_tasks import TASKS

ONE, OTHER = "d98105bc", "ac90e5d1"
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
FITS = """() => {
    const { scrollWidth, scrollHeight } = document.scrollingElement;
    return scrollWidth <= innerWidth && scrollHeight <= innerHeight;
}"""
KEY = 1

type Grid = list[list[int]]


def solution(code: str) -> Grid:
    """The output of a task's only test input."""
    [pair] = json.loads((TASKS / f"{code}.json").read_text())["test"]
    output: Grid = pair["output"]
    return output


def drawn(page: Page) -> Grid:
    """The output grid in work, as the page has it."""
    found: Grid = page.locator(".task-output task-grid").evaluate(
        "(grid) => grid.grid.map((row) => [...row])"
    )
    return found


def draw(page: Page, wanted: Grid) -> None:
    """By keys alone: the size, then cell after cell."""
    now, press = drawn(page), page.keyboard.press
    for count, key in ((len(wanted) - len(now), "Down"), (len(wanted[0]) - len(now[0]), "Right")):
        for _ in range(abs(count)):
            press(f"Alt+Arrow{key if count > 0 else {'Down': 'Up', 'Right': 'Left'}[key]}")
    at, now = (0, 0), drawn(page)
    cells = [(y, x) for y, row in enumerate(wanted) for x, _ in enumerate(row) if wanted[y][x] != now[y][x]]
    for y, x in cells:
        press(str(wanted[y][x]))
        for steps, more, less in ((y - at[0], "Down", "Up"), (x - at[1], "Right", "Left")):
            for _ in range(abs(steps)):
                press(f"Arrow{more if steps > 0 else less}")
        press("Space")
        at = y, x


@pytest.fixture(scope="module", autouse=True)
def tasks(server: Server) -> None:
    server.seed(tasks=str(TASKS))


@pytest.fixture
def seated(browser: Browser, server: Server, port: int) -> Iterator[Callable[..., tuple[Page, int]]]:
    """`seated(code, ...)`: the page of somebody at a station, and the session's number."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def sit(*codes: str) -> tuple[Page, int]:
        seeded = server.seed(pool=list(codes), stage="playing", study={"debrief": False})
        person, address = seeded["people"][0], f"http://127.0.0.1:{port}/"
        contexts.append(browser.new_context(viewport=DESK))  # type: ignore[arg-type]
        contexts[-1].add_cookies([{"name": "seat", "value": person["seat"], "url": address}])
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        until_live(page)
        return page, person["session"]

    yield sit
    for context in contexts:
        context.close()
    assert errors == []


def until_live(page: Page) -> None:
    page.wait_for_selector("main[data-stage=playing][data-kind=task][data-connection=live]")


def test_a_task_is_solved_by_keys_and_outlasts_a_reload(
    server: Server, seated: Callable[..., tuple[Page, int]]
) -> None:
    page, session = seated(ONE)
    assert violations(page) == []
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    is_shown = "document.querySelector('.task-output canvas').getBoundingClientRect().width > 0"
    page.wait_for_function(f"() => {is_shown}")
    assert page.evaluate(FITS)
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    wanted = solution(ONE)
    draw(page, [[0] * len(wanted[0]) for _ in wanted])
    page.reload()
    until_live(page)
    assert (len(drawn(page)), len(drawn(page)[0])) == (len(wanted), len(wanted[0]))
    draw(page, wanted)
    assert drawn(page) == wanted
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/thanks/")
    rows = server.rows(f"SELECT outcome FROM play_attempt WHERE session_id = {session}")
    assert rows == [("completed",)]
    painted = server.rows(
        "SELECT DISTINCT e.input_kind FROM play_entry e JOIN play_attempt a ON a.id = e.attempt_id"
        f" WHERE a.session_id = {session} AND e.action = 2"
    )
    assert painted == [(KEY,)]


def test_the_tutorial_is_done_by_drawing_what_is_missing(browser: Browser, server: Server, port: int) -> None:
    """A study of both kinds has both parts: Start of the first leads to the second."""
    person = server.seed(pool=["wk01", "d98105bc"], stage="new")["people"][0]
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    human = Human(page, f"http://127.0.0.1:{port}/")
    page.goto(human.address)
    page.get_by_label("Enter your code").fill(person["code"])
    page.keyboard.press("Enter")
    page.get_by_role("button", name="I agree").click()
    page.wait_for_url("**/survey/")
    human.skip_survey()
    painted(page)
    for key in ("w", "ArrowLeft", "ArrowDown", "d", "r"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/tutorial/?part=task")
    start = page.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_disabled()
    assert violations(page) == []
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_role("button", name="Submit it").click()
    expect(page.get_by_text("Wrong")).to_be_visible()
    expect(start).to_be_disabled()
    page.keyboard.press("c")
    page.get_by_role("button", name="azure").click()
    page.get_by_role("button", name="Fill", exact=True).click()
    box = page.locator(".task-output task-grid canvas").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(start).to_be_enabled()
    start.click()
    page.wait_for_url("**/play/")
    page.close()


def test_a_task_is_set_aside_and_taken_up_with_what_was_drawn(
    server: Server, seated: Callable[..., tuple[Page, int]]
) -> None:
    page, session = seated(ONE, OTHER)
    page.keyboard.press("3")
    page.keyboard.press("Space")
    page.get_by_role("button", name="Set aside for later").click()
    expect(page.get_by_role("heading", name="Set aside")).to_be_visible()
    assert violations(page) == []
    page.reload()
    back = page.get_by_role("button", name="Go back to number 1")
    expect(back).to_be_enabled()
    page.get_by_role("button", name="Next", exact=True).click()
    until_live(page)
    expect(page.locator("main")).to_have_attribute("data-shown", "0")
    page.get_by_role("button", name="Set aside for later").click()
    expect(page.get_by_text("Nothing new is left.")).to_be_visible()
    expect(page.get_by_role("button", name="Finish")).to_be_enabled()
    page.keyboard.press("Enter")  # a key too many does not end the session
    back.click()
    until_live(page)
    expect(page.locator("main")).to_have_attribute("data-shown", "1")
    assert drawn(page)[0][0] == 3
    page.get_by_role("button", name="Set aside for later").click()
    page.get_by_role("button", name="Finish").click()
    page.wait_for_url("**/session/thanks/")
    kinds = server.rows(
        f"SELECT kind FROM play_event WHERE session_id = {session}"
        " AND kind IN ('set_aside', 'taken_up') ORDER BY id"
    )
    assert [kind for (kind,) in kinds] == ["set_aside", "set_aside", "taken_up", "set_aside"]
