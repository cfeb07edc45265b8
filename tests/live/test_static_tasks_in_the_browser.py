"""Tasks are solved in a browser by mouse, by keys and by touch, with a reload and a lost network."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocket, expect

from tests.accessibility import violations
from tests.live.human import Human
from tests.live.server import Server
from tests.live.test_static_tasks import TASKS

TEN = (
    "d98105bc", "ac90e5d1", "85c3f0e9", "36f9a1d2", "9b62d0f8",
    "58a2d94f", "8e15a7b4", "cb7e46a5", "5e07b3c6", "a3f7041c",
)  # fmt: skip
COLOURS = ("black", "blue", "red", "green", "yellow", "grey", "magenta", "orange", "azure", "maroon")
INPUT_KINDS = {"keys": 1, "mouse": 3, "touch": 4}

type Grid = list[list[int]]


def read(code: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((TASKS / f"{code}.json").read_text())
    return document


@dataclass
class Solver:
    """Somebody who knows the solutions. `shown` is the newest `task` message of the server."""

    page: Page
    codes: tuple[str, ...]
    shown: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: self._heard(data))

    def _heard(self, data: str | bytes) -> None:
        message = json.loads(data) if isinstance(data, str) else {}
        if message.get("type") == "task":
            self.shown = message

    @property
    def code(self) -> str:
        """Which task is shown, recognised by its test inputs."""
        inputs = self.shown["inputs"]
        return next(code for code in self.codes if [pair["input"] for pair in read(code)["test"]] == inputs)

    @property
    def grid(self) -> Grid:
        """The output grid in work, as the page has it."""
        found: Grid = self.page.locator(".task-output task-grid").evaluate(
            "(grid) => grid.grid.map((row) => [...row])"
        )
        return found

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def solve(self) -> None:
        """Solves each test input of the task that is shown."""
        for number, pair in enumerate(read(self.code)["test"], start=1):
            self.draw(pair["input"], pair["output"])
            assert self.grid == pair["output"]
            self.submit()
            if number < len(self.shown["inputs"]):
                expect(self.page.locator(".level")).to_have_text(
                    f"Test input {number + 1} of {len(self.shown['inputs'])}"
                )

    def draw(self, given: Grid, wanted: Grid) -> None:
        if (len(given), len(given[0])) == (len(wanted), len(wanted[0])):
            self.copy_input()
        else:
            self.resize(len(wanted), len(wanted[0]))
        now = self.grid
        for colour in range(10):
            cells = [
                (y, x)
                for y, row in enumerate(wanted)
                for x, cell in enumerate(row)
                if cell == colour != now[y][x]
            ]
            if cells:
                self.choose(colour)
                self.paint(cells)

    def resize(self, height: int, width: int) -> None:
        now = self.grid
        for count, more, less in (
            (height - len(now), "One row more", "One row less"),
            (width - len(now[0]), "One column more", "One column less"),
        ):
            for _ in range(abs(count)):
                self.press(more if count > 0 else less)

    def copy_input(self) -> None:
        self.press("Copy input")

    def choose(self, colour: int) -> None:
        self.press(COLOURS[colour])

    def submit(self) -> None:
        self.press("Submit")

    def paint(self, cells: list[tuple[int, int]]) -> None:
        raise NotImplementedError

    def point(self, row: int, column: int) -> tuple[float, float]:
        box = self.page.locator(".task-output task-grid canvas").bounding_box()
        assert box is not None
        height, width = len(self.grid), len(self.grid[0])
        return box["x"] + (column + 0.5) * box["width"] / width, box["y"] + (row + 0.5) * box[
            "height"
        ] / height


class ByMouse(Solver):
    """Paints cells beside each other in one stroke."""

    def paint(self, cells: list[tuple[int, int]]) -> None:
        numbered = enumerate(cells)
        for _, run in groupby(numbered, lambda each: (each[1][0], each[1][1] - each[0])):
            stroke = [cell for _, cell in run]
            self.page.mouse.move(*self.point(*stroke[0]))
            self.page.mouse.down()
            self.page.mouse.move(*self.point(*stroke[-1]), steps=2 * len(stroke))
            self.page.mouse.up()


class ByTouch(Solver):
    """Taps each cell and each button."""

    def paint(self, cells: list[tuple[int, int]]) -> None:
        for cell in cells:
            self.page.touchscreen.tap(*self.point(*cell))

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).tap()


class ByKeys(Solver):
    """Never touches a pointer."""

    cursor = (0, 0)

    def draw(self, given: Grid, wanted: Grid) -> None:
        self.cursor = (0, 0)
        super().draw(given, wanted)

    def copy_input(self) -> None:
        self.page.keyboard.press("c")

    def resize(self, height: int, width: int) -> None:
        now = self.grid
        for count, more, less in (
            (height - len(now), "ArrowDown", "ArrowUp"),
            (width - len(now[0]), "ArrowRight", "ArrowLeft"),
        ):
            for _ in range(abs(count)):
                self.page.keyboard.press(f"Alt+{more if count > 0 else less}")

    def choose(self, colour: int) -> None:
        self.page.keyboard.press(str(colour))

    def paint(self, cells: list[tuple[int, int]]) -> None:
        for row, column in cells:
            down, right = row - self.cursor[0], column - self.cursor[1]
            for count, more, less in ((down, "ArrowDown", "ArrowUp"), (right, "ArrowRight", "ArrowLeft")):
                for _ in range(abs(count)):
                    self.page.keyboard.press(more if count > 0 else less)
            self.page.keyboard.press("Space")
            self.cursor = (row, column)

    def submit(self) -> None:
        self.page.keyboard.press("Control+Enter")


SOLVERS: dict[str, type[Solver]] = {"mouse": ByMouse, "keys": ByKeys, "touch": ByTouch}


@pytest.fixture(scope="module", autouse=True)
def tasks(server: Server) -> None:
    server.manage("import_tasks", str(TASKS))


@pytest.fixture
def seated(browser: Browser, server: Server, port: int) -> Iterator[Callable[..., tuple[Page, int]]]:
    """`seated(codes, touch=False)`: the page of somebody at a station, and the session's number."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def sit(codes: tuple[str, ...], *, touch: bool = False, **study: Any) -> tuple[Page, int]:
        person = server.seed(pool=list(codes), stage="playing", study={"debrief": False, **study})["people"][
            0
        ]
        size = {"width": 412, "height": 915} if touch else {"width": 1280, "height": 800}
        context = browser.new_context(viewport=size, has_touch=touch, is_mobile=touch)  # type: ignore[arg-type]
        contexts.append(context)
        address = f"http://127.0.0.1:{port}"
        context.add_cookies([{"name": "seat", "value": person["seat"], "url": address}])
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page, person["session"]

    yield sit
    for context in contexts:
        context.close()
    assert errors == []


def until_live(page: Page) -> None:
    page.wait_for_selector("main[data-stage=playing][data-kind=task][data-connection=live]")


@pytest.mark.parametrize(
    ("how", "number_of_tasks"),
    [
        ("mouse", 1),
        ("keys", 1),
        ("touch", 1),
        *(pytest.param(how, len(TEN), marks=pytest.mark.long) for how in SOLVERS),
    ],
)
def test_tasks_are_solved(
    server: Server, port: int, seated: Callable[..., tuple[Page, int]], how: str, number_of_tasks: int
) -> None:
    codes = TEN[:number_of_tasks]
    page, session = seated(codes, touch=how == "touch")
    solver = SOLVERS[how](page, codes)
    page.goto(f"http://127.0.0.1:{port}/")
    for number in range(1, number_of_tasks + 1):
        until_live(page)
        solver.solve()
        if number < number_of_tasks:
            expect(page.get_by_role("heading", name="Solved")).to_be_visible()
            page.get_by_role("button", name="Next").click()
    page.wait_for_url("**/thanks/")
    rows = server.rows(f"SELECT outcome FROM play_attempt WHERE session_id = {session}")
    assert [outcome for (outcome,) in rows] == ["completed"] * number_of_tasks
    painted = server.rows(
        "SELECT DISTINCT e.input_kind FROM play_entry e JOIN play_attempt a ON a.id = e.attempt_id"
        f" WHERE a.session_id = {session} AND e.action = 2"
    )
    assert painted == [(INPUT_KINDS[how],)]


@pytest.mark.long
def test_a_reload_and_a_lost_network_lose_no_edit(port: int, seated: Callable[..., tuple[Page, int]]) -> None:
    page, _ = seated(("d98105bc",))
    solver = ByMouse(page, TEN)
    page.goto(f"http://127.0.0.1:{port}/")
    until_live(page)
    wanted = read("d98105bc")["test"][0]["output"]
    solver.resize(len(wanted), len(wanted[0]))
    page.reload()
    until_live(page)
    assert (len(solver.grid), len(solver.grid[0])) == (len(wanted), len(wanted[0]))
    page.context.set_offline(True)
    page.wait_for_selector("main:not([data-connection=live])", timeout=30_000)
    solver.draw(read("d98105bc")["test"][0]["input"], wanted)
    assert solver.grid == wanted
    page.context.set_offline(False)
    until_live(page)
    solver.submit()
    page.wait_for_url("**/thanks/")


@pytest.mark.long
def test_a_wrong_answer_says_so_and_the_tries_end_the_task(
    port: int, seated: Callable[..., tuple[Page, int]]
) -> None:
    page, _ = seated(("d98105bc", "ac90e5d1"))
    solver = ByMouse(page, TEN)
    page.goto(f"http://127.0.0.1:{port}/")
    until_live(page)
    solver.choose(3)
    solver.paint([(0, 0)])
    solver.submit()
    expect(page.get_by_text("Wrong")).to_be_visible()
    expect(page.get_by_text("Tries left: 1")).to_be_visible()
    solver.paint([(0, 1)])
    solver.submit()
    expect(page.get_by_role("heading", name="Not solved")).to_be_visible()
    expect(page.get_by_text("The tries for this one are used up.")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(360, 740), pytest.param(1280, 800, marks=pytest.mark.long)])
def test_a_task_fits_its_window_and_is_accessible(
    port: int, seated: Callable[..., tuple[Page, int]], width: int, height: int
) -> None:
    page, _ = seated(("58a2d94f",))
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"http://127.0.0.1:{port}/")
    until_live(page)
    page.wait_for_function("document.querySelector('.task-output canvas').getBoundingClientRect().width > 0")
    size = page.evaluate("[document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight]")
    assert size[0] <= width
    assert size[1] <= height
    assert violations(page) == []


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
    page.evaluate("new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))")
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
    server: Server, port: int, seated: Callable[..., tuple[Page, int]]
) -> None:
    page, session = seated(TEN[:2])
    solver = ByKeys(page, TEN[:2])
    page.goto(f"http://127.0.0.1:{port}/")
    until_live(page)
    solver.choose(3)
    page.keyboard.press("Space")
    solver.page.get_by_role("button", name="Set aside for later").click()
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
    assert solver.grid[0][0] == 3
    page.get_by_role("button", name="Set aside for later").click()
    page.get_by_role("button", name="Finish").click()
    page.wait_for_url("**/session/thanks/")
    kinds = server.rows(
        f"SELECT kind FROM play_event WHERE session_id = {session}"
        " AND kind IN ('set_aside', 'taken_up') ORDER BY id"
    )
    assert [kind for (kind,) in kinds] == ["set_aside", "set_aside", "taken_up", "set_aside"]
