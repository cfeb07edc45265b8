"""What is asked of random play of a level, and what its runs say of the chance to win it: without a game.

Whoever asks, stores and judges needs no environment; `random_play` and `splitting` play them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, prod, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from engine.play.actions import Action

INTERIM_RUNS = (5, 10, 20)
"""After so many runs the interval is looked at, each time with its share of UPPER_ERROR."""
UPPER_ERROR, LOWER_ERROR = 0.03, 0.001
"""The chance that an upper bound is too low, and that a lower one is too high, if runs were normal.

Products of shares are skewed: with 0.05 an upper bound was too low in 6 to 7 % of simulated games.
"""
MOST_STAGES = 15
FEW = 5
"""With fewer hits in all runs, a stage is bounded as if each game it began from had been continued once."""
SIZES = (100, 400, 1_600)
"""How many games a stage of splitting continues; more, where fewer decided nothing."""
TRIES = 300
"""Tries that are made before splitting. A level that is far too easy is found by them."""
INFORMED_TRIES = 100
"""Tries of a player who clicks only places that the environment declares: a figure beside the other."""
MOST = TRIES + len(SIZES) * INTERIM_RUNS[-1]


@dataclass(frozen=True, slots=True)
class Question:
    """Whether a level is won by chance more often than `chance`, with at most `budget` actions.

    `needed`: how many tries bound the chance so far if none of them wins, if one does, and so on. `win`:
    actions that win the level with the seed `win_seed`.
    """

    level: int
    seed: int
    budget: int
    chance: float
    needed: tuple[int, ...] = ()
    win: tuple[Action, ...] = ()
    win_seed: int = 0


class Interval(NamedTuple):
    """`estimate` is unbiased, of reaching the last threshold; `lower` and `upper` bound the chance to win."""

    estimate: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Runs:
    """What runs of `particles` games a stage came to.

    `hits` has for each run how many reached each of the `stages`, up to the first that none reached; `wins`
    how many of those that reached the last one had won.
    """

    particles: int
    stages: int
    hits: tuple[tuple[int, ...], ...] = ()
    wins: tuple[int, ...] = ()

    def interval(self) -> Interval:
        """By Student's t over runs, above on a scale of logarithms; few hits by Clopper and Pearson."""
        reached = [self._share(hits, self.stages) for hits in self.hits]
        won = [
            share * wins / hits[-1] if share else 0.0
            for share, hits, wins in zip(reached, self.hits, self.wins, strict=True)
        ]
        lower = max(0.0, fmean(won) - _reach(won, LOWER_ERROR))
        return Interval(fmean(reached), lower, min(1.0, self._upper(reached)))

    def decide(self, chance: float) -> bool:
        """Whether the interval is below this chance or above it."""
        interval = self.interval()
        return interval.upper <= chance or interval.lower > chance

    @property
    def rare_stage(self) -> int | None:
        """The first stage with fewer than FEW hits in all runs; None if there is none."""
        return next((stage for stage in range(self.stages) if self._hits(stage) < FEW), None)

    def grown(self, factor: int) -> Runs:
        """The same shares of so many times as many games."""
        hits = tuple(tuple(factor * number for number in run) for run in self.hits)
        return Runs(factor * self.particles, self.stages, hits, tuple(factor * one for one in self.wins))

    def _upper(self, reached: list[float]) -> float:
        error = UPPER_ERROR / len(INTERIM_RUNS)
        rare = self.rare_stage
        if rare is None:
            return _above(reached, error)
        begun = self._hits(rare - 1) if rare else self.particles * len(self.hits)
        before = [self._share(run, rare) for run in self.hits]
        return _above(before, error / 2) * _at_most(self._hits(rare), begun, error / 2)

    def _hits(self, stage: int) -> int:
        return sum(self._at(run, stage) for run in self.hits)

    def _share(self, hits: Sequence[int], stages: int) -> float:
        return prod(self._at(hits, stage) / self.particles for stage in range(stages))

    @staticmethod
    def _at(hits: Sequence[int], stage: int) -> int:
        return hits[stage] if stage < len(hits) else 0


def _above(values: Sequence[float], error: float) -> float:
    """An upper bound of their mean, on a scale of logarithms: products of shares are skewed."""
    mean = fmean(values)
    return mean * exp(_reach(values, error) / mean) if mean else 0.0


def _at_most(hits: int, games: int, error: float) -> float:
    from scipy.special import betaincinv  # slow to import

    return 1.0 if hits >= games else float(betaincinv(hits + 1, games - hits, 1 - error))


def _reach(values: Sequence[float], error: float) -> float:
    """How far the mean of so many independent values may be off on one side."""
    from scipy.special import stdtrit  # slow to import

    return float(stdtrit(len(values) - 1, 1 - error)) * stdev(values) / sqrt(len(values))
