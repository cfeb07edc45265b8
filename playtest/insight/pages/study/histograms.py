"""The bars of histograms, and two distributions: time by outcome, efficiency relative to the human baseline.

The list behind a bar is found by the bar's number, with the same rule that computed its height.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import polars as pl
from django.urls import reverse

from playtest.insight.figures import Figure, Row, table
from playtest.insight.pages.study.links import StudyLinks
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


class Bars(NamedTuple):
    """A histogram: its intervals and their unit, the rows that it counts, and how a bar lists them.

    `nouns` name one of the rows, and several. `rows` makes them, with `bar`, `group` and `under_review`, of
    what its page has.
    """

    intervals: Intervals
    unit: str
    nouns: tuple[str, str]
    rows: Callable[[Any], pl.DataFrame]
    listed: Callable[[pl.DataFrame, StudyLinks], Figure]

    def counts(self, found: Any) -> pl.DataFrame:
        """bar, group, len and under_review of each bar that counts something; solved ones first."""
        counted = self.rows(found).group_by("bar", "group").agg(pl.len(), pl.col("under_review").sum())
        return counted.sort("group", "bar", descending=[True, False])

    def in_bar(self, found: Any, number: int, group: str = "") -> pl.DataFrame:
        """The rows that one bar counts, in ascending order."""
        return self.rows(found).filter(pl.col("bar") == number, pl.col("group") == group)


MINUTES = Intervals(2, 15)
"""The last one begins before the longest time of an attempt."""
PERCENT = Intervals(20, 16)
"""Efficiency, the last from 300 % on."""


def attempts_by_minutes(results: StudyResults) -> pl.DataFrame:
    """Judged attempts by minutes, without those that have no times."""
    group = pl.when("solved").then(pl.lit(SOLVED)).otherwise(pl.lit(UNSOLVED))
    timed = results.judged.filter(pl.col("minutes").is_not_null())
    return timed.with_columns(actions="attempt_actions", bar=MINUTES.of(pl.col("minutes")), group=group).sort(
        "minutes", "attempt"
    )


def completions_by_percent(results: StudyResults) -> pl.DataFrame:
    """Level completions by efficiency, in percent."""
    return (
        results.completions.with_columns(minutes=pl.col("seconds") / 60, percent=pl.col("efficiency") * 100)
        .with_columns(bar=PERCENT.of(pl.col("percent")), group=pl.lit(""))
        .sort("percent", "attempt", "level")
    )


def _attempts(rows: pl.DataFrame, links: StudyLinks) -> Figure:
    known = rows.select(
        "participant", "environment", "actions", "minutes", "outcome", "under_review", "attempt"
    )
    listed: list[Row] = [
        (*facts, reverse("review:attempt", args=[attempt])) for *facts, attempt in known.iter_rows()
    ]
    written = (
        "label Replay | environment Environment | actions Actions | minutes Time [minutes] |"
        " outcome Outcome | under_review Under review | href"
    )
    made = table("attempts", "Attempts", written, listed)
    return replace(made, options={"labels": links.scope.other_labels})


def _completions(rows: pl.DataFrame, _links: StudyLinks) -> Figure:
    known = rows.select(
        "participant", "environment", "level", "actions", "percent", "minutes", "under_review", "attempt"
    )
    listed: list[Row] = [
        (*facts, f"{reverse('review:attempt', args=[attempt])}#level={facts[2]}")
        for *facts, attempt in known.iter_rows()
    ]
    written = (
        "label Replay | environment Environment | level Level | actions Actions | percent Efficiency [%] |"
        " minutes Time [minutes] | under_review Under review | href"
    )
    return table("completions", "Level completions", written, listed)


BARS = {
    "time": Bars(MINUTES, "min", ("attempt", "attempts"), attempts_by_minutes, _attempts),
    "efficiency": Bars(
        PERCENT,
        "% efficiency",
        ("level completion", "level completions"),
        completions_by_percent,
        _completions,
    ),
}
"""By the name of the figure."""
