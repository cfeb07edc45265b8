"""Tasks are solved in the editor by mouse, by keys and by touch; the engine answers each edit."""

import pytest
from playwright.sync_api import Page, expect

from tests.accessibility import violations
from tests.browsing import painted
from tests.engine.tasks.strategies import TWO_INPUTS, task
from tests.play.browser.task_desk import TaskDesk

KEY, KEY_REPEAT, MOUSE, TOUCH, BUTTON = 1, 2, 3, 4, 5
CROSS = task(([[0, 2, 0], [2, 2, 2], [0, 2, 0]], [[4, 2, 0, 1], [2, 2, 2, 1], [0, 2, 0, 1]]))
LARGE = task(([[(row * column) // 60 % 10 for column in range(30)] for row in range(30)], [[1]]))
SIZES = [(360, 740), (768, 1024), (1280, 800), (1920, 1080), (911, 512), (844, 390), (683, 384)]


@pytest.fixture
def editor(bare: Page) -> TaskDesk:
    return TaskDesk(bare, CROSS)


def test_a_task_is_solved_by_mouse(editor: TaskDesk) -> None:
    editor.open()
    page = editor.page
    editor.press("Copy input")
    editor.press("One column more")
    page.mouse.move(*editor.point("Output", 0, 3))
    page.mouse.down()
    page.mouse.move(*editor.point("Output", 2, 3))
    page.mouse.up()
    editor.press("yellow")
    page.mouse.click(*editor.point("Output", 0, 0))
    editor.press("Submit")
    expect(page.get_by_text("Right")).to_be_visible()
    editor.settle()
    assert editor.state.solved(editor.rule) == 1
    assert editor.journal == [
        ("copy_input", BUTTON), ("resize", BUTTON), ("paint", MOUSE), ("paint", MOUSE), ("submit", BUTTON),
    ]  # fmt: skip


def test_a_task_is_solved_by_keys_alone(editor: TaskDesk) -> None:
    editor.open()
    keys = ["c", "Alt+ArrowRight", "4", "Space", "1", *["ArrowRight"] * 3]
    keys += ["Enter", "ArrowDown", "Space", "ArrowDown", "Space", "Control+Enter"]
    for key in keys:
        editor.page.keyboard.press(key)
    expect(editor.page.get_by_text("Right")).to_be_visible()
    editor.settle()
    assert editor.state.solved(editor.rule) == 1
    assert {kind for _, kind in editor.journal} == {KEY}


def test_keys_survive_a_click_beside_the_grid_and_a_held_one_goes_on_sizing(editor: TaskDesk) -> None:
    editor.open()
    editor.page.mouse.click(2, 2)
    keyboard = editor.page.keyboard
    keyboard.press("3")
    keyboard.press("Space")
    keyboard.down("Alt")
    for _ in range(5):
        keyboard.down("ArrowRight")
        editor.page.wait_for_timeout(70)
    keyboard.up("ArrowRight")
    keyboard.up("Alt")
    editor.settle()
    assert editor.state.current.grid[0][0] == 3
    kinds = [kind for op, kind in editor.journal if op == "resize"]
    assert kinds[0] == KEY
    assert set(kinds[1:]) == {KEY_REPEAT}


@pytest.mark.browser_context_args(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
def test_a_task_is_solved_by_touch(editor: TaskDesk) -> None:
    editor.open()
    editor.press("Copy input")
    editor.press("One column more")
    for row in range(3):
        editor.page.touchscreen.tap(*editor.point("Output", row, 3))
    editor.press("yellow")
    editor.page.touchscreen.tap(*editor.point("Output", 0, 0))
    editor.press("Submit")
    expect(editor.page.get_by_text("Right")).to_be_visible()
    editor.settle()
    assert editor.state.solved(editor.rule) == 1
    assert [kind for op, kind in editor.journal if op == "paint"] == [TOUCH] * 4


@pytest.mark.browser_context_args(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
def test_a_finger_acts_when_it_is_lifted_where_it_came_down_and_a_pinch_never(editor: TaskDesk) -> None:
    editor.open()
    touches = editor.page.context.new_cdp_session(editor.page)

    def send(kind: str, *cells: tuple[int, int]) -> list[str]:
        points = [editor.point("Output", *cell) for cell in cells]
        fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
        editor.settle()
        return editor.ops

    editor.press("Fill")
    assert [send("touchStart", (0, 0)), send("touchMove", (2, 2)), send("touchEnd")] == [[], [], []]
    assert send("touchStart", (0, 0)) == []
    assert send("touchEnd") == ["fill"]
    editor.press("Paint")
    send("touchStart", (0, 0))
    send("touchStart", (0, 0), (2, 2))
    assert send("touchEnd") == ["fill"]


def test_a_part_of_a_demonstration_is_pasted_by_mouse_and_by_keys(editor: TaskDesk) -> None:
    editor.open()
    page = editor.page
    page.mouse.move(*editor.point("Demonstration 1, output", 0, 0))
    page.mouse.down()
    page.mouse.move(*editor.point("Demonstration 1, output", 1, 1))
    page.mouse.up()
    page.mouse.click(*editor.point("Output", 1, 1))
    editor.settle()
    assert [list(row) for row in editor.state.current.grid] == [[0, 0, 0], [0, 4, 3], [0, 2, 1]]
    for key in ["g", "Shift+ArrowRight", "g", "g", "g", "v"]:
        page.keyboard.press(key)
    editor.settle()
    assert [list(row) for row in editor.state.current.grid] == [[1, 2, 0], [0, 4, 3], [0, 2, 1]]


def test_an_area_is_filled_and_edits_are_undone_and_redone(editor: TaskDesk) -> None:
    editor.open()
    editor.press("Fill")
    editor.press("red")
    editor.page.mouse.click(*editor.point("Output", 1, 1))
    editor.press("Undo")
    editor.press("Redo")
    editor.press("Clear")
    editor.press("Undo")
    editor.settle()
    assert editor.ops == ["fill", "undo", "redo", "clear", "undo"]
    assert [list(row) for row in editor.state.current.grid] == [[2, 2, 2]] * 3


def test_a_wrong_submission_says_so_and_how_many_tries_are_left(editor: TaskDesk) -> None:
    editor.open()
    expect(editor.page.get_by_text("Tries left: 2")).to_be_visible()
    editor.press("Submit")
    expect(editor.page.get_by_text("Nothing is drawn in it. Tries left: 2")).to_be_visible()
    editor.page.keyboard.press("Escape")
    editor.page.keyboard.press("4")
    editor.page.keyboard.press("Space")
    editor.press("Submit")
    expect(editor.page.get_by_text("Wrong")).to_be_visible()
    expect(editor.page.get_by_text("Tries left: 1")).to_be_visible()
    editor.press("Copy input")
    expect(editor.page.get_by_text("Wrong")).to_be_hidden()
    editor.press("Submit")
    expect(editor.page.get_by_role("button", name="Submit")).to_have_attribute("aria-disabled", "true")


def test_each_test_input_has_a_tab_and_its_own_grid(bare: Page) -> None:
    desk = TaskDesk(bare, TWO_INPUTS)
    desk.open()
    desk.press("red")
    bare.mouse.click(*desk.point("Output", 0, 0))
    for label in ("Demonstration 1", "Test input 1", "Your answer"):
        expect(bare.locator(".task-zoom", has_text=label)).to_be_visible()
    desk.press("Test input 2")
    expect(desk.grid("Test input, 1 rows and 1 columns")).to_be_visible()
    desk.press("Submit")
    desk.press("Submit it")
    expect(bare.get_by_role("button", name="Test input 2, solved")).to_be_visible()
    expect(bare.get_by_role("button", name="Test input 1", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    desk.settle()
    assert [each.grid[0][0] for each in desk.state.inputs] == [2, 0]


def test_a_stroke_is_drawn_before_the_handler_returns(editor: TaskDesk) -> None:
    editor.open()
    x, y = editor.point("Output", 1, 1)
    colour = editor.page.evaluate(
        """([x, y]) => {
            const grid = document.querySelector(".task-output task-grid");
            const canvas = grid.querySelector("canvas");
            const press = { bubbles: true, isPrimary: true, button: 0, clientX: x, clientY: y };
            Element.prototype.setPointerCapture = () => {};
            canvas.dispatchEvent(new PointerEvent("pointerdown", press));
            const [width, height] = [canvas.width, canvas.height];
            return [...canvas.getContext("2d").getImageData(width / 2, height / 2, 1, 1).data.slice(0, 3)];
        }""",
        [x, y],
    )
    assert colour == [0x1E, 0x93, 0xFF]
    assert editor.journal == []


def test_a_size_is_typed_and_an_impossible_one_is_refused_in_words(editor: TaskDesk) -> None:
    editor.open()
    page = editor.page
    rows, columns = page.get_by_label("Rows", exact=True), page.get_by_label("Columns", exact=True)
    rows.fill("31")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Rows and columns are whole numbers from 1 to 30.")
    rows.fill("2")
    page.keyboard.press("Tab")
    page.keyboard.type("14")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_hidden()
    page.keyboard.press("4")  # the grid has the keyboard again
    page.keyboard.press("Space")
    columns.fill("x")
    page.keyboard.press("Escape")
    expect(columns).to_have_value("14")
    editor.settle()
    assert editor.ops == ["resize", "resize", "paint"]
    assert [len(editor.state.current.grid), len(editor.state.current.grid[0])] == [2, 14]


@pytest.mark.parametrize(("width", "height", "least"), [(911, 512, 12), (390, 844, 10)])
def test_large_grids_are_enlarged_until_their_cells_are_legible(
    bare: Page, width: int, height: int, least: int
) -> None:
    bare.set_viewport_size({"width": width, "height": height})
    desk = TaskDesk(bare, LARGE)
    desk.open()
    desk.press("Copy input")
    cells = """(grid) => grid.querySelector("canvas").getBoundingClientRect().width / grid.size.width"""
    desk.press("Enlarge: Your answer")
    assert desk.grid("Output").evaluate(cells) >= least
    bare.mouse.click(*desk.point("Output", 29, 29))
    bare.keyboard.press("g")
    expect(desk.grid("Output")).to_be_hidden()
    assert desk.grid("Demonstration 1, output").evaluate(cells) >= least
    bare.keyboard.press("e")
    expect(desk.grid("Output")).to_be_visible()
    desk.settle()
    assert desk.ops == ["copy_input", "paint"]


def test_every_grid_and_tool_is_visible_without_scrolling(bare: Page) -> None:
    desk = TaskDesk(bare, LARGE)
    desk.open()
    desk.press("Copy input")
    desk.settle()
    assert bare.locator("task-grid canvas").count() == 4
    for width, height in SIZES:
        bare.set_viewport_size({"width": width, "height": height})
        painted(bare)
        outside = bare.evaluate(
            """() => [...document.querySelectorAll(
                "task-grid canvas, task-tools button, .task-keys",
            )].filter((one) => {
                const { left, top, right, bottom } = one.getBoundingClientRect();
                return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
            }).length"""
        )
        assert outside == 0, (width, height)


def test_the_editor_is_accessible_in_light_and_dark(bare: Page) -> None:
    desk = TaskDesk(bare, TWO_INPUTS)
    desk.open()
    desk.press("Submit")
    assert violations(bare) == []
    desk.press("Submit it")
    expect(bare.get_by_text("Wrong")).to_be_visible()
    assert violations(bare) == []
