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
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_every_set_of_available_actions_is_within_reach(participant: Participant) -> None:
    assert len(SETS) == 127
    participant.sit("rn01")
    page = participant.page
    for upright, turned in zip(SIZES, TURNED, strict=True):
        for size in (upright, turned):
            resize(page, size)
            for bar in (False, True):
                found = page.evaluate(TROUBLE, [SETS, bar, FINGER, PARTS])
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


def test_a_control_that_is_offered_later_moves_none_of_the_others(participant: Participant) -> None:
    participant.sit("wk01")
    page = participant.page
    for size in [*SIZES, *TURNED]:
        resize(page, size)
        before = page.evaluate(PLACES, STILL)
        page.evaluate("document.querySelector('play-controls').offer(0xff, 0xff)")
        after = page.evaluate(PLACES, STILL)
        shown = {name for name, box in before.items() if box["width"] > 0}
        assert {name: after[name] for name in shown} == {name: before[name] for name in shown}
        page.evaluate("document.querySelector('play-controls').clear()")
        page.evaluate("document.querySelector('play-controls').offer(0b11111, 0b11111)")


def test_the_board_is_the_largest_that_fits(participant: Participant) -> None:
    participant.sit("wk01")
    for size, side in [((1280, 800), 704), ((1920, 1080), 960), ((390, 844), 384), ((820, 1180), 768)]:
        resize(participant.page, size)
        box = participant.page.locator("canvas").bounding_box()
        assert box is not None
        assert (box["width"], box["height"]) == (side, side)
