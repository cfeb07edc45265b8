"""Writes the recordings in `games/`: `python -m tests.games.plays [ID ...]` repeats them exactly."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from uuid import NAMESPACE_URL, uuid5

from engine.play.actions import RESET, Action
from engine.play.game import Game
from engine.play.recording import RecordedTurn, Recording, write
from engine.play.turns import Turn
from tests.games.rules import ENVIRONMENTS, GAMES, known, source

SEED = 0


def winning_actions(environment: str) -> Iterator[Action]:
    """Returns the actions of a whole run: every level, wrong tries first."""
    its = known(environment)
    for tried, fewest in zip(its.TRIED, its.FEWEST, strict=True):
        yield from its.actions(f"{tried} {fewest}")


def shortest_win(environment: str) -> Iterator[Action]:
    """Returns the actions that win every level with as few as searches found."""
    its = known(environment)
    return (action for fewest in its.FEWEST for action in its.actions(fewest))


type Played = tuple[tuple[Action, Turn], ...]
"""Actions, the opening first, and the turn of each."""


def played(environment: str, actions: Iterable[Action]) -> Played:
    game, opening = Game.start(source(environment), SEED)
    return (Action(RESET), opening), *((action, game.act(action)) for action in actions)


@cache
def shortest(environment: str) -> Played:
    """The win of every level with the fewest actions, which many tests look at."""
    return played(environment, shortest_win(environment))


def lines(environment: str, name: str) -> Iterator[str]:
    """The lines of `recordings/<name>.jsonl`, without frames; the name is one of RECORDINGS."""
    moment, turns = datetime(2026, 1, 5, 10, tzinfo=UTC), []
    actions = RECORDINGS[name](environment)
    for action, turn in shortest(environment) if name == "shortest" else played(environment, actions):
        turns.append(RecordedTurn.of(action, turn, turn.frames, moment.isoformat()))
        moment += timedelta(milliseconds=900)
    guid = str(uuid5(NAMESPACE_URL, f"{source(environment).game_id}/{name}"))
    return write(Recording(tuple(turns), source(environment).game_id, guid), frames=False)


def loss(environment: str) -> Iterator[Action]:
    """Returns the actions of a run that loses, or gives up where nothing can be lost."""
    its = known(environment)
    return iter(its.actions(its.LOST))


RECORDINGS = {"win": winning_actions, "shortest": shortest_win, "loss": loss}
"""A first-time win with wrong tries, a win with the fewest actions, and a loss."""

if __name__ == "__main__":
    for code in sys.argv[1:] or ENVIRONMENTS:
        for recorded in RECORDINGS:
            file = GAMES / code / "recordings" / f"{recorded}.jsonl"
            file.parent.mkdir(exist_ok=True)
            file.write_text("".join(lines(code, recorded)), encoding="utf-8")
