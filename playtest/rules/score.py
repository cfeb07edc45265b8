"""Relative human action efficiency (report 4.1), in percent throughout.

The default variant agrees with arc_agi's `EnvironmentScoreCalculator`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from playtest.rules.errors import RuleError


class Variant(StrEnum):
    """What the cap of 1.15 bounds. Every stored score names its variant."""

    TOOLKIT = "toolkit"
    """The squared score, as arc_agi and the documentation have it."""
    REPORT = "report"
    """The ratio before it is squared, as equation 1 of the report has it."""

    @property
    def cap(self) -> float:
        """The most a level can score, in percent."""
        return 132.25 if self is Variant.REPORT else 115.0


@dataclass(frozen=True, slots=True)
class LevelRun:
    """How a run went on one level: `actions` taken there (0 if not reached) beside its human `baseline`."""

    completed: bool
    actions: int
    baseline: int


def level_score(run: LevelRun, variant: Variant = Variant.TOOLKIT) -> float:
    """The level's score in percent; 0 unless completed.

    Raises RuleError `baseline_not_positive` or `action_count_not_positive`.
    """
    if run.baseline <= 0:
        raise RuleError("baseline_not_positive", "A level is scored against a baseline of at least 1 action.")
    if not run.completed:
        return 0.0
    if run.actions <= 0:
        raise RuleError("action_count_not_positive", "A completed level has at least one action.")
    return min(variant.cap, (run.baseline / run.actions) ** 2 * 100)


def environment_score(levels: Sequence[LevelRun], variant: Variant = Variant.TOOLKIT) -> float:
    """The environment's score in percent, 0 to 100, from ALL its levels in order, those not reached included.

    Levels weigh as much as their 1-based index; the mean is capped by the weighted share of completed levels.

    Raises RuleError `no_levels`, and as `level_score`.
    """
    if not levels:
        raise RuleError("no_levels", "An environment is scored over all its levels; give at least one.")
    total_weight = sum(range(1, len(levels) + 1))
    scored = sum(level_score(run, variant) * weight for weight, run in enumerate(levels, start=1))
    completed_weight = sum(weight for weight, run in enumerate(levels, start=1) if run.completed)
    return min(scored / total_weight, completed_weight / total_weight * 100)


def total_score(environment_scores: Iterable[float]) -> float | None:
    """The mean over environments in percent; None when there are none."""
    scores = list(environment_scores)
    return fmean(scores) if scores else None
