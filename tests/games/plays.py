"""Writes the recordings in `games/`: `python -m tests.games.plays [ID ...]` repeats them exactly."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from engine.actions import RESET, Action
from engine.game import Game
from engine.recording import RecordedTurn, Recording, write
from tests.games.known import known
from tests.games.rules import ENVIRONMENTS, GAMES, source

SEED = 0


def winning_actions(environment: str) -> Iterator[Action]:
    """Returns the actions of a whole run: every level, wrong tries first."""
    its = known(environment)
    for tried, fewest in zip(its.TRIED, its.FEWEST, strict=True):
        yield from its.actions(f"{tried} {fewest}")


def lines(environment: str, outcome: str) -> Iterator[str]:
    """The lines of `recordings/<outcome>.jsonl`, without frames; outcome is win or loss."""
    its = known(environment)
    played = winning_actions(environment) if outcome == "win" else its.actions(its.LOST)
    game, turn = Game.start(source(environment), SEED)
    moment = datetime(2026, 1, 5, 10, tzinfo=UTC)
    turns = [RecordedTurn.of(Action(RESET), turn, turn.frames, moment.isoformat())]
    for action in played:
        moment += timedelta(milliseconds=900)
        turn = game.act(action)
        turns.append(RecordedTurn.of(action, turn, turn.frames, moment.isoformat()))
    guid = str(uuid5(NAMESPACE_URL, f"{source(environment).game_id}/{outcome}"))
    return write(Recording(tuple(turns), source(environment).game_id, guid), frames=False)


if __name__ == "__main__":
    for name in sys.argv[1:] or ENVIRONMENTS:
        for result in ("win", "loss"):
            file = GAMES / name / "recordings" / f"{result}.jsonl"
            file.parent.mkdir(exist_ok=True)
            file.write_text("".join(lines(name, result)), encoding="utf-8")
