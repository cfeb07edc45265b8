"""What the bars of a study's static tasks count, found by the same intervals that draw them."""

from collections.abc import Callable
from typing import NamedTuple

import polars as pl
from django.urls import reverse

from playtest.insight.figures import HREF, Column, Figure, Row
from playtest.insight.static_tasks.files import pairs_of, people_of
from playtest.insight.static_tasks.tables import TaskTables
from playtest.insight.study.histograms import SOLVED, UNSOLVED, Intervals
from playtest.insight.study.links import StudyLinks

_SHARES = Intervals(10, 10)
"""Percent; the last interval has 100 %."""
_MINUTES = Intervals(1, 16)


def by_minutes(found: TaskTables) -> pl.DataFrame:
    """`TaskTables.pairs` with `bar` and `group`, by the time for which the pair was shown."""
    group = pl.when("completed").then(pl.lit(SOLVED)).otherwise(pl.lit(UNSOLVED))
    return found.pairs.with_columns(bar=_MINUTES.of(pl.col("minutes")), group=group).sort(
        "minutes", "attempt"
    )


def by_pair_share(found: TaskTables) -> pl.DataFrame:
    """`TaskTables.by_pair` with `bar` and `group`."""
    return _by(found.by_pair, "share")


def by_person_share(found: TaskTables) -> pl.DataFrame:
    """`TaskTables.by_person` with `bar` and `group`, without who attempted no pair."""
    return _by(found.by_person.filter(pl.col("pair_share").is_not_null()), "pair_share")


def _by(table: pl.DataFrame, share: str) -> pl.DataFrame:
    return table.with_columns(bar=_SHARES.of(100 * pl.col(share)), group=pl.lit(""))


class Bars(NamedTuple):
    """A histogram: its intervals and their unit, the rows that it counts, and how a bar lists them.

    `nouns` name one of the rows, and several.
    """

    intervals: Intervals
    unit: str
    nouns: tuple[str, str]
    rows: Callable[[TaskTables], pl.DataFrame]
    listed: Callable[[pl.DataFrame, StudyLinks], Figure]


def attempts_of(rows: pl.DataFrame, _links: StudyLinks) -> Figure:
    """Attempts at pairs, each with its replay."""
    columns = (
        Column("label", "Replay"), Column("task", "Task"), Column("pair", "Test pair"),
        Column("solved_at", "Solved at try"), Column("minutes", "Time", "minutes"), HREF,
    )  # fmt: skip
    chosen = rows.select("participant", "environment", "level", "solved_at", "minutes", "attempt")
    listed: list[Row] = [
        (who, task, pair, solved_at, minutes, f"{reverse('review:attempt', args=[attempt])}#level={pair}")
        for who, task, pair, solved_at, minutes, attempt in chosen.iter_rows()
    ]
    return Figure("attempts", "table", "Attempts at test pairs", "", columns, listed, "")


BARS: dict[str, Bars] = {
    "time": Bars(
        _MINUTES, "min", ("attempt at a test pair", "attempts at test pairs"), by_minutes, attempts_of
    ),
    "pair-success": Bars(_SHARES, "% solved", ("test pair", "test pairs"), by_pair_share, pairs_of),
    "person-success": Bars(_SHARES, "% solved", ("person", "people"), by_person_share, people_of),
}
"""By the name of the figure."""


def counts(found: TaskTables, name: str) -> pl.DataFrame:
    """bar, group and len of each bar that counts something; solved ones first."""
    table = BARS[name].rows(found).group_by("bar", "group").agg(pl.len())
    return table.sort("group", "bar", descending=[True, False])


def bar_address(links: StudyLinks, name: str, number: int, group: str) -> str | None:
    """The list of what a bar counts."""
    return links.bar(name, number, group, page="insight:study-tasks-bar")


def in_bar(found: TaskTables, name: str, number: int, group: str) -> pl.DataFrame:
    """The rows that one bar counts."""
    return BARS[name].rows(found).filter(pl.col("bar") == number, pl.col("group") == group)
