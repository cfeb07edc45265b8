"""Scores what a play counted against a baseline, by a reading."""

from collections.abc import Sequence
from dataclasses import dataclass

from playtest.arena.queries.baselines import Baseline, Source
from playtest.arena.queries.level_counts import PlayCounts
from playtest.rules.score import LevelRun, Reading, Variant, environment_score, level_score, over_budget


@dataclass(frozen=True, slots=True)
class LevelScore:
    """One level of a play. `score` in percent is None without a baseline; `ended`: after the budget's end."""

    level: int
    actions: int
    resets: int
    completed: bool
    baseline: int | None
    score: float | None
    ended: bool = False


def compared_with(baseline: Baseline, variant: Variant) -> tuple[tuple[int, ...], str]:
    """The actions that levels are scored against, empty when something is missing, and what is missing."""
    if baseline.source == Source.NONE:
        return (), "no baseline"
    if variant != Variant.SECOND_BEST:
        return baseline.actions, ""
    if baseline.source != Source.RELEASE:
        return (), "no release, so the second best person is not known"
    known = tuple(actions for actions in baseline.second_best if actions is not None)
    if len(known) < len(baseline.actions):
        return (), "fewer than two people completed a level"
    return known, ""


def score_counts(
    counts: PlayCounts, levels: int, baseline: Baseline, compared: Sequence[int], reading: Reading
) -> tuple[tuple[LevelScore, ...], float]:
    """All levels of a play with their scores, and the environment's score in percent."""
    taken = [counts.level(number) for number in range(1, levels + 1)]
    if not compared:
        return tuple(
            LevelScore(one.level, one.actions, one.resets, one.completed, baseline.of(one.level), None)
            for one in taken
        ), 0.0
    last = over_budget([one.actions for one in taken], baseline.actions) if reading.budget else None
    scored, runs = [], []
    for one, against in zip(taken, compared, strict=True):
        ended = last is not None and one.level >= last
        # A level whose only actions were undos would have none when undo is not counted.
        run = LevelRun(one.completed and not ended, max(one.actions, int(one.completed)), against)
        runs.append(run)
        score = level_score(run, reading.variant)
        scored.append(LevelScore(one.level, one.actions, one.resets, one.completed, against, score, ended))
    return tuple(scored), environment_score(runs, reading.variant)
