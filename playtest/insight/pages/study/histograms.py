"""The bars of two distributions: time by outcome, and efficiency relative to the human baseline.

The list behind a bar is found by the bar's number, with the same rule that computed its height.
"""

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from playtest.insight.pages.study.results import StudyResults

SOLVED, UNSOLVED = "solved", "not solved"


@dataclass(frozen=True)
class Intervals:
    """`count` intervals of equal `width` from 0 on; the last one has no end."""

    width: float
    count: int

    def of(self, value: pl.Expr) -> pl.Expr:
        """The number, from 0, of each value's interval."""
        return (value / self.width).floor().clip(0, self.count - 1).cast(pl.Int64)

    def ends(self, number: int) -> tuple[float, float | None]:
        """Its beginning, and its end, which is not in it; None for the last."""
        return number * self.width, None if number == self.count - 1 else (number + 1) * self.width


MINUTES = Intervals(2, 15)
"""The last one begins before the longest time of an attempt."""
PERCENT = Intervals(20, 16)
"""Efficiency, the last from 300 % on."""

_COUNTED = (
    "attempt", "participant", "environment", "outcome", "level", "actions", "minutes", "percent", "bar",
    "group",
)  # fmt: skip


@dataclass(frozen=True)
class Counted:
    """An attempt or a completed level that a bar counts; an attempt has no level or percent."""

    attempt: int
    participant: str
    environment: str
    outcome: str
    level: int | None
    actions: int
    minutes: float
    percent: float | None
    bar: int
    group: str


def attempts_by_minutes(results: StudyResults) -> pl.DataFrame:
    """Judged attempts by minutes, without those excluded in part, or without times, which have none."""
    group = pl.when("solved").then(pl.lit(SOLVED)).otherwise(pl.lit(UNSOLVED))
    return (
        results.judged.filter(pl.col("minutes").is_not_null())
        .with_columns(actions="attempt_actions", bar=MINUTES.of(pl.col("minutes")), group=group)
        .with_columns(pl.lit(None, pl.Int64).alias("level"), pl.lit(None, pl.Float64).alias("percent"))
        .select(_COUNTED)
        .sort("minutes", "attempt")
    )


def completions_by_percent(results: StudyResults) -> pl.DataFrame:
    """Level completions by efficiency, in percent."""
    return (
        results.completions.with_columns(minutes=pl.col("seconds") / 60, percent=pl.col("efficiency") * 100)
        .with_columns(bar=PERCENT.of(pl.col("percent")), group=pl.lit(""))
        .select(_COUNTED)
        .sort("percent", "attempt", "level")
    )


COUNTED_BY: dict[str, Callable[[StudyResults], pl.DataFrame]] = {
    "time": attempts_by_minutes,
    "efficiency": completions_by_percent,
}
"""The unit that the bars of each figure count."""


def counted_in_bar(results: StudyResults, figure: str, bar: int, group: str = "") -> list[Counted]:
    """What one bar of a figure in COUNTED_BY counts, in ascending order."""
    found = COUNTED_BY[figure](results).filter(pl.col("bar") == bar, pl.col("group") == group)
    return [Counted(*row) for row in found.iter_rows()]
