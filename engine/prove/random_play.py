"""Random play of one level, try after try.

A try is a new game that begins on the level. A uniformly random player (`engine.prove.player.UniformPolicy`)
plays until the level is won or lost, no action is available, or the budget of actions is used up. Try
`number` of a sequence depends on the sequence's seed and its number alone, whichever process plays it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.errors import EngineError
from engine.play.turns import GAME_OVER, WIN
from engine.prove.player import Player, UniformPolicy
from engine.prove.qualification.plan import derived_seed

BATCH = 1_000
"""Tries that one process makes. They take tens of seconds, so workers share them evenly."""
MOST_FAULTS = 20

type Progress = Callable[[int], None]
"""Called after every try with the number of tries that are done."""


class End(StrEnum):
    """How a try ended; BUDGET: all of its actions were used."""

    WON = "won"
    LOST = "lost"
    STUCK = "stuck"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class Batch:
    """Tries of one level: the numbers `first` to `first + tries - 1` of the sequence of `seed`."""

    level: int
    seed: int
    first: int
    tries: int
    budget: int


def play(player: Player, batch: Batch, progress: Progress) -> dict[str, Any]:
    """Makes the tries of a batch; the stored result:

    {"tries": the number that counts, "wins": [[number, actions], ..], "lost", "stuck", "actions": in all,
    "faults": {code: count}}. A try in which the environment fails does not count. Raises EngineError when
    more than `MOST_FAULTS` of them do.
    """
    ends: Counter[End] = Counter()
    faults: Counter[str] = Counter()
    wins, actions = [], 0
    for number in range(batch.first, batch.first + batch.tries):
        try:
            end, used = play_try(player, batch, number)
        except EngineError as error:
            faults[error.code] += 1
            if faults.total() > MOST_FAULTS:
                raise
            continue
        finally:
            progress(number + 1 - batch.first)
        ends[end] += 1
        actions += used
        if end == End.WON:
            wins.append([number, used])
    return {
        "tries": ends.total(),
        "wins": wins,
        "lost": ends[End.LOST],
        "stuck": ends[End.STUCK],
        "actions": actions,
        "faults": dict(faults),
    }


def play_try(player: Player, batch: Batch, number: int) -> tuple[End, int]:
    """Makes one try: its end and its number of actions. Raises EngineError as `Game.start` and `Game.act`."""
    game = player.start(derived_seed(batch.seed, "game", number), batch.level)
    policy = UniformPolicy(derived_seed(batch.seed, "player", number))
    for used in range(batch.budget):
        if game.turn.state == GAME_OVER:
            return End.LOST, used
        if not game.turn.available_actions:
            return End.STUCK, used
        turn = player.act(game, player.choose(policy, game))
        if turn.level_completed or turn.state == WIN:
            return End.WON, used + 1
    return (End.LOST if game.turn.state == GAME_OVER else End.BUDGET), batch.budget
