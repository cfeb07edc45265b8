"""The time line of a journal, shown by the player as by a film."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page

from tests.browsing import ORIGIN, browse
from tests.review.clock_vectors import VECTORS

type Ask = Callable[..., Any]


def entry(seq: int, time: float, *, level: int = 1, done: bool = False, **more: Any) -> dict[str, Any]:
    completed = level if done else level - 1
    return {
        "seq": seq,
        "action": 1,
        "level": level,
        "level_completed": done,
        "levels_completed": completed,
        "state": "NOT_FINISHED",
        "time": time,
        "frame_count": 1,
    } | more


@pytest.fixture
def ask(ask_models: Ask) -> Ask:
    """`ask(entries, "timeline.at(500)")`: what their time line, at 10 frames a second, answers."""
    return lambda entries, expression: ask_models(expression, entries)


ANIMATED = [entry(0, 0), entry(1, 1000, frame_count=3), entry(2, 5000)]


SHOWN = "timeline.positions.map(({ time, seen }) => [time, seen])"


def test_an_animation_that_was_cut_short_jumps_to_its_end_at_the_next_action(ask: Ask) -> None:
    entries = [entry(0, 0), entry(1, 1000, frame_count=4), entry(2, 1150)]
    assert ask(entries, SHOWN) == [
        [0, True],
        [1000, True],
        [1100, True],
        [1150, False],
        [1150, True],
        [1150, True],
    ]
    assert ask(entries, "timeline.positions[timeline.at(1149)].frame") == 1


def test_an_action_already_waiting_leaves_only_the_last_frame(ask: Ask) -> None:
    entries = [
        entry(0, 0),
        entry(1, 1000, frame_count=3, client_time=70_000),
        entry(2, 1060, client_time=70_010, previous_paint=30),
    ]
    assert ask(entries, SHOWN)[1:4] == [[1000, False], [1000, False], [1000, True]]


def test_idle_time_is_between_the_last_frame_of_an_action_and_the_next(ask: Ask) -> None:
    assert ask(ANIMATED, "timeline.idle(900)") == [{"from": 0, "to": 1000}, {"from": 1200, "to": 5000}]
    assert ask(ANIMATED, "timeline.idle(1000)") == [{"from": 1200, "to": 5000}]


@pytest.mark.parametrize(
    ("time", "position"), [(-5, 0), (0, 0), (999, 0), (1000, 1), (1150, 2), (4999, 3), (5000, 4), (9999, 4)]
)
def test_a_moment_shows_the_last_frame_that_is_not_later(ask: Ask, time: int, position: int) -> None:
    assert ask(ANIMATED, f"timeline.at({time})") == position


def test_the_duration_is_the_last_frames_time(ask: Ask) -> None:
    assert ask(ANIMATED, "timeline.duration") == 5000
    assert ask([entry(0, 0)], "timeline.duration") == 0


def test_steps_by_frame_stay_within_the_line(ask: Ask) -> None:
    steps = "[[0, 1], [0, -1], [4, 1], [2, -1]].map(([at, by]) => timeline.byFrame(at, by))"
    assert ask(ANIMATED, steps) == [1, 0, 4, 1]


def test_steps_by_action_go_to_the_end_of_an_action(ask: Ask) -> None:
    steps = "[[0, 1], [1, 1], [1, -1], [3, 1], [4, 1], [4, -1]].map(([at, by]) => timeline.byAction(at, by))"
    assert ask(ANIMATED, steps) == [3, 4, 0, 4, 4, 3]


LEVELS = [
    entry(0, 0),
    entry(1, 1000, done=True, frame_count=2),
    entry(2, 2000, level=2, action=0),
    entry(3, 3000, level=2, done=True, state="WIN"),
]


def test_a_level_begins_with_the_last_frame_of_the_action_that_completed_the_one_before(ask: Ask) -> None:
    assert ask(LEVELS, "timeline.levels") == [{"level": 1, "position": 0}, {"level": 2, "position": 2}]
    assert ask(LEVELS, "[0, 1, 2, 4].map((position) => timeline.levelAt(position))") == [1, 1, 2, 2]


def test_steps_by_level_go_to_its_start_and_then_to_the_one_before(ask: Ask) -> None:
    steps = "[[0, 1], [2, 1], [4, -1], [2, -1], [0, -1]].map(([at, by]) => timeline.byLevel(at, by))"
    assert ask(LEVELS, steps) == [2, 2, 2, 0, 0]


def test_a_level_that_was_skipped_has_no_start(ask: Ask) -> None:
    entries = [entry(0, 0), entry(1, 1000, done=True, levels_completed=2), entry(2, 2000, level=3)]
    assert ask(entries, "timeline.levels.map((start) => start.level)") == [1, 3]


UNLIKE = """async (vectors) => {
    const { Timeline } = await import("/static/review/timeline.js");
    const { RealTime, PerAction } = await import("/static/review/clocks.js");
    const JUST_BEFORE = 0.02;
    const entryOf = ([time, frames, pressed, paint], seq) => ({
        seq, time, frame_count: frames, level_completed: false, client_time: pressed, previous_paint: paint,
        action: 1, level: 1, levels_completed: 0, state: "NOT_FINISHED",
    });
    const unlike = [];
    for (const { name, entries, frames_per_second, paces } of vectors) {
        const timeline = new Timeline(entries.map(entryOf), frames_per_second);
        for (const { clock, speed, idle, shown } of paces) {
            const runs = clock === "action" ? new PerAction(timeline) : new RealTime(timeline);
            const at = (ms) => {
                const time = runs.advance(0, ms * speed, idle === null ? Infinity : idle * 1000);
                const { entry, frame } = timeline.positions[runs.at(time)];
                return [entry, frame];
            };
            shown.forEach(([entry, frame, ms], index) => {
                const before = shown[index - 1] ?? [0, 0];
                const found = [...at(ms - JUST_BEFORE), ...at(ms + JUST_BEFORE)];
                if (String(found) !== String([before[0], before[1], entry, frame])) {
                    unlike.push({ name, clock, speed, idle, ms, found });
                }
            });
        }
    }
    return unlike;
}"""


def test_the_player_and_a_film_show_the_same_frame_at_every_moment(page: Page) -> None:
    browse(page, Client())
    page.goto(f"{ORIGIN}/static/review/timeline.js")
    vectors: list[dict[str, Any]] = json.loads(VECTORS.read_text())
    assert sum(len(pace["shown"]) for vector in vectors for pace in vector["paces"]) > 1_000
    assert page.evaluate(UNLIKE, vectors) == []


def test_watched_tick_by_tick_idle_time_is_skipped_as_in_one_leap(page: Page) -> None:
    browse(page, Client())
    page.goto(f"{ORIGIN}/static/review/timeline.js")
    script = """async ({ entries, frames_per_second }) => {
        const { Timeline } = await import("/static/review/timeline.js");
        const { RealTime } = await import("/static/review/clocks.js");
        const clock = new RealTime(new Timeline(entries.map(([time, frame_count]) => (
            { time, frame_count, level: 1, state: "NOT_FINISHED" }
        )), frames_per_second));
        const whole = clock.advance(0, 16 * 2000, 1000);
        let time = 0;
        for (let tick = 0; tick < 2000; tick += 1) time = clock.advance(time, 16, 1000);
        return [whole, time];
    }"""
    for vector in json.loads(VECTORS.read_text()):
        whole, ticks = page.evaluate(script, vector)
        assert abs(whole - ticks) < 1e-6
