"""The player shows frame by frame what a film of the same attempt shows (`tests/vectors/clocks.json`)."""

import json
from typing import Any

from django.test import Client
from playwright.sync_api import Page

from tests.browsing import ORIGIN, browse
from tests.review.clock_vectors import VECTORS

UNLIKE = """async (vectors) => {
    const { Timeline } = await import("/static/review/timeline.js");
    const { RealTime, PerAction } = await import("/static/review/clocks.js");
    const JUST_BEFORE = 0.02;
    const entryOf = ([time, frames, ends, pressed, paint], seq) => ({
        seq, time, frame_count: frames, level_completed: ends, client_time: pressed, previous_paint: paint,
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
