"""The committed recordings replay exactly and are what their script plays."""

from __future__ import annotations

from statistics import median

import numpy as np
import pytest

from engine.recording import read
from tests.games.plays import SEED, lines
from tests.games.rules import ENVIRONMENTS, GAMES, source
from tests.replays import play_again

OUTCOMES = ("win", "loss")
LAST_STATE = {"win": "WIN", "loss": "GAME_OVER"}


def committed(environment: str, outcome: str) -> str:
    return (GAMES / environment / "recordings" / f"{outcome}.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_recording_replays_exactly(environment: str, outcome: str) -> None:
    recording = read(committed(environment, outcome).splitlines())
    assert all(turn.state_hash is not None for turn in recording.turns)
    turns, divergence = play_again(source(environment), SEED, recording)
    assert divergence is None
    assert turns[-1].state == LAST_STATE[outcome]


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_recording_is_what_its_script_plays(environment: str, outcome: str) -> None:
    assert "".join(lines(environment, outcome)) == committed(environment, outcome)


def test_a_typical_action_is_a_small_message() -> None:
    """A `turn` of docs/wire.md: a header, two bytes a frame and two bytes a changed cell."""
    sizes: list[int] = []
    for environment in ENVIRONMENTS:
        recording = read(committed(environment, "win").splitlines())
        frame = None
        for turn in play_again(source(environment), SEED, recording)[0]:
            size = 14
            for after in turn.frames:
                size += 2 + (0 if frame is None else 2 * int(np.count_nonzero(frame != after)))
                frame = after
            sizes.append(size)
    assert median(sizes) < 100
