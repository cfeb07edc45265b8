"""Results by the position in the session at which an environment was met."""

from collections import defaultdict

import polars as pl

from playtest.insight.figures import Figure, Row, columns
from playtest.insight.pages.environment.distributions import DOUBTED_SHARE
from playtest.insight.pages.study.links import StudyLinks
from playtest.insight.pages.study.results import (
    StudyNumbers,
    StudyResults,
    doubted,
    results_of,
    solving,
)
from playtest.insight.tables.results import IS_CUT_SHORT
from playtest.rules.inference.clusters import ASSUMES, Estimate, trend
from playtest.rules.inference.order import ASSUMES as ORDER_ASSUMES
from playtest.rules.inference.order import MetLast, mostly_last


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
    """Success, actions and time by position, and how success changes with it within people."""
    judged = positions(results).filter("whole", ~IS_CUT_SHORT)
    rows: list[Row] = []
    for position, expected, efficiency, minutes in _by_position(results, judged).iter_rows():
        here = judged.filter(pl.col("position") == position)
        one = solving(here)
        assert one is not None
        rows.append(
            (
                str(position), 100 * one.value, 100 * one.low, 100 * one.high, int(here["solved"].sum()),
                one.results, 100 * expected, 100 * efficiency if efficiency is not None else None, minutes,
                *doubted(here),
            )
        )  # fmt: skip
    return Figure(
        name="order",
        kind="bars",
        title=_title(trend(results_of(judged), judged["position"].to_list()), judged.height),
        caption=(
            "The share of counted attempts that solved their environment, without those that were cut short"
            " or excluded in part, by their position in the session. The change is that of the same person"
            " from one position to the next, at equally difficult environments. Expected: the mean, over"
            " these attempts, of the share of all such attempts at their environments that were solved."
            f"{_efficiency(results)}"
        ),
        columns=columns(
            "label Position in the session | value Solved [%] | low Lower bound [%] | "
            "high Upper bound [%] | solved Solved [attempts] | people Counted [attempts] | "
            "expected Expected [%] | efficiency Efficiency [%] | minutes Median time [minutes]"
            f"{DOUBTED_SHARE}"
        ),
        rows=rows,
        empty="A bar for each position appears here with the first attempt that counts.",
        assumes=f"{ASSUMES} Title: {ORDER_ASSUMES}",
        options={"value_label": "% of attempts solved"},
    )


def _efficiency(results: StudyResults) -> str:
    """A sentence about efficiency, if anything of the study can have one."""
    if not results.has_levels:
        return ""
    of_tasks = "; static tasks have none" if results.has_tasks else ""
    by = "the median, over completed levels, of the human baseline divided by the actions"
    return f" Efficiency: {by}{of_tasks}."


def _by_position(results: StudyResults, judged: pl.DataFrame) -> pl.DataFrame:
    """position, expected and efficiency (0..1), minutes; in the order of positions."""
    expected = judged.with_columns(pl.col("solved").mean().over("environment").alias("expected"))
    efficiencies = (
        results.completions.join(judged.select("attempt", "position"), on="attempt")
        .group_by("position")
        .agg(pl.col("efficiency").median())
    )
    table = expected.group_by("position").agg(pl.col("expected").mean(), pl.col("minutes").median())
    return (
        table.join(efficiencies, on="position", how="left")
        .sort("position")
        .select("position", "expected", "efficiency", "minutes")
    )


def _title(change: Estimate | None, attempts: int) -> str:
    """The change within people, in percentage points."""
    if change is None:
        return "Success by position in the session"
    value, low, high = (100 * one for one in (change.value, change.low, change.high))
    points = f"{value:+.1f} points a position ({low:+.1f} to {high:+.1f}, n = {attempts:,} attempts)"
    points = points.replace("-", "\N{MINUS SIGN}")
    if not change.sure:
        return f"No clear change with the position: {points}"
    return f"Success {'rises' if change.value > 0 else 'falls'} within people: {points}"
