"""Patterns make every two colours differ; a person's choice of them is stored."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from tests.browsing import painted
from tests.play.browser.conftest import Participant, Run

type Colours = NDArray[np.float64]

VISIONS = {
    "every colour": "1 0 0  0 1 0  0 0 1",
    "protanopia": "0.152286 1.052583 -0.204868  0.114503 0.786281 0.099216  -0.003882 -0.048116 1.051998",
    "deuteranopia": "0.367322 0.860646 -0.227968  0.280085 0.672501 0.047413  -0.01182 0.04294 0.968881",
    "tritanopia": "1.255528 -0.076749 -0.178779  -0.078411 0.930809 0.147602  0.004733 0.691367 0.3039",
    "greys only": " ".join(["0.2126 0.7152 0.0722"] * 3),
}
"""How linear RGB is seen: Machado, Oliveira and Fernandes 2009, severity 1.0; and without any colour."""
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
SCALES = [3, 4, 5, 6, 7, 11, 15, 18]
CLEAR = 15.0
"""A difference in CIE Lab that nobody overlooks on a pixel; 2.3 is just noticeable."""
LEAST_SHARE = 1 / 9
"""How much of a cell has to differ that clearly: one of nine pixels, two of sixteen."""


def seen(pixels: Colours, vision: str) -> Colours:
    """Converts sRGB pixels (n, 3) of 0..255 to CIE Lab under this vision."""
    parts = pixels / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    linear = np.clip(linear @ np.array(VISIONS[vision].split(), float).reshape(3, 3).T, 0, 1)
    scaled = linear @ XYZ.T / XYZ.sum(axis=1)
    root = np.where(scaled > (6 / 29) ** 3, np.cbrt(scaled), scaled / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = root.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def alike(tiles: dict[int, Colours], vision: str) -> list[tuple[int, int]]:
    """Returns the pairs of colours whose cells differ in too few pixels."""
    shown = {colour: seen(tile, vision) for colour, tile in tiles.items()}
    return [
        (one, other)
        for one, other in combinations(shown, 2)
        if (np.linalg.norm(shown[one] - shown[other], axis=1) >= CLEAR).mean() < LEAST_SHARE
    ]


def tiles(run: Run, scale: int) -> dict[int, Colours]:
    """Returns the drawn pixels of one cell of each colour."""
    drawn = run(
        "shared/colour-patterns.js",
        "Array.from({ length: 16 }, (_, colour) => [...tile(colour, scale)])",
        scale=scale,
    )
    pixels = np.array(drawn, dtype=np.uint32)
    parts = np.stack([pixels & 255, pixels >> 8 & 255, pixels >> 16 & 255], axis=-1).astype(float)
    return dict(enumerate(parts))


def test_every_two_colours_with_patterns_differ_in_every_vision(run: Run) -> None:
    for scale in SCALES:
        drawn = tiles(run, scale)
        for vision in VISIONS:
            assert alike(drawn, vision) == [], f"{vision}, at {scale} pixels a cell"


def test_each_pattern_has_one_colour_and_one_ink_and_greys_have_none(run: Run) -> None:
    for colour, tile in tiles(run, 8).items():
        assert len(np.unique(tile, axis=0)) == (1 if colour < 6 else 2)


BOARD = """async () => {
    await import("/static/shared/board.js");
    document.body.innerHTML = "<play-board></play-board>";
    const board = document.querySelector("play-board");
    board.style.width = board.style.height = "320px";
    await painted();
    const colours = (step) => Uint8Array.from({ length: 4096 }, (_, cell) => (cell + step * (cell % 7)) % 16);
    const frames = [0, 1].map(colours);
    const { tile } = await import("/static/shared/colour-patterns.js");
    const wrong = (frame) => {
        const canvas = board.querySelectorAll("canvas")[1];
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.width);
        const pixels = new Uint32Array(data.buffer);
        return frame.reduce((all, colour, cell) => {
            const [x, y] = [(cell % 64) * 5, Math.floor(cell / 64) * 5];
            const at = (i) => pixels[(y + Math.floor(i / 5)) * 320 + x + (i % 5)];
            return all + !tile(colour, 5).every((pixel, i) => pixel === at(i));
        }, 0);
    };
    board.show([frames[0]], 10);
    board.patterns = true;
    const found = [wrong(frames[0])];
    board.show([frames[1]], 10);
    found.push(wrong(frames[1]));
    board.patterns = false;
    return [...found, board.querySelectorAll("canvas").length];
}"""


def test_the_board_draws_the_frame_with_patterns_and_follows_changes(bare: Page) -> None:
    assert bare.evaluate(BOARD) == [0, 0, 1]


def chosen(participant: Participant, session: int) -> list[Any]:
    """Returns the entries of the event log about patterns."""
    return [
        kind
        for (kind,) in participant.server.rows(
            f"SELECT kind FROM play_event WHERE session_id = {session} AND kind LIKE 'patterns%' ORDER BY id"
        )
    ]


def test_the_choice_of_patterns_works_by_keys_lasts_for_the_session_and_is_logged(
    participant: Participant,
) -> None:
    session = participant.sit("wk01")
    page = participant.page
    button = page.get_by_role("button", name="Colour patterns")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.locator("canvas")).to_have_count(1)
    for _ in ("Call a member of staff", "Leave this game", "Softer flashes", "Colour patterns"):
        page.keyboard.press("Shift+Tab")
    expect(button).to_be_focused()
    page.keyboard.press("Space")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator("canvas")).to_have_count(2)
    page.reload()
    page.wait_for_selector("main[data-connection=live]")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    painted(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Level 2 of 6")).to_be_visible()
    assert chosen(participant, session) == ["patterns_on", "patterns_on", "patterns_off"]


def test_a_choice_in_the_tutorial_applies_to_play_and_not_to_the_next_person(
    participant: Participant,
) -> None:
    session = participant.reach("tutorial")
    page = participant.page
    button = page.get_by_role("button", name="Colour patterns")
    button.click()
    softer = page.get_by_role("button", name="Softer flashes")
    softer.click()
    for key in ["w", "a", "s", "d", "f", "Shift+ArrowUp", "Enter", "z", "r"]:
        page.keyboard.press(key)
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("main[data-stage=playing][data-connection=live]")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(softer).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.querySelector('play-board').softer")
    page.get_by_role("button", name="Leave this game").click()
    page.get_by_role("button", name="Leave for good").click()
    page.get_by_role("heading", name="On to the next one").wait_for()
    assert chosen(participant, session) == ["patterns_on"]
    page.context.clear_cookies()
    participant.reach("tutorial")
    for switch in (button, softer):
        expect(switch).to_have_attribute("aria-pressed", "false")
