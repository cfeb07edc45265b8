"""What the bars of the report's two distributions count: time by outcome, actions relative to the median.

A bar is named by its number, so that the list behind it is made by the rule that made its height.
"""

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from playtest.insight.study.results import StudyResults

SOLVED, UNSOLVED = "solved", "not solved"


@dataclass(frozen=True)
class Intervals:
    """Equal ones of `width` from 0 on; the last of `count` takes everything from its beginning on."""

    width: float
    count: int

    def of(self, value: pl.Expr) -> pl.Expr:
        """The number, from 0, of each value's interval."""
        return (value / self.width).floor().clip(0, self.count - 1).cast(pl.Int64)

    def ends(self, number: int) -> tuple[float, float | None]:
        """Where one begins, and what lies before its end; None for the last, which has none."""
        return number * self.width, None if number == self.count - 1 else (number + 1) * self.width


MINUTES = Intervals(2, 15)
"""All an attempt can take: it must stay under 30."""
PERCENT = Intervals(25, 16)
"""Of the level's median, the last from 375 % on."""

_COUNTED = (
    "attempt", "participant", "environment", "outcome", "level", "actions", "minutes", "percent", "bar",
    "group",
)  # fmt: skip


@dataclass(frozen=True)
class Counted:
    """One attempt, or one completed level of one, that a bar counts. An attempt has no level and percent."""

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


def timed(results: StudyResults) -> pl.DataFrame:
    """Attempts by the protocol's rule; those cut from a moment on have no time and are not in it."""
    group = pl.when("solved").then(pl.lit(SOLVED)).otherwise(pl.lit(UNSOLVED))
    return (
        results.counted.filter("whole")
        .with_columns(actions="attempt_actions", bar=MINUTES.of(pl.col("minutes")), group=group)
        .with_columns(pl.lit(None, pl.Int64).alias("level"), pl.lit(None, pl.Float64).alias("percent"))
        .select(_COUNTED)
        .sort("minutes", "attempt")
    )


def compared(results: StudyResults) -> pl.DataFrame:
    """Level completions, by their actions in percent of the level's median."""
    return (
        results.completions.with_columns(minutes=pl.col("seconds") / 60, percent=pl.col("ratio") * 100)
        .with_columns(bar=PERCENT.of(pl.col("percent")), group=pl.lit(""))
        .select(_COUNTED)
        .sort("percent", "attempt", "level")
    )


BEHIND: dict[str, Callable[[StudyResults], pl.DataFrame]] = {"time": timed, "efficiency": compared}
"""What the bars of each figure count."""


def behind(results: StudyResults, figure: str, bar: int, group: str = "") -> list[Counted]:
    """What one bar of a figure in BEHIND counts, the least first."""
    found = BEHIND[figure](results).filter(pl.col("bar") == bar, pl.col("group") == group)
    return [Counted(*row) for row in found.iter_rows()]
