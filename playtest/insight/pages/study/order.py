"""Results by the position in the session at which an environment was met."""

from collections import defaultdict

import polars as pl

from playtest.insight.figures import Figure, Row, columns
from playtest.insight.pages.study.links import StudyLinks
from playtest.insight.pages.study.results import StudyNumbers, StudyResults
from playtest.rules.inference.order import MetLast, mostly_last
from playtest.rules.inference.shares import share


def positions(results: StudyResults) -> pl.DataFrame:
    """The counted attempts with `position` in their session, from 1, and `met`, the attempts in it.

    Both count every attempt that showed a frame, also those that do not count: they took time and taught.
    """
    everyone = results.everyone.sort("session", "attempt").select(
        "attempt",
        pl.int_range(1, pl.len() + 1).over("session").alias("position"),
        pl.len().over("session").alias("met"),
    )
    return results.counted.join(everyone, on="attempt", how="left")


def met_last(results: StudyResults) -> list[MetLast]:
    """The environments that are mostly met last."""
    met: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for environment, position, count in (
        positions(results).select("environment", "position", "met").iter_rows()
    ):
        met[environment].append((position, count))
    return mostly_last(met)


def order_figure(results: StudyResults, _numbers: StudyNumbers, _links: StudyLinks) -> Figure:
    """Success, actions and time by position."""
    table = _by_position(results)
    rows: list[Row] = []
    for position, people, solved, expected, efficiency, minutes in table.iter_rows():
        one = share(solved, people)
        rows.append(
            (
                str(position), 100 * one.value, 100 * one.low, 100 * one.high, solved, people, 100 * expected,
                100 * efficiency if efficiency is not None else None, minutes,
            )
        )  # fmt: skip
    return Figure(
        name="order",
        kind="bars",
        title=_title(table),
        caption=(
            "The share of counted attempts that solved their environment, by their position in the session,"
            " with Wilson's 95 % interval. Expected: the mean, over these attempts, of the share of all"
            f" counted attempts at their environments that were solved.{_efficiency(results)}"
        ),
        columns=columns(
            "label Position in the session | value Solved [%] | low Lower bound [%] | "
            "high Upper bound [%] | solved Solved [attempts] | people Counted [attempts] | "
            "expected Expected [%] | efficiency Efficiency [%] | minutes Median time [minutes]"
        ),
        rows=rows,
        empty="A bar for each position appears here with the first attempt that counts.",
        options={"value_label": "% of attempts solved"},
    )


def _efficiency(results: StudyResults) -> str:
    """A sentence about efficiency, if anything of the study can have one."""
    if not results.has_levels:
        return ""
    of_tasks = "; static tasks have none" if results.has_tasks else ""
    by = "the median, over completed levels, of the human baseline divided by the actions"
    return f" Efficiency: {by}{of_tasks}."


def _by_position(results: StudyResults) -> pl.DataFrame:
    """position, people, solved, expected and efficiency (0..1), minutes; in the order of positions."""
    counted = positions(results).with_columns(pl.col("solved").mean().over("environment").alias("expected"))
    efficiencies = (
        results.completions.join(counted.select("attempt", "position"), on="attempt")
        .group_by("position")
        .agg(pl.col("efficiency").median())
    )
    table = counted.group_by("position").agg(
        pl.len().alias("people"),
        pl.col("solved").sum(),
        pl.col("expected").mean(),
        pl.col("minutes").median(),
    )
    return (
        table.join(efficiencies, on="position", how="left")
        .sort("position")
        .select("position", "people", "solved", "expected", "efficiency", "minutes")
    )


def _title(table: pl.DataFrame) -> str:
    """Compares the first position with the last one that has as many as a few people."""
    known = table.filter(pl.col("people") >= 5)
    if known.height < 2:
        return "Success by position in the session"
    begin, end = known.row(0, named=True), known.row(-1, named=True)
    first, last = (100 * row["solved"] / row["people"] for row in (begin, end))
    return f"{first:.0f} % are solved at position {begin['position']}, {last:.0f} % at {end['position']}"
