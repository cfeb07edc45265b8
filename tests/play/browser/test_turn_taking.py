"""A press is sent, queued or dropped and can end an animation; the test is the clock."""

from typing import Any

import pytest
from playwright.sync_api import Page

KEY, REPEAT, BUTTON = 1, 2, 5
UP, DOWN, LEFT, RIGHT, UNDO, RESET = 1, 2, 3, 4, 7, 0
DIRECTIONS = 0b11110
FRAME_MS = 17
"""Within so long what is drawn is painted."""
TABLE = """async () => {
    await import("/static/shared/board.js");
    const { IntentGate } = await import("/static/play/turn-taking.js");
    const { TurnTaking } = await import("/static/play/turn-taking.js");
    document.body.innerHTML = "<play-board></play-board>";
    const board = document.querySelector("play-board");
    window.sent = [];
    window.painted = [];
    const context = board.querySelector("canvas").getContext("2d", { alpha: false });
    const put = context.putImageData.bind(context);
    context.putImageData = (image, x, y) => { window.painted.push(image.data[0]); put(image, x, y); };
    window.gate = new IntentGate();
    const send = ({ action }, { previousPaintMs, queuedMs }) => {
        window.sent.push([action, previousPaintMs, queuedMs]);
    };
    window.turns = new TurnTaking(board, gate, send);
    window.dropped = [];
    turns.addEventListener("dropped", ({ detail }) => window.dropped.push(detail));
    window.colours = [255, 204, 153, 102, 51, 0];
}"""


class Table:
    """The rules with a real board, and the actions sent and frames painted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        page.evaluate(TABLE)
        self.turn(frames=1, resync=True)
        self.page.evaluate("turns.live = true")
        self.page.evaluate("painted.length = 0")

    def press(self, action: int, kind: int = KEY) -> None:
        self.page.evaluate(
            "([action, input]) => turns.take({ action, input, timeStamp: performance.now() })", [action, kind]
        )

    def turn(self, *, frames: int = 1, state: int = 0, available: int = DIRECTIONS, **flags: bool) -> None:
        """A turn arrives; frame n of it is the palette's grey n, at 10 frames a second."""
        names = {"level_completed": "levelCompleted"}
        facts = {names.get(name, name): value for name, value in flags.items()}
        self.page.evaluate(
            """([count, facts]) => {
                const frame = (_, number) => new Uint8Array(4096).fill(number % 6);
                const frames = Array.from({ length: count }, frame);
                turns.show({ levelCompleted: false, ...facts, frames }, 10);
            }""",
            [frames, {"state": state, "available": available, **facts}],
        )

        self.wait(FRAME_MS)

    def wait(self, milliseconds: int) -> None:
        self.page.clock.run_for(milliseconds)

    @property
    def sent(self) -> list[int]:
        return [action for action, *_ in self.page.evaluate("sent")]

    @property
    def dropped(self) -> list[int]:
        """Presses that were shown as not taken."""
        return [press["action"] for press in self.page.evaluate("dropped")]

    @property
    def late(self) -> bool:
        return bool(self.page.evaluate("turns.late"))

    def hammer(self, actions: list[int], *, every_ms: int, answer_ms: int) -> tuple[list[int], list[int]]:
        """Press these at this pace with this delay of answers; return the sent and the dropped."""
        self.page.evaluate(
            """([actions, available, every, answer]) => {
                window.order = [];
                const turn = { levelCompleted: false, state: 0, available, frames: [new Uint8Array(4096)] };
                turns.send = (press) => {
                    window.order.push(press.number);
                    setTimeout(() => turns.show(turn, 10), answer);
                };
                actions.forEach((action, number) => setTimeout(() => {
                    turns.take({ action, number, input: 1, timeStamp: performance.now() });
                }, number * every));
            }""",
            [actions, DIRECTIONS, every_ms, answer_ms],
        )
        self.wait(len(actions) * max(every_ms, answer_ms) + 5000)
        return self.page.evaluate("order"), self.page.evaluate("dropped.map((press) => press.number)")

    @property
    def painted(self) -> list[int]:
        """The frames painted so far, by number."""
        numbers: list[int] = self.page.evaluate("painted.map((grey) => colours.indexOf(grey))")
        return numbers

    @property
    def accepted(self) -> Any:
        return self.page.evaluate("turns.accepted")


@pytest.fixture
def table(bare: Page) -> Table:
    return Table(bare)


def test_an_animation_plays_at_its_pace_and_paints_every_frame(table: Table) -> None:
    table.press(UP)
    table.turn(frames=4)
    assert table.painted == [0]
    table.wait(120)
    assert table.painted == [0, 1]
    table.wait(1000)
    assert table.painted == [0, 1, 2, 3]


def test_a_press_during_an_animation_jumps_to_its_last_frame_and_is_sent(table: Table) -> None:
    table.press(UP)
    table.turn(frames=6)
    table.press(DOWN)
    assert table.painted == [0, 5]
    assert table.sent == [UP, DOWN]


def test_a_held_key_waits_for_the_animation(table: Table) -> None:
    table.press(UP)
    table.turn(frames=3)
    table.press(UP, REPEAT)
    assert table.sent == [UP]
    table.wait(1000)
    table.press(UP, REPEAT)
    assert table.sent == [UP, UP]
    table.press(UP, REPEAT)
    table.turn()
    assert table.sent == [UP, UP], "nothing of a held key is kept"


def test_a_held_reset_resets_once(table: Table) -> None:
    table.press(RESET)
    table.turn()
    table.press(RESET, REPEAT)
    assert table.sent == [RESET]


def test_presses_during_an_unanswered_action_are_sent_in_order_one_at_a_time(table: Table) -> None:
    for action in (UP, DOWN, LEFT, RIGHT):
        table.press(action)
    for count in range(1, 5):
        assert table.sent == [UP, DOWN, LEFT, RIGHT][:count]
        table.turn()
    table.turn()
    assert table.sent == [UP, DOWN, LEFT, RIGHT]
    assert table.dropped == []


def test_at_most_three_presses_wait_and_dropped_ones_are_shown(table: Table) -> None:
    for action in (UP, DOWN, DOWN, DOWN, LEFT, RIGHT):
        table.press(action)
    assert table.dropped == [LEFT, RIGHT]
    for _ in range(5):
        table.turn()
    assert table.sent == [UP, DOWN, DOWN, DOWN]


@pytest.mark.parametrize("answer_ms", [5, 40, 100, 250])
def test_each_of_sixty_fast_presses_is_sent_in_order_or_shown_as_dropped(
    table: Table, answer_ms: int
) -> None:
    """No press is dropped if answers are faster than presses."""
    sent, dropped = table.hammer([UP, DOWN, LEFT, RIGHT] * 15, every_ms=60, answer_ms=answer_ms)
    assert sorted(sent + dropped) == list(range(60))
    assert sent == sorted(sent)
    if answer_ms <= 40:
        assert dropped == []


def test_a_late_answer_is_shown_and_presses_still_wait_for_it(table: Table) -> None:
    table.press(UP)
    table.press(DOWN)
    table.wait(590)
    assert not table.late
    table.wait(20)
    assert table.late
    assert table.accepted == DIRECTIONS | 1
    table.press(LEFT)
    table.turn()
    assert not table.late
    table.turn()
    assert table.sent == [UP, DOWN, LEFT]
    assert table.dropped == []


def test_on_a_slow_link_more_presses_wait_and_answers_are_late_later(table: Table) -> None:
    """Answers after 300 ms, every tenth 500 ms later: none of 120 presses at 2 a second is dropped."""
    for number in range(120):
        table.press(UP)
        table.wait(800 if number % 10 == 9 else 300)
        assert not table.late or number < 10
        table.turn()
        table.wait(0 if number % 10 == 9 else 183)
    assert table.sent == [UP] * 120
    for _ in range(8):
        table.press(UP)
    assert len(table.dropped) == 1, "one is sent and six wait"


def test_an_answer_in_time_is_never_late(table: Table) -> None:
    for _ in range(3):
        table.press(UP)
        table.wait(200)
        table.turn()
    table.wait(1000)
    assert not table.late


@pytest.mark.parametrize("end", ["turns.live = false", "turns.refused()", "turns.clear()"])
def test_presses_waiting_for_a_failed_action_are_shown_as_dropped(table: Table, end: str) -> None:
    for action in (UP, DOWN, LEFT):
        table.press(action)
    table.page.evaluate(end)
    assert table.dropped == [DOWN, LEFT]
    table.wait(1000)
    assert not table.late
    assert table.sent == [UP]


@pytest.mark.parametrize(
    "turn",
    [
        pytest.param({"level_completed": True, "frames": 3}, id="a level was completed"),
        pytest.param({"state": 2, "frames": 1}, id="game over"),
        pytest.param({"state": 1, "frames": 2}, id="won"),
        pytest.param({"available": 0b00110}, id="other controls are available"),
    ],
)
def test_a_waiting_press_is_dropped_if_the_turn_changes_its_meaning(
    table: Table, turn: dict[str, Any]
) -> None:
    table.press(UP)
    table.press(DOWN)
    table.turn(**turn)
    table.wait(3000)
    assert table.sent == [UP]
    assert table.dropped == [DOWN]


def test_a_completed_level_is_shown_to_its_end(table: Table) -> None:
    table.press(UP)
    table.turn(frames=6, level_completed=True)
    assert table.accepted == 0
    table.wait(2000)
    assert table.painted == [0, 1, 2, 3, 4, 5]
    assert table.accepted == DIRECTIONS | 1


def test_a_press_during_a_completed_level_only_shows_its_end_at_once(table: Table) -> None:
    table.press(UP)
    table.turn(frames=60, level_completed=True)
    table.press(DOWN)
    assert table.painted == [0, 59 % 6]
    assert table.accepted == DIRECTIONS | 1, "the animation is over"
    assert table.sent == [UP]


def test_a_held_key_does_not_skip_the_animation_of_a_completed_level(table: Table) -> None:
    table.press(UP)
    table.turn(frames=30, level_completed=True)
    table.press(UP, REPEAT)
    table.wait(600)
    assert table.accepted == 0


def test_only_a_reset_is_accepted_after_game_over(table: Table) -> None:
    table.press(UP)
    table.turn(state=2)
    table.press(DOWN)
    table.press(RESET)
    assert table.sent == [UP, RESET]


def test_no_press_is_accepted_after_a_win(table: Table) -> None:
    table.press(UP)
    table.turn(state=1)
    table.press(RESET)
    assert table.sent == [UP]


def test_an_action_that_is_not_offered_is_not_sent(table: Table) -> None:
    table.press(UNDO, BUTTON)
    assert table.sent == []


def test_no_press_is_accepted_or_queued_without_a_connection(table: Table) -> None:
    table.press(UP)
    table.press(DOWN)
    table.page.evaluate("turns.live = false")
    table.press(3)
    table.turn(resync=True)
    table.page.evaluate("turns.live = true")
    assert table.sent == [UP]
    table.press(4)
    assert table.sent == [UP, 4]


def test_presses_are_accepted_after_a_refusal(table: Table) -> None:
    table.press(UP)
    table.page.evaluate("turns.refused()")
    table.press(DOWN)
    assert table.sent == [UP, DOWN]


def test_the_time_from_press_to_paint_is_sent_with_the_next_action(table: Table) -> None:
    table.press(UP)
    table.wait(40)
    table.turn()
    table.wait(20)
    table.press(DOWN)
    (_, first, _), (_, second, waited) = table.page.evaluate("sent")
    assert first is None
    assert 40 <= second <= 60
    assert waited == 0


def test_the_time_from_press_to_paint_is_known_of_presses_that_follow_at_once(table: Table) -> None:
    table.press(UP)
    table.wait(30)
    table.press(DOWN)
    table.wait(30)
    table.turn()
    (_, first, _), (_, second, waited) = table.page.evaluate("sent")
    assert first is None
    assert 60 <= second <= 60 + FRAME_MS
    assert 30 <= waited <= 30 + FRAME_MS
