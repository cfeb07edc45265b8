"""Relative human action efficiency (report 4.1), in percent throughout.

The default variant agrees with arc_agi's `EnvironmentScoreCalculator`.
The frontier of value and cost is what nothing else beats.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from playtest.rules.errors import RuleError
from playtest.rules.results import undo_text


class Variant(StrEnum):
    """What a level is compared with, and what the cap bounds. Every stored score names its variant."""

    TOOLKIT = "toolkit"
    """The squared score, capped at 1.15, as arc_agi and the documentation have it."""
    REPORT = "report"
    """The ratio, capped at 1.15 before it is squared, as equation 1 of the report has it."""
    SECOND_BEST = "second_best"
    """Until April 2026: a cap of 1.0, and the second best person's actions as the baseline."""
    SIMULATED_REFERENCE = "simulated_reference"
    """As the toolkit's, against counts of simulated people, which are no baseline: for trying agents."""

    @property
    def cap(self) -> float:
        """The most a level can score, in percent."""
        return _CAPS[self]

    @property
    def label(self) -> str:
        """The variant in a choice on a page."""
        return _LABELS[self]


_CAPS = {
    Variant.TOOLKIT: 115.0,
    Variant.REPORT: 132.25,
    Variant.SECOND_BEST: 100.0,
    Variant.SIMULATED_REFERENCE: 115.0,
}
_LABELS = {
    Variant.TOOLKIT: "toolkit (score capped at 1.15)",
    Variant.REPORT: "report (ratio capped at 1.15)",
    Variant.SECOND_BEST: "before April 2026 (second best person, cap 1.0)",
    Variant.SIMULATED_REFERENCE: "simulated reference (no baseline)",
}
BUDGET = 5
"""An agent's run on a level ends after this many times its baseline."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How actions become a score. `undo_counts`: an undo is an action, as in arc_agi 0.9.9, of agents and in
    the baseline alike.

    `budget`: more than BUDGET times the upper median of people on a level is worth nothing there nor later.
    """

    variant: Variant = Variant.TOOLKIT
    undo_counts: bool = True
    budget: bool = True

    @property
    def name(self) -> str:
        """What a score names as its variant: "toolkit, undo counted", "report, undo counted, no budget"."""
        options = [undo_text(undo_counts=self.undo_counts), "" if self.budget else "no budget"]
        return ", ".join([self.variant.value.replace("_", " "), *filter(None, options)])


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
    return weighted_score(list(enumerate(levels, start=1)), variant)


def weighted_score(levels: Sequence[tuple[int, LevelRun]], variant: Variant = Variant.TOOLKIT) -> float:
    """The same of levels that each come with their weight, as those of several environments with one tag.

    Raises as `level_score`; there has to be a level.
    """
    total_weight = sum(weight for weight, _ in levels)
    scored = sum(level_score(run, variant) * weight for weight, run in levels)
    completed_weight = sum(weight for weight, run in levels if run.completed)
    return min(scored / total_weight, completed_weight / total_weight * 100)


def total_score(environment_scores: Iterable[float]) -> float | None:
    """The mean over environments in percent; None when there are none."""
    scores = list(environment_scores)
    return fmean(scores) if scores else None


def over_budget(actions: Sequence[int], baselines: Sequence[int]) -> int | None:
    """The first level (1-based) with more than BUDGET times its baseline of actions; None without one.

    From that level on nothing scores: the run had ended there. Raises RuleError `baseline_not_positive`.
    """
    if any(baseline <= 0 for baseline in baselines):
        raise RuleError("baseline_not_positive", "A budget needs a baseline of at least 1 action.")
    levels = enumerate(zip(actions, baselines, strict=True), start=1)
    return next((level for level, (taken, baseline) in levels if taken > BUDGET * baseline), None)


def frontier[T](known: Iterable[tuple[float, float, T]]) -> list[T]:
    """Those of (cost, value, thing) that no other one beats in value at the same or a lower cost.

    The cheapest comes first. Values are 0 or more.
    """
    best, unbeaten = -1.0, list[T]()
    for _, value, thing in sorted(known, key=lambda one: (one[0], -one[1])):
        if value > best:
            best = value
            unbeaten.append(thing)
    return unbeaten
