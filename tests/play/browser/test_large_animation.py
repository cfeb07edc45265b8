"""A thousand frames of noise, 2 MB in one answer, are shown, and the socket stays open."""

import shutil
import time
from pathlib import Path

import numpy as np

from engine.play.actions import Action
from engine.play.game import Game
from engine.play.source import load
from tests.live.games import ENVIRONMENTS
from tests.live.seeder import PATIENCE_SECONDS
from tests.play.browser.conftest import Participant

NOISE = "nz01"
SEEN = """async () => {
    const canvas = document.querySelector("canvas");
    const seen = new Set();
    while (seen.size < 60 && document.querySelector("play-board").animating) {
        const { data } = canvas.getContext("2d").getImageData(0, 0, 64, 64);
        seen.add(data.join());
        await new Promise(requestAnimationFrame);
    }
    return seen.size;
}"""


def test_an_animation_of_noise_is_shown_and_ends_in_its_last_frame(
    participant: Participant, tmp_path: Path
) -> None:
    shutil.copytree(ENVIRONMENTS / NOISE, tmp_path / "games" / NOISE)
    participant.server.seed(games=str(tmp_path / "games"), people=0)
    session = participant.sit(NOISE)
    page = participant.page
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('play-board').animating")
    assert page.evaluate(SEEN) == 60
    where = f"FROM play_attempt WHERE session_id = {session}"
    [(seed,)] = participant.server.rows(f"SELECT seed {where}")
    game, _ = Game.start(load(ENVIRONMENTS / NOISE), seed)
    last = game.act(Action(4)).frames[-1]
    latest = page.evaluate("[...document.querySelector('play-board').latest]")
    assert np.array_equal(np.array(latest), last.reshape(-1))
    page.keyboard.press("ArrowUp")  # does not wait for the rest of it
    page.wait_for_function("() => !document.querySelector('play-board').animating")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(participant.actions(session)) < 2 and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert [row[0] for row in participant.actions(session)] == [4, 1]
    connections = participant.server.rows(
        f"SELECT kind FROM play_event WHERE kind LIKE '%connected' AND session_id = {session}"
    )
    assert connections == [("connected",)]
