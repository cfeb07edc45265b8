"""The intent gate: nothing counts that was done before its screen could be seen; tried by random presses."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.play.browser.conftest import Run

PLAY = """(() => {
    const gate = new IntentGate();
    return steps.map(([at, step, code]) => {
        if (step === "change") return gate.change() ?? null;
        if (step === "visible") return gate.visible(at) ?? null;
        if (step === "release") return gate.release(code) ?? null;
        if (step === "blur") return gate.releaseAll() ?? null;
        if (step === "pointer") return gate.pointer(at);
        return gate.key(code, at, step === "repeat");
    });
})()"""

type Step = tuple[int, str, str]


def verdicts(run: Run, steps: list[Step]) -> list[Any]:
    found: list[Any] = run("play/intent.js", PLAY, steps=[list(step) for step in steps])
    return found


def naive(steps: list[Step]) -> list[str | None]:
    """The same by looking back over everything that happened."""
    found: list[str | None] = []
    for number, (at, step, code) in enumerate(steps):
        before = steps[:number]
        found.append(
            None if step in ("change", "visible", "release", "blur") else judged(before, at, step, code)
        )
    return found


def judged(before: list[Step], at: int, step: str, code: str) -> str:
    begun = max((n for n, (_, kind, _) in enumerate(before) if kind == "change"), default=-1)
    painted = next((when for when, kind, _ in before[begun + 1 :] if kind == "visible"), None)
    is_seen = painted is not None and at >= painted
    if step != "repeat":
        return "press" if is_seen else "early"
    downs = [n for n, (_, kind, key) in enumerate(before) if kind == "down" and key == code]
    ups = [
        n for n, (_, kind, key) in enumerate(before) if kind == "blur" or (kind == "release" and key == code)
    ]
    if not downs or downs[-1] < begun or (ups and ups[-1] > downs[-1]):
        return "held"
    if judged(before[: downs[-1]], before[downs[-1]][0], "down", code) != "press":
        return "held"
    last = before[downs[-1]][0]
    for n in range(downs[-1] + 1, len(before)):
        when, kind, key = before[n]
        if kind == "repeat" and key == code and when - last >= 125:
            last = when
    return "repeat" if at - last >= 125 else "held"


STEPS = st.lists(
    st.tuples(
        st.integers(0, 400),
        st.sampled_from(
            ["change", "visible", "down", "down", "repeat", "repeat", "repeat", "release", "blur", "pointer"]
        ),
        st.sampled_from(["KeyW", "KeyZ"]),
    ),
    max_size=40,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(gaps=STEPS)
def test_any_presses_count_exactly_when_their_screen_could_be_seen(run: Run, gaps: list[Step]) -> None:
    at, steps = 0, []
    for gap, step, code in gaps:
        at += gap
        steps.append((at, step, code))
    assert verdicts(run, steps) == naive(steps)


def held(begins: int, ends: int, every: int = 33) -> list[Step]:
    """A key that is held from one time to another, as a browser reports it."""
    repeats: list[Step] = [(at, "repeat", "ArrowUp") for at in range(begins + 500, ends, every)]
    return [(begins, "down", "ArrowUp"), *repeats]


def test_a_key_held_into_the_next_level_counts_for_nothing_there(run: Run) -> None:
    steps = sorted([(0, "visible", ""), *held(100, 3000), (1500, "change", ""), (1700, "visible", "")])
    found = list(zip(steps, verdicts(run, steps), strict=True))
    assert {verdict for (at, _, _), verdict in found if at > 1500 and verdict} == {"held"}
    counted = [at for (at, _, _), verdict in found if verdict in ("press", "repeat")]
    assert len(counted) == 8, "one press, and at most eight a second of the second of repeats"
    released = [*steps, (3000, "release", "ArrowUp"), (3100, "down", "ArrowUp")]
    assert verdicts(run, released)[-1] == "press"


def test_a_button_that_cannot_be_undone_waits_from_the_last_press(run: Run) -> None:
    """Presses 4 times a second never reach it; it is there 600 ms after the last one."""
    rests = run(
        "play/intent.js",
        """(() => {
            const gate = new IntentGate();
            gate.visible(0);
            const rests = [];
            for (let at = 0; at <= 3000; at += 250) {
                rests.push(gate.restIn(at));
                gate.key("Space", at, false);
            }
            return [...rests, gate.restIn(3000), gate.restIn(3599), gate.restIn(3600)];
        })()""",
    )
    *during, last, almost, rested = rests
    assert min(during) > 0
    assert (last, almost, rested) == (600, 1, 0)


def test_the_second_press_of_a_double_click_on_a_button_is_not_meant_for_the_board(run: Run) -> None:
    """The board is there 60 ms after Start; a finger may be lifted later than it came down."""
    found = run(
        "play/intent.js",
        """(() => {
            const gate = new IntentGate();
            gate.visible(0);
            gate.pointer(1000);
            gate.button(1000);
            gate.change();
            gate.visible(1060);
            return [gate.board(1200, 1200), gate.board(1600, 1450), gate.board(1600, 1600)];
        })()""",
    )
    assert found == ["early", "early", "press"]
