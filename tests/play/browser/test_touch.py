"""Touch acts on lift where it came down; pan, pinch and long press never act; a ring answers each click."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.play.browser.conftest import Run, open_bare

TABLE = """async () => {
    const { IntentGate } = await import("/static/play/turn-taking.js");
    await import("/static/shared/board.js");
    const { listen } = await import("/static/play/controls.js");
    document.body.innerHTML = "<play-board></play-board><play-controls></play-controls>";
    const [board, controls] = document.body.children;
    board.style.cssText = "width: 390px; height: 390px; margin-top: 200px";
    window.board = board;
    window.gate = new IntentGate();
    gate.visible(performance.now());
    window.refuses = false;
    window.pressed = [];
    window.early = [];
    controls.offer(0xff, 0xff);
    controls.arrange(false);
    board.show([Uint8Array.from({ length: 4096 }, (_, cell) => (cell * 7) % 16)], 10);
    board.pointing = true;
    const press = ({ action, x, y }) => (action === 6 ? [x, y] : action);
    listen({ board, controls, gate, listening: () => true, available: () => 0xff },
        (made) => { pressed.push(press(made)); return !refuses; }, (made) => early.push(press(made)));
    await painted();
}"""
RINGS = """() => {
    const now = () => [...document.querySelectorAll(".cell-ring")].map((ring) => {
        const canvas = document.querySelector("canvas");
        const [own, all] = [ring, canvas].map((part) => part.getBoundingClientRect());
        const share = (middle) => Math.floor(middle / all.width * 64);
        const cell = [own.x + own.width / 2 - all.x, own.y + own.height / 2 - all.y].map(share);
        return [...cell, ring.matches(".refused") ? "refused" : "taken"];
    })[0] ?? null;
    new MutationObserver(() => { window.ring = now() ?? window.ring; }).observe(document.body,
        { childList: true, subtree: true, attributes: true });
}"""
"""Keeps the last ring, which is shown for a moment, however late a test asks for it."""


class Hand:
    """Fingers on a board whose cells are 6 CSS pixels wide."""

    def __init__(self, page: Page, touches: CDPSession) -> None:
        self.page = page
        self.touches = touches

    def at(self, x: float, y: float) -> tuple[float, float]:
        box = self.page.locator("canvas").first.bounding_box()
        assert box is not None
        return box["x"] + (x + 0.5) * box["width"] / 64, box["y"] + (y + 0.5) * box["height"] / 64

    def send(self, kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    def down(self, *cells: tuple[float, float]) -> None:
        self.send("touchStart", *(self.at(*cell) for cell in cells))

    def move(self, *cells: tuple[float, float]) -> None:
        self.send("touchMove", *(self.at(*cell) for cell in cells))

    def lift(self) -> None:
        self.send("touchEnd")

    @property
    def pressed(self) -> Any:
        return self.page.evaluate("pressed.splice(0)")

    @property
    def ring(self) -> Any:
        return self.page.evaluate("[window.ring ?? null, window.ring = null][0]")


@pytest.fixture
def hand(browser: Browser) -> Iterator[Hand]:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    open_bare(page)
    page.evaluate(TABLE)
    page.evaluate(RINGS)
    yield Hand(page, page.context.new_cdp_session(page))
    page.close()


def test_a_tap_acts_when_it_is_lifted_and_a_loupe_shows_its_cell(hand: Hand) -> None:
    hand.down((20, 30))
    assert hand.pressed == []
    loupe = hand.page.locator(".loupe").bounding_box()
    finger = hand.at(20, 30)
    assert loupe is not None
    assert loupe["y"] + loupe["height"] < finger[1] - 20, "not under the finger"
    hand.lift()
    assert hand.pressed == [[20, 30]]
    assert hand.ring == [20, 30, "taken"]
    assert hand.page.locator(".loupe").count() == 0


def test_a_refused_tap_is_told_at_its_cell(hand: Hand) -> None:
    hand.page.evaluate("refuses = true")
    hand.page.touchscreen.tap(*hand.at(9, 50))
    assert hand.ring == [9, 50, "refused"]


def test_a_mouse_acts_when_it_goes_down(hand: Hand) -> None:
    hand.page.mouse.move(*hand.at(5, 6))
    hand.page.mouse.down()
    assert (hand.pressed, hand.ring) == ([[5, 6]], [5, 6, "taken"])
    assert hand.page.locator(".loupe").count() == 0


def test_a_swipe_a_pinch_and_a_long_press_do_not_act(hand: Hand) -> None:
    hand.down((20, 30))
    for step in range(1, 5):
        hand.move((20 + 4 * step, 30))
    hand.lift()
    assert (hand.pressed, hand.ring) == ([], [20, 30, "refused"])
    hand.down((20, 30))
    hand.down((20, 30), (40, 30))
    hand.move((18, 30), (42, 30))
    hand.move((20, 30), (40, 30))
    hand.lift()
    assert hand.pressed == []
    hand.down((20, 30))
    expect(hand.page.locator(".loupe")).to_have_count(0)
    assert hand.ring == [20, 30, "refused"]
    hand.lift()
    assert hand.pressed == []
    hand.page.touchscreen.tap(*hand.at(7, 8))
    assert hand.pressed == [[7, 8]]


def test_a_finger_that_came_down_before_its_screen_could_be_seen_does_not_act(hand: Hand) -> None:
    hand.down((20, 30))
    hand.page.evaluate("gate.change(); gate.visible(performance.now())")
    hand.lift()
    assert (hand.pressed, hand.ring) == ([], [20, 30, "refused"])
    assert hand.page.evaluate("early") == [[20, 30]]


def test_a_finger_presses_a_cap_when_it_is_lifted_on_it(hand: Hand) -> None:
    def middle(name: str) -> tuple[float, float]:
        box = hand.page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    hand.send("touchStart", middle("Up"))
    assert hand.pressed == []
    hand.send("touchEnd")
    assert hand.pressed == [1]
    hand.send("touchStart", middle("Up"))
    hand.send("touchMove", hand.at(10, 10))
    hand.send("touchEnd")
    assert hand.pressed == []
    hand.send("touchStart", middle("Left"))
    hand.send("touchStart", middle("Left"), middle("Right"))
    hand.send("touchEnd", middle("Left"))
    hand.send("touchEnd")
    assert sorted(hand.pressed) == [3, 4], "two thumbs"


@pytest.mark.parametrize(
    ("at", "place"),
    [
        ((200, 400), {"left": 141.5, "top": 239}),
        ((2, 400), {"left": 4, "top": 239}),
        ((389, 400), {"left": 269, "top": 239}),
        ((100, 60), {"left": 144, "top": 4}),
        ((300, 100), {"left": 139, "top": 41.5}),
    ],
)
def test_the_loupe_is_above_the_finger_or_beside_it(run: Run, at: tuple[int, int], place: Any) -> None:
    assert run("shared/touch.js", "loupeAt(at[0], at[1], 390)", at=at) == place
