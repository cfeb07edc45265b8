"""All controls are in view and large enough at every window size, and every screen is accessible."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.accessibility import violations
from tests.browsing import painted
from tests.play.browser.conftest import Participant

SIZES = [(320, 568), (390, 844), (820, 1180), (1280, 800), (1920, 1080)]
TURNED = [(height, width) for width, height in SIZES]
SETS = [
    sum(1 << action for action in actions)
    for size in range(1, 8)
    for actions in combinations(range(1, 8), size)
]
"""Every set of actions that an environment may offer, bit i for action i."""
FEW = [actions for actions in SETS if actions.bit_count() in (1, 7)]
"""Each action alone, and all."""
FINGER = 44
"""CSS pixels a finger needs."""
SMALLEST = 34
"""CSS pixels of a cap where the window is so low that the board needs the room."""
PARTS = ".cap, canvas, .leave, pattern-switch, call-staff, prompt-bar button"
TROUBLE = """([sets, bar, finger, parted]) => {
    const controls = document.querySelector("play-controls");
    const prompt = document.querySelector("prompt-bar");
    if (bar) prompt.show(1200, 600);
    else prompt.hidden = true;
    const overlap = (one, other) => one.left < other.right - 0.01 && other.left < one.right - 0.01
        && one.top < other.bottom - 0.01 && other.top < one.bottom - 0.01;
    const found = [];
    for (const actions of sets) {
        controls.clear();
        controls.offer(actions | 1, actions | 1);
        const parts = [...document.querySelectorAll(parted)]
            .filter((part) => part.checkVisibility({ visibilityProperty: true }))
            .map((part) => [part, part.getBoundingClientRect()]);
        const caps = parts.filter(([part]) => part.matches(".cap"));
        const name = actions.toString(2);
        const say = (what, part) => found.push(`${name} ${what} ${part.className || part.localName}`);
        const shown = caps.reduce((all, [cap]) => all | (1 << Number(cap.dataset.action)), 0);
        if (shown !== (actions | 1)) found.push(`${name} shows ${shown.toString(2)}`);
        parts.forEach(([part, box], place) => {
            const { left, top, right, bottom } = box;
            if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) say("outside", part);
            for (const [other, its] of parts.slice(place + 1)) if (overlap(box, its)) say("under", other);
        });
        for (const [cap, box] of caps) {
            const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
            if (document.elementFromPoint(x, y)?.closest(".cap") !== cap) say("covered", cap);
            if (Math.min(box.width, box.height) < finger - 0.01) say("too small", cap);
        }
    }
    return found;
}"""
PLACES = """(parts) => Object.fromEntries([...document.querySelectorAll(parts)]
    .map((part) => [part.className || part.textContent, part.getBoundingClientRect().toJSON()]))"""
STILL = ".cap, canvas, .leave, pattern-switch, call-staff, .level, .clock"


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    painted(page)


@pytest.mark.long
def test_every_set_of_available_actions_is_within_reach(participant: Participant) -> None:
    assert len(SETS) == 127
    participant.sit("rn01")
    page = participant.page
    for size in SIZES + TURNED:
        resize(page, size)
        for bar in (False, True):
            finger = FINGER if size[1] > 320 else SMALLEST
            found = page.evaluate(TROUBLE, [SETS, bar, finger, PARTS])
            assert found == [], f"at {size}, soft limit {'asks' if bar else 'silent'}"


@pytest.mark.long
def test_controls_are_within_reach_with_text_of_twice_the_size(participant: Participant) -> None:
    participant.sit("rn01")
    page = participant.page
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    for size in [(390, 844), (820, 1180), (1280, 800), (1920, 1080)]:
        resize(page, size)
        for bar in (False, True):
            found = page.evaluate(TROUBLE, [SETS if size[0] == 390 else FEW, bar, FINGER, PARTS])
            assert found == [], f"at {size}, soft limit {'asks' if bar else 'silent'}"


def test_the_soft_limit_question_moves_no_control_and_nothing_scrolls(participant: Participant) -> None:
    participant.sit("rn01")
    page = participant.page
    for size in [*SIZES, (844, 390)]:
        resize(page, size)
        page.evaluate("() => { document.querySelector('prompt-bar').hidden = true; }")
        before = page.evaluate(PLACES, STILL)
        page.evaluate("document.querySelector('prompt-bar').show(1200, 600)")
        assert page.evaluate(PLACES, STILL) == before, f"at {size}"
        for button in page.evaluate(PLACES, "prompt-bar button").values():
            assert button["height"] >= 40
        whole = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        assert page.evaluate(whole) == list(size)


WINDOWS = [
    (1024, 768, 1), (1080, 810, 2), (911, 512, 1.5), (1366, 768, 1), (844, 390, 3), (390, 844, 3),
    (910, 512, 1.5), (683, 384, 2), (455, 256, 3), (1280, 800, 1), (1920, 1080, 1), (820, 1180, 1),
]  # fmt: skip
"""Widths and heights in CSS pixels, and device pixels in each; 1366x768 also at 150, 200 and 300 %."""
MEASURED = """() => {
    const size = (part) => part.getBoundingClientRect();
    const one = (part) => size(document.querySelector(part));
    const page = getComputedStyle(document.querySelector("main"));
    const all = (parts) => [...document.querySelectorAll(parts)].map(size).filter(({ width }) => width > 0);
    const [texts, caps] = [all(".beside > *"), all("play-controls .cap")];
    return {
        layout: document.querySelector("main").dataset.layout,
        board: one("canvas").width * devicePixelRatio,
        wide: Math.max(...caps.map(({ right }) => right)) - Math.min(...caps.map(({ left }) => left)),
        high: Math.max(...caps.map(({ bottom }) => bottom)) - Math.min(...caps.map(({ top }) => top)),
        text: Math.max(...texts.map(({ right }) => right)) - Math.min(...texts.map(({ left }) => left)),
        lines: Math.max(...texts.map(({ bottom }) => bottom)) - Math.min(...texts.map(({ top }) => top)),
        status: one(".foot").height,
        edges: [2 * parseFloat(page.paddingLeft), 2 * parseFloat(page.paddingTop)],
        gap: parseFloat(page.columnGap),
    };
}"""


def largest_side(layout: str, width: int, height: int, has: dict[str, Any]) -> Any:
    """The side of a square that the window leaves to the parts measured in an arrangement."""
    across, down = width - has["edges"][0], height - has["edges"][1] - has["status"]
    beside = across - has["gap"] - has["wide"]
    match layout:
        case "sides":
            return min(beside - has["gap"] - has["text"], down)
        case "column":
            fits = has["lines"] + has["high"] <= down
            return min(across - has["gap"] - max(has["wide"], has["text"]), down) if fits else 0
        case "below":
            return min(across, down - has["lines"] - has["high"])
        case _:
            return min(beside, down - has["lines"])


def test_the_board_is_the_largest_with_its_caps_and_a_line_of_status(participant: Participant) -> None:
    """In each arrangement the room is computed from what its parts need there; the best is what is shown."""
    participant.sit("wk01")
    page = participant.page
    device = page.context.new_cdp_session(page)
    for width, height, ratio in WINDOWS:
        metrics = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False}
        device.send("Emulation.setDeviceMetricsOverride", metrics)
        painted(page)
        shown = page.evaluate(MEASURED)
        rooms = {}
        for layout in ("sides", "column", "bar", "below"):
            page.evaluate(
                """(layout) => {
                    document.querySelector("main").dataset.layout = layout;
                    document.querySelector("play-controls").arrange(layout === "below");
                }""",
                layout,
            )
            rooms[layout] = largest_side(layout, width, height, page.evaluate(MEASURED))
        largest = 64 * int(max(rooms.values()) * ratio / 64 + 1e-6)
        assert round(shown["board"]) >= max(256, largest), (width, height, ratio, rooms, shown)
        device.send("Emulation.clearDeviceMetricsOverride")


def test_every_control_has_its_place_before_a_level_offers_it(participant: Participant) -> None:
    participant.sit("rn01")
    page = participant.page
    before = page.evaluate(PLACES, STILL)
    page.evaluate("document.querySelector('play-controls').offer(0b11, 0b11)")
    assert page.evaluate(PLACES, STILL) == before


RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}

Check = Callable[[str], None]


@pytest.fixture
def check(page: Page) -> Check:
    """Assert that the named screen has no violation in either colour scheme."""
    page.emulate_media(reduced_motion="reduce")

    def assert_accessible(screen: str) -> None:
        assert violations(page, **RULES) == [], screen

    return assert_accessible


def test_pages_from_the_code_to_the_first_pause_are_accessible(
    participant: Participant, check: Check
) -> None:
    page = participant.page
    page.goto(participant.address)
    page.get_by_label("Enter your code").fill("nothing")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    check("welcome with an error")
    participant.reach("consent")
    check("consent")
    participant.agree()
    check("survey")
    participant.skip_survey()
    for key in ["w", "a", "s", "d", "f", "Shift+ArrowUp", "Enter", "z", "r"]:
        page.keyboard.press(key)
    check("tutorial, all used")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("main[data-stage=playing][data-connection=live]")
    page.get_by_role("button", name="Leave this game").click()
    page.get_by_role("button", name="Leave for good").click()
    page.get_by_role("heading", name="On to the next one").wait_for()
    check("pause")


def test_the_playing_page_is_accessible(participant: Participant, check: Check) -> None:
    page = participant.page
    participant.sit("wk01")
    page.get_by_role("button", name="Colour patterns").click()
    check("play with patterns")
    page.keyboard.press("ArrowUp")
    page.get_by_text("This try is over").wait_for()
    page.evaluate("document.querySelector('prompt-bar').show(1200, 600)")
    check("game over, at the soft limit")
    page.get_by_role("button", name="Leave this game").click()
    check("leave")
    page.get_by_role("button", name="Leave for good").click()
    page.get_by_role("heading", name="Thank you").wait_for()
    check("thank you")
