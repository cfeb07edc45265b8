"""The funnel: who reached each level, and what became of them there."""

import polars as pl

from playtest.insight.figures import HREF, Column, Figure, Row
from playtest.insight.results.level_outcomes import LEVEL_OUTCOMES, OPEN
from playtest.insight.results.version import VersionResults, cached
from playtest.review.queries.attempts import IN_PROGRESS, NO, YES
from playtest.review.queries.reach import There
from playtest.rules.attempt import LEFT_AT_ONCE, LOST, Outcome
from playtest.rules.protocol import DEFAULT

FUNNEL = ("level", "reached", *LEVEL_OUTCOMES, "lost", "left_out")
"""Columns of `funnel`, all counts of people but the first."""


@cached
def funnel(results: VersionResults) -> pl.DataFrame:
    """FUNNEL: a row for each level of the version, from 1, those nobody reached too.

    `reached` is the sum of the fates; `lost` of those that are the environment's doing: who left at once is
    in `reached` and not in `lost`. `left_out` reached the level, but reviewers left them out from a moment on
    it on: they are in none of the other counts. So reached and left out of a level together are who completed
    the level before and had not won with it.
    """
    counts = [(pl.col("level_outcome") == outcome).sum().alias(outcome) for outcome in LEVEL_OUTCOMES]
    by_level = results.levels.group_by("level").agg(pl.len().alias("reached"), *counts)
    every = pl.DataFrame({"level": list(range(1, results.version.levels + 1))}, schema={"level": pl.Int64})
    return (
        every.join(by_level, on="level", how="left")
        .join(_left_out(results), on="level", how="left")
        .fill_null(0)
        .with_columns(pl.sum_horizontal(LOST).alias("lost"))
        .select(pl.col(name).cast(pl.Int64) for name in FUNNEL)
        .sort("level")
    )


def _left_out(results: VersionResults) -> pl.DataFrame:
    """How many are left out from each level on."""
    cached = results.levels.group_by("attempt").agg(
        pl.len().alias("known"), (pl.col("last_seq") >= pl.col("excluded_from")).any().alias("in_again")
    )
    return (
        results.attempts.filter(pl.col("excluded_from") > 0)
        .join(cached, on="attempt", how="left")
        .filter(~pl.col("in_again").fill_null(value=False))
        .select(level=pl.col("known").fill_null(0).cast(pl.Int64) + 1)
        .group_by("level")
        .agg(pl.len().alias("left_out"))
    )


def funnel_figure(results: VersionResults) -> Figure:
    """A bar a level, each part of it leading to the list of exactly those attempts."""
    table = funnel(results).to_dicts()
    rows: list[Row] = [
        (row["level"], outcome, row[outcome], _list_of(results, row["level"], outcome))
        for row in table
        for outcome in LEVEL_OUTCOMES
        if row[outcome] or outcome == Outcome.COMPLETED
    ]
    return Figure(
        name="funnel",
        kind="funnel",
        title="Who reached each level, and what became of them" + _people(results.people),
        caption=_caption(sum(row["left_out"] for row in table), sum(row[LEFT_AT_ONCE] for row in table)),
        columns=(
            Column("level", "Level"),
            Column("outcome", "What became of them"),
            Column("people", "People", "people"),
            HREF,
        ),
        rows=rows if results.levels.height else [],
        empty="A bar for each level appears here with the first person's first frame: create a session for a"
        " study that has this environment in its pool.",
    )


def _list_of(results: VersionResults, level: int, outcome: str) -> str | None:
    if outcome == Outcome.COMPLETED:
        return results.links.attempts(level=level, there=There.COMPLETED)
    if outcome == LEFT_AT_ONCE:
        return results.links.attempts(level=level, there=There.STOPPED, at_once=YES)
    outcome = IN_PROGRESS if outcome == OPEN else outcome
    at_once = NO if outcome in LOST else ""
    return results.links.attempts(level=level, there=There.STOPPED, outcome=outcome, at_once=at_once)


def _caption(left_out: int, at_once: int) -> str:
    words = [
        "Each bar is everyone who reached the level.",
        "Gave up, concluded at the soft limit and timed out at the hard one count as lost;"
        " a session that was over and an environment fault are not the level's doing.",
    ]
    if at_once:
        words.append(
            f"Left at once are {at_once} who did so with {DEFAULT.attempt.minimum_actions} actions or fewer"
            " on the whole environment: no attempt by the protocol, so not among the lost."
        )
    if left_out:
        words.append(
            f"{left_out} {'person is' if left_out == 1 else 'people are'} in no bar from the level on in"
            " which reviewers left them out."
        )
    return " ".join(words)


def _people(count: int) -> str:
    return f" ({count} {'person' if count == 1 else 'people'})" if count else ""
