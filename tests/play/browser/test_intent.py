"""The intent gate and submissions: nothing counts that nobody could mean; tried by random presses."""

from itertools import accumulate
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
    found: list[Any] = run("play/turn-taking.js", PLAY, steps=[list(step) for step in steps])
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
        "play/turn-taking.js",
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
        "play/turn-taking.js",
        """(() => {
            const gate = new IntentGate();
            gate.visible(0);
            gate.pointer(1000);
            gate.button(1000);
            gate.change();
            gate.visible(1060);
            const [one, other] = ["1,1", "2,2"];
            return [gate.board(1200, 1200, one), gate.board(1600, 1450, other), gate.board(1600, 1600, one)];
        })()""",
    )
    assert found == ["early", "early", "press"]


def test_presses_that_go_on_at_one_cell_are_not_meant_for_the_next_level(run: Run) -> None:
    """The press at 1000 completes the level; the next one can be seen at 1160, and hands go on at a pace."""
    found = run(
        "play/turn-taking.js",
        """(() => [[200, "1,1"], [200, "1,2"], [500, "1,1"], [100, "1,1"]].map(([pace, place]) => {
            const gate = new IntentGate();
            gate.visible(0);
            const found = [gate.board(800, 800, "1,1"), gate.board(1000, 1000, "1,1")];
            gate.change();
            for (let at = 1000 + pace; at < 1800; at += pace) {
                if (at >= 1160) gate.visible(1160);
                found.push(gate.board(at, at, place));
            }
            return found.map((verdict) => verdict[0]).join("");
        }))()""",
    )
    assert found == ["ppeee", "ppppp", "ppp", "ppeeeeeep"]


FRAME, REST = 16, 600
SUBMIT = """(async () => {
    const { IntentGate } = await import("/static/play/turn-taking.js");
    const { apply, start } = await import("/static/play/tasks/machine.js");
    const test = { input: [[1]], output: [[9]] };
    const task = { demonstrations: [], tests: [test, test] };
    const rule = { tries: 4, most: 4, feedback };
    const [gate, due] = [new IntentGate(), []];
    const submitting = new Submitting(gate);
    let [state, waiting, question, enabled] = [start(task), false, false, false];
    const later = (at, run) => { due.push({ at, run }); due.sort((one, other) => one.at - other.at); };
    const change = (at) => { gate.change(); later(at + 16, () => gate.visible(at + 16)); };
    const rest = (at) => {
        const left = submitting.restIn(at);
        if (left > 0) later(at + Math.min(left, 600), () => rest(at + Math.min(left, 600)));
    };
    const settle = (at) => {
        const left = gate.restIn(at);
        enabled = left <= 0;
        if (left > 0 && question) later(at + Math.min(left, 600), () => settle(at + Math.min(left, 600)));
    };
    const came = (at) => { change(at); submitting.came(); rest(at); };
    const send = (at, latency) => {
        waiting = true;
        later(at + latency, () => {
            [waiting, state] = [false, apply(task, rule, state, { op: "submit" })];
            came(at + latency);
        });
        return "sent";
    };
    came(0);
    return steps.map(([at, step, latency]) => {
        while (due.length > 0 && due[0].at <= at) due.shift().run();
        if (step === "release") return gate.release("Enter") ?? null;
        const keyed = step === "key" || step === "repeat";
        const verdict = keyed ? gate.key("Enter", at, step === "repeat") : gate.pointer(at);
        if (verdict !== "press") return null;
        if (question) {
            if (step === "back" || (step === "confirm" && enabled)) { question = false; change(at); }
            return step === "confirm" && enabled ? send(at, latency) : null;
        }
        const now = state.inputs[state.open];
        if (waiting || now.closed || step === "back" || step === "confirm") return null;
        if (step === "paint") {
            submitting.edited();
            state = apply(task, rule, state, { op: "paint", colour: latency % 4, cells: [0] });
            return null;
        }
        const decision = submitting.decide(rule, now);
        if (decision === "send") return send(at, latency);
        if (decision === "rest") return null;
        if (decision === "repeated") return "repeated";
        question = true;
        change(at);
        settle(at);
        return "asked";
    });
})()"""

type Press = tuple[int, str, int]


class Naive:
    """The same by looking back over everything that happened."""

    def __init__(self, *, feedback: bool) -> None:
        self.feedback = feedback
        self.presses: list[int] = []
        self.painted, self.edited, self.asked = FRAME, False, False
        self.colour = [0, 0]
        self.submitted: list[list[int]] = [[], []]
        self.answer_at: int | None = None

    def rested(self, at: int) -> bool:
        """Whether there was a moment since the screen was painted at which hands had rested."""
        base = self.painted
        for press in [*self.presses, at]:
            if press - base >= REST:
                return True
            base = max(base, press)
        return False

    @property
    def open(self) -> int | None:
        return next((index for index in (0, 1) if len(self.submitted[index]) < 4), None)

    def step(self, at: int, step: str, latency: int) -> str | None:
        if self.answer_at is not None and self.answer_at <= at:
            index = self.open
            assert index is not None
            self.submitted[index].append(self.colour[index])
            self.painted, self.edited, self.answer_at = self.answer_at + FRAME, False, None
        if step == "release":
            return None
        found = self.judged(at, step, latency) if step != "repeat" and at >= self.painted else None
        self.presses.append(at)
        return found

    def judged(self, at: int, step: str, latency: int) -> str | None:
        index = self.open
        if self.asked:
            counts = step == "confirm" and self.rested(at)
            if counts or step == "back":
                self.asked, self.painted = False, at + FRAME
            return self.sent(at, latency) if counts else None
        if self.answer_at is not None or index is None or step in ("back", "confirm"):
            return None
        if step == "paint":
            self.colour[index], self.edited = latency % 4, True
            return None
        if not (self.edited or self.rested_once(at)):
            return None
        if self.submitted[index][-1:] == [self.colour[index]]:
            return "repeated" if self.feedback else self.ask(at)
        return self.ask(at) if self.colour[index] == 0 else self.sent(at, latency)

    def rested_once(self, at: int) -> bool:
        self.edited = self.rested(at)
        return self.edited

    def ask(self, at: int) -> str:
        self.asked, self.painted = True, at + FRAME
        return "asked"

    def sent(self, at: int, latency: int) -> str:
        self.answer_at = at + latency
        return "sent"


def outcomes(run: Run, steps: list[Press], *, feedback: bool = True) -> list[Any]:
    values = {"steps": [list(step) for step in steps], "feedback": feedback}
    found: list[Any] = run("play/tasks/submitting.js", SUBMIT, **values)
    return found


PRESSES = st.lists(
    st.tuples(
        st.one_of(st.sampled_from([1, 17, 120, 200, 350]), st.integers(1, 900)),
        st.sampled_from(["press", "press", "key", "repeat", "release", "paint", "paint", "confirm", "back"]),
        st.integers(20, 400),
    ),
    max_size=40,
)


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(gaps=PRESSES, feedback=st.booleans())
def test_a_press_submits_exactly_when_it_can_be_meant(run: Run, gaps: list[Press], feedback: bool) -> None:
    times = accumulate(gap for gap, _, _ in gaps)
    steps = [(at, step, latency) for at, (_, step, latency) in zip(times, gaps, strict=True)]
    naive = Naive(feedback=feedback)
    assert outcomes(run, steps, feedback=feedback) == [naive.step(*step) for step in steps]


def test_a_double_click_and_a_held_key_submit_once(run: Run) -> None:
    for apart in (120, 200, 350):
        steps = [(1000, "paint", 1), (2000, "press", 30), (2000 + apart, "press", 30), (4000, "press", 30)]
        assert outcomes(run, steps) == [None, "sent", None, "repeated"]
    held = [(2500 + 33 * number, "repeat", 30) for number in range(60)]
    steps = [(1000, "paint", 1), (2000, "key", 30), *held, (4600, "paint", 2), (4700, "key", 30)]
    assert [each for each in outcomes(run, steps) if each] == ["sent", "sent"]
