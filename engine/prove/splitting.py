"""How rarely a random player wins a level: multilevel splitting with fixed effort (Cérou et al. 2006).

Whoever wins must first get some of the way. So games that got as far as a threshold are continued many times
each, and the shares that reach one threshold after another are multiplied: an unbiased estimate, whatever the
measure of progress is. Here it is the number of the state of a known win that is nearest to what is shown
(`KnownWin`). A pilot chooses the thresholds, and counts for nothing; independent runs then give the interval,
looked at after each number of runs in INTERIM_RUNS. The last threshold is the win, unless the one before is
already rare enough: a win counts as beyond every threshold, so reaching one bounds winning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from random import Random
from typing import NamedTuple

import numpy as np

from engine.errors import EnvironmentFault
from engine.play.actions import Action
from engine.play.frames import Frame
from engine.play.game import Game
from engine.play.turns import NOT_FINISHED, WIN, Turn
from engine.prove.chance import INTERIM_RUNS, MOST_STAGES, Runs
from engine.prove.exploration.snapshot_check import RestoreMethod, check_snapshots
from engine.prove.masks import Cells
from engine.prove.player import LevelPlayer, Player, RandomPolicy
from engine.prove.qualification.plan import derived_seed
from engine.prove.state import NotRestorable, Snapshot, SnapshotStore, restore

STAGE_SHARE, LEAST_SHARE = 0.15, 0.05
"""The share of the pilot's games that a threshold should be reached by, and where none is, at least."""
RARE = 0.2
"""No threshold follows one that the pilot reached this much more rarely than the chance in question."""


class KnownWin:
    """Progress along a known win: the number of its state that is nearest, and how near it is."""

    def __init__(self, frames: Sequence[Frame], masked: Cells) -> None:
        """`frames` from the level's start up to before the win; `masked` cells are not compared."""
        states = np.stack(frames)
        self._cells = (states != states[0]).any(axis=0) & ~masked
        self._states = states[:, self._cells]

    def progress(self, frame: Frame) -> float:
        """0 to the number of states."""
        distances = (self._states != frame[self._cells]).sum(axis=1)
        nearest = int(distances.argmin())
        return nearest + 1 / (1 + int(distances[nearest]))


class _Point(NamedTuple):
    """A state on the way: the actions that led there, and how to restore it; None: by playing them."""

    actions: tuple[Action, ...]
    state_hash: bytes
    progress: float
    snapshot: Snapshot | None


class _SnapshotsFail(Exception):
    """A restored state went on otherwise than a new game with the same actions."""


class _Run:
    """Games of one seed, continued from points that earlier ones reached."""

    def __init__(
        self, level: LevelPlayer, player: Player, known: KnownWin, budget: int, method: RestoreMethod
    ) -> None:
        self._level = level
        self._player = player
        self._win = known
        self._budget = budget
        self._random = Random(derived_seed(level.seed, "deal", 0))
        self._policy = RandomPolicy(derived_seed(level.seed, "player", 0))
        self._game = level.start()
        self._store = None
        if method != RestoreMethod.REPLAY:
            self._store = SnapshotStore(self._game, whole_game=method == RestoreMethod.WHOLE_GAME)
        self._left_level = False
        self.start = self._point((), self._game.turn)

    def dealt(self, points: Sequence[_Point], particles: int) -> Iterator[_Point]:
        """So many points of these, each as often as the others or once more."""
        each, rest = divmod(particles, len(points))
        yield from [*points] * each
        yield from self._random.sample(points, rest)

    def onwards(self, start: _Point, threshold: float) -> _Point | None:
        """Where a game from here first reaches the threshold or wins; None if it never does."""
        if start.progress >= threshold:  # it has won
            return start
        return next(self.records(start, threshold), None)

    def records(self, start: _Point, least: float = 0.0) -> Iterator[_Point]:
        """Each point of one game from here at which it is farther than before, and so far at `least`."""
        if start.progress == inf:
            return
        self._restore(start)
        best, actions = start.progress, list(start.actions)
        while len(actions) < self._budget:
            turn = self._game.turn
            if turn.state != NOT_FINISHED or not turn.available_actions:
                return
            actions.append(self._player.choose(self._policy, self._game))
            turn = self._level.act(self._game, actions[-1])
            if turn.level_completed or turn.state == WIN:
                self._left_level = True
                yield _Point(tuple(actions), turn.state_hash, inf, None)
                return
            if (progress := self._win.progress(turn.frames[-1])) > best and progress >= least:
                best = progress
                yield self._point(tuple(actions), turn)

    def check(self, points: Sequence[_Point]) -> None:
        """Raises _SnapshotsFail unless a new game with the actions of one of the points shows the same."""
        if self._store is not None and points:
            point = self._random.choice(points)
            if self._replayed(point).turn.state_hash != point.state_hash:
                raise _SnapshotsFail

    def _point(self, actions: tuple[Action, ...], turn: Turn) -> _Point:
        snapshot = None
        if self._store is not None:
            try:
                snapshot = self._store.take()
            except NotRestorable as problem:
                raise _SnapshotsFail from problem
        return _Point(actions, turn.state_hash, self._win.progress(turn.frames[-1]), snapshot)

    def _restore(self, point: _Point) -> None:
        if point.snapshot is None:
            self._game = self._replayed(point)
            return
        try:
            restore(self._game, point.snapshot, left_level=self._left_level)
        except NotRestorable as problem:
            raise _SnapshotsFail from problem
        self._left_level = False

    def _replayed(self, point: _Point) -> Game:
        game = self._level.start()
        for action in point.actions:
            self._level.act(game, action)
        return game


class Splitting:
    """Splitting of one level; `chance` is the one that the question is about."""

    def __init__(
        self,
        player: Player,
        level: int,
        seed: int,
        budget: int,
        *,
        known: KnownWin,
        particles: int,
        chance: float,
    ) -> None:
        self._player = player
        self._number, self._seed, self._budget = level, seed, budget
        self._win = known
        self._particles = particles
        self._chance = chance
        self._method = check_snapshots(LevelPlayer(player, derived_seed(seed, "check", 0), level)).method

    def runs(self, progress: Callable[[int], None]) -> Runs:
        """Runs until they decide about the chance, or are as many as there may be.

        None is made where the pilot made no progress. `progress` receives their number after each. Raises
        EngineError as `LevelPlayer`.
        """
        try:
            return self._runs(progress)
        except _SnapshotsFail:
            if self._method == RestoreMethod.REPLAY:
                message = "The same actions do not lead to the same state again."
                raise EnvironmentFault("diverged", message) from None
            self._method = RestoreMethod.REPLAY
            return self._runs(progress)

    def _runs(self, progress: Callable[[int], None]) -> Runs:
        thresholds = self._thresholds(self._run(0))
        found = Runs(self._particles, len(thresholds))
        for number in range(1, INTERIM_RUNS[-1] + 1) if thresholds != [inf] else ():
            run = self._run(number)
            points: list[_Point] = [run.start]
            hits: list[int] = []
            for threshold in thresholds:
                dealt = run.dealt(points, self._particles)
                points = [
                    one for one in (run.onwards(start, threshold) for start in dealt) if one is not None
                ]
                hits.append(len(points))
                if not points:
                    break
                run.check([one for one in points if one.progress < inf])
            won = sum(one.progress == inf for one in points)
            found = Runs(self._particles, len(thresholds), (*found.hits, tuple(hits)), (*found.wins, won))
            progress(number)
            if number in INTERIM_RUNS and found.decide(self._chance):
                break
        return found

    def _thresholds(self, pilot: _Run) -> list[float]:
        """Each reached from the one before by about STAGE_SHARE of the pilot's games; inf is the win."""
        thresholds: list[float] = []
        points, chance, last = [pilot.start], 1.0, pilot.start.progress
        while len(thresholds) < MOST_STAGES:
            games = [[start, *pilot.records(start)] for start in pilot.dealt(points, self._particles)]
            best = sorted((game[-1].progress for game in games), reverse=True)
            shares = (best[int(share * self._particles) - 1] for share in (STAGE_SHARE, LEAST_SHARE))
            threshold = next((one for one in shares if one > last), inf)
            if threshold == inf:
                break
            reaching = [game for game in games if game[-1].progress >= threshold]
            points = [next(one for one in game if one.progress >= threshold) for game in reaching]
            thresholds.append(threshold)
            last = threshold
            chance *= len(points) / self._particles
            if chance <= RARE * self._chance:
                return thresholds
        return [*thresholds, inf]

    def _run(self, number: int) -> _Run:
        seed = derived_seed(self._seed, "run", number)
        level = LevelPlayer(self._player, seed, self._number)
        return _Run(level, self._player, self._win, self._budget, self._method)
