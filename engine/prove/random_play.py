"""Random play of one level: tries, and where these decide nothing, importance splitting (`splitting`).

A try is a new game that begins on the level. A random player who knows nothing (`RandomPolicy`) plays until
the level is won or lost, no action is available, or the budget of actions is used up. Try `number` of a
sequence depends on the sequence's seed and its number alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Any

from engine.errors import EngineError
from engine.play.actions import CLICK, EVERY_CELL, Action
from engine.play.frames import Frame
from engine.play.turns import GAME_OVER, NOT_FINISHED, WIN
from engine.prove.chance import INFORMED_TRIES, INTERIM_RUNS, MOST, SIZES, TRIES, Question, Runs
from engine.prove.masks import Stretch, find
from engine.prove.player import Clicks, Player, RandomPolicy
from engine.prove.qualification.plan import derived_seed
from engine.prove.splitting import KnownWin, Splitting

ENOUGH_WINS = 2
"""So many wins in TRIES tries show that a level is too easy; splitting would not say more."""
WATCHED = 12
"""Tries in which cells are looked for that change by themselves."""
MOST_FAULTS = 20

type Progress = Callable[[int], None]
"""Receives how many of MOST tries and runs are done."""


class End(StrEnum):
    """How a try ended; BUDGET: all of its actions were used."""

    WON = "won"
    LOST = "lost"
    STUCK = "stuck"
    BUDGET = "budget"


def answer(player: Player, question: Question, progress: Progress) -> dict[str, Any]:
    """The stored report:

    {"clicks": "uniform", "tries": the number that counts, "wins": [[number, actions], ..], "lost", "stuck",
    "actions": of the tries, "faults": {code: count}, "informed": [tries, wins] or null, "splitting": null or
    {"particles", "stages", "hits", "wins"} as `splitting.Runs`}. A try in which the environment fails does
    not count. Raises EngineError when more than `MOST_FAULTS` of them do, or splitting meets one.
    """
    tries = Tries(player, question)
    for number in range(TRIES):
        tries.make(number)
        progress(number + 1)
        if len(tries.wins) >= ENOUGH_WINS:
            return tries.report() | {"informed": None, "splitting": None}
    informed = _informed(player, question)
    split = _split(player, question, tries.watched, progress) if question.win else None
    number = TRIES
    go_on = split is None or (split.rare_stage is not None and not split.decide(question.chance))
    while go_on and len(tries.wins) < len(question.needed):
        if number >= question.needed[len(tries.wins)]:
            break
        tries.make(number)
        number += 1
        progress(min(number, MOST))
    return tries.report() | {"informed": informed, "splitting": asdict(split) if split else None}


def _split(player: Player, question: Question, watched: Sequence[Stretch], progress: Progress) -> Runs | None:
    """The runs that decide, or the last ones; None if the pilot made no progress.

    Where a stage is reached too rarely for more games to decide, tries tell as much and cost less.
    """
    known = KnownWin(_frames(player, question), find(watched).mask)
    done = TRIES
    found: Runs | None = None
    for size in SIZES:
        if found is not None and not _is_promising(found, size, question.chance):
            break
        splitting = Splitting(
            player,
            question.level,
            derived_seed(question.seed, "splitting", size),
            question.budget,
            known=known,
            particles=size,
            chance=question.chance,
        )
        found = splitting.runs(lambda number, done=done: progress(done + number))  # type: ignore[misc]
        done += INTERIM_RUNS[-1]
        if not found.hits:
            return None
        if found.decide(question.chance):
            break
    return found


def _is_promising(found: Runs, size: int, chance: float) -> bool:
    """Whether runs of this size may decide: with a rare stage, if the same shares would."""
    return found.rare_stage is None or found.grown(size // found.particles).decide(chance)


class Tries:
    """Tries of a level, and what they came to; the first few are `watched`."""

    def __init__(self, player: Player, question: Question, clicks: Clicks = "uniform") -> None:
        self.wins: list[list[int]] = []
        self.watched: list[Stretch] = []
        self._player = player
        self._question = question
        self._clicks = clicks
        self._ends: Counter[End] = Counter()
        self._faults: Counter[str] = Counter()
        self._actions = 0

    def make(self, number: int) -> None:
        """Makes one try. Raises EngineError once too many failed."""
        try:
            end, used = self.play(number)
        except EngineError as error:
            self.watched.clear()  # its frames and actions do not match
            self._faults[error.code] += 1
            if self._faults.total() > MOST_FAULTS:
                raise
            return
        self._ends[end] += 1
        self._actions += used
        if end == End.WON:
            self.wins.append([number, used])

    def play(self, number: int) -> tuple[End, int]:
        """One try: its end and its number of actions. Raises EngineError as `Game.start` and `Game.act`."""
        asked = self._question
        game = self._player.start(derived_seed(asked.seed, "game", number), asked.level)
        policy = RandomPolicy(derived_seed(asked.seed, "player", number), self._clicks)
        actions: list[Action] = []
        frames: list[Frame] = [game.turn.frames[-1]]
        watches = number < WATCHED
        if watches:
            self.watched.append(Stretch(asked.level, actions, frames))
        while len(actions) < asked.budget:
            if game.turn.state == GAME_OVER:
                return End.LOST, len(actions)
            if not game.turn.available_actions:
                return End.STUCK, len(actions)
            action = self._player.choose(policy, game)
            turn = self._player.act(game, action)
            actions.append(action)
            if turn.level_completed or turn.state == WIN:
                frames.append(frames[-1])  # what is shown now is of another level
                return End.WON, len(actions)
            if watches:
                frames.append(turn.frames[-1])
        return (End.LOST if game.turn.state == GAME_OVER else End.BUDGET), len(actions)

    def report(self) -> dict[str, Any]:
        """The part of the report that is about tries."""
        return {
            "clicks": self._clicks,
            "tries": self._ends.total(),
            "wins": self.wins,
            "lost": self._ends[End.LOST],
            "stuck": self._ends[End.STUCK],
            "actions": self._actions,
            "faults": dict(self._faults),
        }


def _informed(player: Player, question: Question) -> list[int] | None:
    """How many tries were made by a player who knows the declared places, and won; None without places."""
    game = player.start(question.seed, question.level)
    cells = len(player.valid_actions(game)) >= len(EVERY_CELL)
    if CLICK not in game.turn.available_actions or cells:
        return None
    tries = Tries(player, question, "declared")
    for number in range(INFORMED_TRIES):
        tries.make(number)
    return [tries.report()["tries"], len(tries.wins)]


def _frames(player: Player, question: Question) -> Sequence[Frame]:
    """What the known win shows, from the level's start up to before it wins."""
    game = player.start(question.win_seed, question.level)
    frames = [game.turn.frames[-1]]
    for action in question.win:
        turn = player.act(game, action)
        if turn.level_completed or turn.state != NOT_FINISHED:
            break
        frames.append(turn.frames[-1])
    return frames
