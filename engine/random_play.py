"""Random play of one level, try after try.

A try is a new game that begins on the level. A uniformly random player (`engine.policy.UniformPolicy`) plays
until the level is won or lost, no action is available, or the budget of actions is used up. Try `number` of a
sequence depends on the sequence's seed and its number alone, whichever process plays it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.errors import EngineError
from engine.player import Player
from engine.policy import UniformPolicy
from engine.qualification.plan import derived_seed
from engine.turns import GAME_OVER, WIN

BATCH = 1_000
"""Tries that one process makes: tens of seconds, so that workers share them evenly."""
MOST_FAULTS = 20

type Progress = Callable[[int], None]
"""Told how many tries are done, after every one."""


class End(StrEnum):
    """How a try ended; BUDGET: all of its actions were used."""

    WON = "won"
    LOST = "lost"
    STUCK = "stuck"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class Batch:
    """The tries `first` to `first + tries - 1` of the sequence that `seed` begins, of a level."""

    level: int
    seed: int
    first: int
    tries: int
    budget: int


def play(player: Player, batch: Batch, progress: Progress) -> dict[str, Any]:
    """Makes the tries of a batch: what came of them, as plain data.

    {"tries": how many count, "wins": [[number, actions], ..], "lost", "stuck", "actions": in all,
    "faults": {code: how often}}. A try in which the environment fails does not count. Raises EngineError when
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
    """One try: how it ended, after how many actions. Raises EngineError as `Game.start` and `Game.act`."""
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
