"""Recordings played again by the engine itself, to see whether they tell what an environment does."""

from __future__ import annotations

import numpy as np

from engine.play.game import Game
from engine.play.recording import RecordedTurn, Recording
from engine.play.source import Source
from engine.play.turns import Turn


def play_again(
    source: Source, seed: int, recording: Recording, *, as_arcengine: bool = False
) -> tuple[list[Turn], int | None]:
    """The turns of a recording's actions, and the number of the first that is not as recorded."""
    game, opening = Game.start(source, seed, as_arcengine=as_arcengine)
    turns = [opening, *(game.act(recorded.action) for recorded in recording.turns[1:])]
    pairs = zip(recording.turns, turns, strict=True)
    return turns, next((seq for seq, pair in enumerate(pairs) if not _agree(*pair)), None)


def _agree(recorded: RecordedTurn, turn: Turn) -> bool:
    if recorded.state_hash not in (None, turn.state_hash):
        return False
    if recorded.frames is None:
        return True
    same_number = len(recorded.frames) == len(turn.frames)
    return same_number and all(map(np.array_equal, recorded.frames, turn.frames))
