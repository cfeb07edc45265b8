"""The committed recordings replay exactly and are what their script plays."""

from __future__ import annotations

from statistics import median

import numpy as np
import pytest

from engine.recording import read
from engine.replay import replay, turns
from engine.turns import Turn
from tests.games.plays import SEED, lines
from tests.games.rules import ENVIRONMENTS, GAMES, source

OUTCOMES = ("win", "loss")
LAST_STATE = {"win": "WIN", "loss": "GAME_OVER"}


def committed(environment: str, outcome: str) -> str:
    return (GAMES / environment / "recordings" / f"{outcome}.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_recording_replays_exactly(environment: str, outcome: str) -> None:
    recording = read(committed(environment, outcome).splitlines())
    entries = recording.entries()
    assert all(entry.state_hash is not None for entry in entries)
    played = replay(source(environment), SEED, entries)
    assert played.divergence is None
    assert played.valid == len(entries)
    assert played.turn is not None
    assert played.turn.state == LAST_STATE[outcome]


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_recording_is_what_its_script_plays(environment: str, outcome: str) -> None:
    assert "".join(lines(environment, outcome)) == committed(environment, outcome)


def test_a_typical_action_is_a_small_message() -> None:
    """docs/wire.md `turn`: a header, then two bytes for every frame and for every cell that changed."""
    sizes: list[int] = []
    for environment in ENVIRONMENTS:
        entries = read(committed(environment, "win").splitlines()).entries()
        frame = None
        for turn in turns(source(environment), SEED, entries):
            assert isinstance(turn, Turn)
            size = 14
            for after in turn.frames:
                size += 2 + (0 if frame is None else 2 * int(np.count_nonzero(frame != after)))
                frame = after
            sizes.append(size)
    assert median(sizes) < 100
