"""The funnel: how many people reached each level, and with what outcome."""

import polars as pl

from playtest.insight.figures import HREF, Column, Figure, Row
from playtest.insight.results.level_outcomes import LEVEL_OUTCOMES
from playtest.insight.results.protocols import rules_of, too_few_text
from playtest.insight.results.version import VersionResults, cached
from playtest.rules.attempt import LEFT_AT_ONCE, LOST, Outcome

FUNNEL = ("level", "reached", *LEVEL_OUTCOMES, "lost", "excluded")
"""Columns of `funnel`: the level, then counts of people."""


@cached
def funnel(results: VersionResults) -> pl.DataFrame:
    """FUNNEL: a row for each level of the version, from 1, also for levels that nobody reached.

    `reached` is the sum of the outcomes, `lost` that of `rules.attempt.LOST`. `excluded` people reached the
    level and are excluded from an action on it; no other count has them. So reached and excluded together are
    the people who completed the level before, unless that was the last.
    """
    counts = [(pl.col("level_outcome") == outcome).sum().alias(outcome) for outcome in LEVEL_OUTCOMES]
    by_level = results.levels.group_by("level").agg(pl.len().alias("reached"), *counts)
    every = pl.DataFrame({"level": list(range(1, results.version.levels + 1))}, schema={"level": pl.Int64})
    return (
        every.join(by_level, on="level", how="left")
        .join(_excluded(results), on="level", how="left")
        .fill_null(0)
        .with_columns(pl.sum_horizontal(LOST).alias("lost"))
        .select(pl.col(name).cast(pl.Int64) for name in FUNNEL)
        .sort("level")
    )


def _excluded(results: VersionResults) -> pl.DataFrame:
    """How many people are excluded from each level on."""
    counted = results.levels.group_by("attempt").agg(
        pl.len().alias("known"), (pl.col("last_seq") >= pl.col("excluded_from")).any().alias("has_excluded")
    )
    return (
        results.attempts.filter(pl.col("excluded_from") > 0)
        .join(counted, on="attempt", how="left")
        .filter(~pl.col("has_excluded").fill_null(value=False))
        .select(level=pl.col("known").fill_null(0).cast(pl.Int64) + 1)
        .group_by("level")
        .agg(pl.len().alias("excluded"))
    )


def funnel_figure(results: VersionResults) -> Figure:
    """One bar for each level; each part of it leads to how its people ended the level."""
    table = funnel(results).to_dicts()
    rows: list[Row] = [
        (row["level"], outcome, row[outcome], results.links.ends(row["level"], outcome))
        for row in table
        for outcome in LEVEL_OUTCOMES
        if row[outcome] or outcome == Outcome.COMPLETED
    ]
    return Figure(
        name="funnel",
        kind="funnel",
        title="Outcome of each level" + _people(results.people),
        caption=_caption(
            sum(row["excluded"] for row in table),
            sum(row[LEFT_AT_ONCE] for row in table),
            too_few_text(rules_of(results.attempts, results.scope)),
        ),
        columns=(
            Column("level", "Level"),
            Column("outcome", "Outcome"),
            Column("people", "People", "people"),
            HREF,
        ),
        rows=rows if results.levels.height else [],
        empty="A bar for each level appears here when somebody plays. Create a session in a study that has"
        " this environment in its pool.",
    )


def _caption(excluded: int, at_once: int, too_few: str) -> str:
    sentences = [
        "Each bar is the people who reached the level.",
        "Lost are those who gave up, concluded at the soft limit or timed out at the hard limit; the end of a"
        " session, an end by staff and an environment fault do not count as lost.",
    ]
    if at_once:
        sentences.append(
            f"{at_once} left at once, with {too_few}: too few to count as an attempt, so they are not among"
            " the lost."
        )
    if excluded:
        sentences.append(
            f"{excluded} {'person is' if excluded == 1 else 'people are'} not shown from the level on in"
            " which they were excluded."
        )
    return " ".join(sentences)


def _people(count: int) -> str:
    return f" ({count} {'person' if count == 1 else 'people'})" if count else ""
