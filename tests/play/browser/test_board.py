"""The board: whole device pixels, the cell under the pointer and the palette's colours."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from engine.play.frames import PALETTE
from tests.play.browser.conftest import Run, open_bare

BOARD = """async () => {
    await import("/static/shared/board.js");
    document.body.innerHTML = "<play-board></play-board>";
    const board = document.querySelector("play-board");
    board.style.width = "100vw";
    board.style.height = "100vh";
    window.cells = [];
    board.addEventListener("cell", ({ detail }) => {
        window.cells.push([detail.x, detail.y, detail.pointerType]);
    });
    await painted();
    const { width, height } = board.querySelector("canvas").getBoundingClientRect();
    return { width: width * devicePixelRatio, height: height * devicePixelRatio };
}"""
TARGET = """([x, y]) => {
    const box = document.querySelector("canvas").getBoundingClientRect();
    return [box.left + (x + 0.5) * box.width / 64, box.top + (y + 0.5) * box.height / 64];
}"""


@pytest.mark.parametrize(
    ("width", "height", "ratio", "scale"),
    [
        (640, 640, 1, 10),
        (703, 1000, 1, 10),
        (1000, 639, 1, 9),
        (390, 600, 3, 18),
        (390, 600, 1.25, 7),
        (20, 20, 1, 1),
    ],
)
def test_the_scale_is_the_largest_whole_number_of_device_pixels(
    run: Run, width: int, height: int, ratio: float, scale: int
) -> None:
    values = {"width": width, "height": height, "ratio": ratio}
    assert run("shared/board.js", "wholeScale(width, height, ratio)", **values) == scale


@pytest.mark.parametrize(
    ("at", "cell"),
    [
        ((10, 20), {"x": 0, "y": 0}),
        ((137.9, 147.9), {"x": 63, "y": 63}),
        ((12, 20), {"x": 1, "y": 0}),
        ((9.9, 30), None),
        ((138, 30), None),
        ((30, 148), None),
    ],
)
def test_a_point_on_the_page_maps_to_a_cell_or_none(run: Run, at: tuple[float, float], cell: Any) -> None:
    box = {"left": 10, "top": 20, "width": 128, "height": 128}
    assert run("shared/board.js", "cellAt(at[0], at[1], box)", at=at, box=box) == cell


@pytest.mark.parametrize(
    ("width", "height", "ratio", "pixels"), [(700, 500, 1, 448), (390, 844, 3, 1152), (801, 601, 1.5, 896)]
)
def test_a_click_selects_the_cell_drawn_at_the_pointer(
    browser: Browser, width: int, height: int, ratio: float, pixels: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=ratio)
    open_bare(page)
    size = page.evaluate(BOARD)
    assert size == pytest.approx({"width": pixels, "height": pixels}, abs=0.05)
    corners = [[0, 0], [63, 0], [0, 63], [63, 63], [31, 40]]
    for cell in corners:
        page.mouse.click(*page.evaluate(TARGET, cell))
    assert page.evaluate("cells") == [[*cell, "mouse"] for cell in corners]
    page.close()


def test_the_board_follows_the_size_of_the_window(bare: Page) -> None:
    bare.set_viewport_size({"width": 500, "height": 400})
    bare.evaluate(BOARD)
    bare.set_viewport_size({"width": 200, "height": 400})
    bare.wait_for_function("() => document.querySelector('canvas').offsetWidth === 192")


def test_touch_presses_a_cell_once(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    open_bare(page)
    page.evaluate(BOARD)
    page.touchscreen.tap(*page.evaluate(TARGET, [5, 60]))
    page.touchscreen.tap(*page.evaluate(TARGET, [5, 60]))
    assert page.evaluate("cells") == [[5, 60, "touch"]] * 2
    page.close()


def test_only_the_main_button_presses(bare: Page) -> None:
    bare.evaluate(BOARD)
    bare.mouse.click(*bare.evaluate(TARGET, [5, 6]), button="right")
    bare.mouse.click(*bare.evaluate(TARGET, [7, 8]))
    assert bare.evaluate("cells") == [[7, 8, "mouse"]]


def test_the_colours_are_the_palettes(bare: Page) -> None:
    bare.evaluate(BOARD)
    drawn = bare.evaluate("""() => {
        const board = document.querySelector("play-board");
        board.show([Uint8Array.from({ length: 4096 }, (_, cell) => cell % 16)], 10);
        return [...board.querySelector("canvas").getContext("2d").getImageData(0, 0, 16, 1).data];
    }""")
    assert [bytes(drawn[i : i + 4]).hex().upper() for i in range(0, 64, 4)] == [
        f"{colour}FF" for colour in PALETTE
    ]


def test_the_cell_cursor_starts_in_the_middle_and_stays_on_the_board(bare: Page) -> None:
    bare.evaluate(BOARD)
    marked = bare.evaluate("""() => {
        const board = document.querySelector("play-board");
        board.pointing = true;
        const steps = [[1, 0], [1, 0], [4, -4], [100, -100], [0, 1]];
        return steps.map((step) => { board.moveMark(...step); return [board.marked.x, board.marked.y]; });
    }""")
    assert marked == [[32, 32], [33, 32], [37, 28], [63, 0], [63, 1]]


def test_cells_are_marked_only_if_clicks_are_available(bare: Page) -> None:
    bare.evaluate(BOARD)
    bare.mouse.move(*bare.evaluate(TARGET, [5, 6]))
    assert bare.evaluate("document.querySelector('play-board').marked") is None
    bare.evaluate("document.querySelector('play-board').pointing = true")
    bare.mouse.move(*bare.evaluate(TARGET, [9, 6]))
    assert bare.evaluate("document.querySelector('play-board').marked") == {"x": 9, "y": 6}


@pytest.mark.parametrize("ratio", [1, 1.25, 3])
def test_what_stands_over_the_board_stays_on_its_cell_at_a_fraction_of_a_pixel(
    browser: Browser, ratio: float
) -> None:
    page = browser.new_page(viewport={"width": 703, "height": 520}, device_scale_factor=ratio)
    open_bare(page)
    page.evaluate(BOARD)
    placed = page.evaluate("""async () => {
        const board = document.querySelector("play-board");
        board.style.cssText = "display: grid; place-items: center; width: 300.3px; height: 287.9px";
        document.body.style.padding = "13.45px 7.61px";
        const part = board.appendChild(document.createElement("div"));
        board.cover(part);
        board.pointing = board.patterns = true;
        await painted();
        board.mark({ x: 33, y: 16 });
        const boxOf = ({ left, top, width, height }) => [left, top, width, height];
        const shown = [...board.querySelectorAll("canvas, .cell-marker, div div")];
        return shown.map((part) => boxOf(part.getBoundingClientRect()));
    }""")
    left, top, side, _ = canvas = placed[0]
    cell = side / 64
    marker = [left + 33 * cell, top + 16 * cell, cell, cell]
    assert left % 1
    assert placed == [pytest.approx(box, abs=0.02) for box in (canvas, canvas, marker, canvas)]
    page.close()


FADES = """async (softer) => {
    await import("/static/shared/board.js");
    document.body.innerHTML = "<play-board></play-board>";
    const board = document.querySelector("play-board");
    board.softer = softer;
    const frame = (colour) => new Uint8Array(4096).fill(colour);
    const fading = () => board.getAnimations({ subtree: true });
    const fades = () => fading().map((one) => one.effect.getTiming().duration);
    board.show([frame(0)], 20);
    const found = [[fades(), board.animating]];
    board.show([frame(1), frame(2), frame(3)], 20);
    const [red] = board.querySelector("canvas").getContext("2d").getImageData(0, 0, 1, 1).data;
    found.push([fades(), board.animating, red]);
    for (let press = 0; press < 8; press += 1) board.show([frame(press % 2 ? 0 : 5)], 20);
    found.push([fades(), board.animating]);
    return found;
}"""


def test_who_asks_for_less_motion_sees_the_last_frame_with_a_fade(bare: Page) -> None:
    bare.emulate_media(reduced_motion="reduce")
    assert bare.evaluate(FADES, False) == [[[], False], [[150], False, 0x66], [[1500], False]]


def test_who_asks_for_softer_flashes_sees_animations_whole_and_flashes_fade(bare: Page) -> None:
    assert bare.evaluate(FADES, True) == [[[], False], [[150], True, 0xCC], [[1500], False]]
    assert bare.evaluate(FADES, False) == [[[], False], [[], True, 0xCC], [[], False]]
