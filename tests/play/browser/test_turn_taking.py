"""What becomes of a press: sent, kept, dropped; it ends or hurries an animation. Time is the test's own."""

from typing import Any

import pytest
from playwright.sync_api import Page

KEY, REPEAT, BUTTON = 1, 2, 5
UP, DOWN, UNDO, RESET = 1, 2, 7, 0
DIRECTIONS = 0b11110
TABLE = """async () => {
    await import("/static/play/board.js");
    const { TurnTaking } = await import("/static/play/turn_taking.js");
    document.body.innerHTML = "<play-board></play-board>";
    const board = document.querySelector("play-board");
    window.sent = [];
    window.painted = [];
    const context = board.querySelector("canvas").getContext("2d", { alpha: false });
    const put = context.putImageData.bind(context);
    context.putImageData = (image, x, y) => { window.painted.push(image.data[0]); put(image, x, y); };
    window.turns = new TurnTaking(board, (press, paint) => window.sent.push([press.action, paint]));
    window.colours = [255, 204, 153, 102, 51, 0];
}"""


class Table:
    """The rules with a real board, and what they sent and painted."""

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

    def wait(self, milliseconds: int) -> None:
        self.page.clock.run_for(milliseconds)

    @property
    def sent(self) -> list[int]:
        return [action for action, _ in self.page.evaluate("sent")]

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


def test_of_the_presses_made_while_one_is_on_its_way_the_last_is_kept(table: Table) -> None:
    table.press(UP)
    table.press(DOWN)
    table.press(3)
    assert table.sent == [UP]
    table.turn()
    assert table.sent == [UP, 3]
    table.turn()
    assert table.sent == [UP, 3]


@pytest.mark.parametrize(
    "turn",
    [
        pytest.param({"level_completed": True, "frames": 3}, id="a level was completed"),
        pytest.param({"state": 2, "frames": 1}, id="game over"),
        pytest.param({"state": 1, "frames": 2}, id="won"),
        pytest.param({"available": 0b00110}, id="other controls are available"),
    ],
)
def test_a_kept_press_is_dropped_when_the_turn_changed_what_it_meant(
    table: Table, turn: dict[str, Any]
) -> None:
    table.press(UP)
    table.press(DOWN)
    table.turn(**turn)
    table.wait(3000)
    assert table.sent == [UP]


def test_a_completed_level_is_shown_to_its_end(table: Table) -> None:
    table.press(UP)
    table.turn(frames=6, level_completed=True)
    assert table.accepted == 0
    table.wait(2000)
    assert table.painted == [0, 1, 2, 3, 4, 5]
    assert table.accepted == DIRECTIONS | 1


def test_a_press_hurries_a_completed_level_and_does_nothing_else(table: Table) -> None:
    table.press(UP)
    table.turn(frames=60, level_completed=True)
    table.press(DOWN)
    table.wait(450)
    assert table.accepted == DIRECTIONS | 1, "the animation is over"
    assert table.sent == [UP]
    assert len(table.painted) > 10


def test_a_held_key_does_not_hurry_a_completed_level(table: Table) -> None:
    table.press(UP)
    table.turn(frames=30, level_completed=True)
    table.press(UP, REPEAT)
    table.wait(600)
    assert table.accepted == 0


def test_after_game_over_only_a_reset_is_taken(table: Table) -> None:
    table.press(UP)
    table.turn(state=2)
    table.press(DOWN)
    table.press(RESET)
    assert table.sent == [UP, RESET]


def test_after_a_win_nothing_is_taken(table: Table) -> None:
    table.press(UP)
    table.turn(state=1)
    table.press(RESET)
    assert table.sent == [UP]


def test_an_action_that_is_not_offered_is_not_sent(table: Table) -> None:
    table.press(UNDO, BUTTON)
    assert table.sent == []


def test_nothing_is_taken_or_kept_without_a_connection(table: Table) -> None:
    table.press(UP)
    table.press(DOWN)
    table.page.evaluate("turns.live = false")
    table.press(3)
    table.turn(resync=True)
    table.page.evaluate("turns.live = true")
    assert table.sent == [UP]
    table.press(4)
    assert table.sent == [UP, 4]


def test_after_a_refusal_one_can_press_again(table: Table) -> None:
    table.press(UP)
    table.page.evaluate("turns.refused()")
    table.press(DOWN)
    assert table.sent == [UP, DOWN]


def test_the_time_from_press_to_paint_goes_with_the_next_action(table: Table) -> None:
    table.press(UP)
    table.wait(40)
    table.turn()
    table.wait(20)
    table.press(DOWN)
    (_, first), (_, second) = table.page.evaluate("sent")
    assert first is None
    assert 40 <= second <= 60
