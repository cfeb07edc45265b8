"""All controls are in view, large enough and separate at every window size."""

from itertools import combinations

from playwright.sync_api import Page

from tests.play.browser.conftest import Participant

SIZES = [(320, 568), (390, 844), (820, 1180), (1280, 800), (1920, 1080)]
TURNED = [(height, width) for width, height in SIZES]
SETS = [
    sum(1 << action for action in actions)
    for size in range(1, 8)
    for actions in combinations(range(1, 8), size)
]
"""Every set of actions that an environment may offer, bit i for action i."""
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
    resize_done(page)


def resize_done(page: Page) -> None:
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_every_set_of_available_actions_is_within_reach(participant: Participant) -> None:
    assert len(SETS) == 127
    participant.sit("rn01")
    page = participant.page
    for upright, turned in zip(SIZES, TURNED, strict=True):
        for size in (upright, turned):
            resize(page, size)
            for bar in (False, True):
                finger = FINGER if size[1] > 320 else SMALLEST
                found = page.evaluate(TROUBLE, [SETS, bar, finger, PARTS])
                assert found == [], f"at {size}, soft limit {'asks' if bar else 'silent'}"


def test_controls_are_within_reach_with_text_of_twice_the_size(participant: Participant) -> None:
    participant.sit("rn01")
    page = participant.page
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    for size in [(390, 844), (820, 1180), (1280, 800), (1920, 1080)]:
        resize(page, size)
        for bar in (False, True):
            found = page.evaluate(TROUBLE, [SETS, bar, FINGER, PARTS])
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
    const size = (part) => document.querySelector(part).getBoundingClientRect();
    const page = getComputedStyle(document.querySelector("main"));
    return {
        board: size("canvas").width * devicePixelRatio,
        caps: [size("play-controls").width, size("play-controls").height],
        status: size(".foot").height,
        beside: [size(".beside").width, size(".beside").height],
        edges: [2 * parseFloat(page.paddingLeft), 2 * parseFloat(page.paddingTop)],
        gap: parseFloat(page.columnGap),
    };
}"""


def test_the_board_is_the_largest_with_its_caps_and_a_line_of_status(participant: Participant) -> None:
    """Computed from what caps, the line and the text beside really need, beside the board and below it."""
    participant.sit("wk01")
    page = participant.page
    device = page.context.new_cdp_session(page)
    for width, height, ratio in WINDOWS:
        metrics = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False}
        device.send("Emulation.setDeviceMetricsOverride", metrics)
        resize_done(page)
        found = page.evaluate(MEASURED)
        (wide, high), (text, lines), (sides, ends) = found["caps"], found["beside"], found["edges"]
        gap, line = found["gap"], found["status"] + ends
        right = min(width - max(wide, text) - sides - gap, height - line)
        below = min(width - sides, height - line - high - lines)
        if height < 300:  # a page enlarged three times has its text in lines above the board
            right = min(width - wide - sides - gap, height - line - lines)
        largest = 64 * int(max(right, below) * ratio / 64 + 1e-6)
        assert 256 <= largest <= round(found["board"]), (width, height, ratio, found)
        device.send("Emulation.clearDeviceMetricsOverride")


def test_every_control_has_its_place_before_a_level_offers_it(participant: Participant) -> None:
    participant.sit("rn01")
    page = participant.page
    before = page.evaluate(PLACES, STILL)
    page.evaluate("document.querySelector('play-controls').offer(0b11, 0b11)")
    assert page.evaluate(PLACES, STILL) == before
