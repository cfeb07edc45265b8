"""The committed recordings are what their script plays."""

from __future__ import annotations

from statistics import median

import pytest

from engine.play.frames import encode
from engine.play.recording import read
from tests.games.known import known
from tests.games.plays import SEED, lines
from tests.games.rules import ENVIRONMENTS, GAMES, source
from tests.replays import play_again

OUTCOMES = ("win", "shortest", "loss")


def committed(environment: str, outcome: str) -> str:
    return (GAMES / environment / "recordings" / f"{outcome}.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_recording_is_what_its_script_plays_and_ends_as_it_is_named(environment: str, outcome: str) -> None:
    text = committed(environment, outcome)
    assert "".join(lines(environment, outcome)) == text
    turns = read(text.splitlines()).turns
    assert all(turn.state_hash is not None for turn in turns)
    lost = "NOT_FINISHED" if known(environment).CANNOT_BE_LOST else "GAME_OVER"
    assert turns[-1].state == (lost if outcome == "loss" else "WIN")


def test_a_typical_action_is_a_small_message() -> None:
    """A `turn` of docs/wire.md: 14 bytes of facts and the frames as they are sent."""
    sizes: list[int] = []
    for environment in ENVIRONMENTS:
        recording = read(committed(environment, "win").splitlines())
        frame = None
        for turn in play_again(source(environment), SEED, recording)[0]:
            sizes.append(14 + len(encode(turn.frames, frame)))
            frame = turn.frames[-1]
    assert median(sizes) < 200
