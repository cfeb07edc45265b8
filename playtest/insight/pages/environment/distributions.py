"""How many reach each level, actions on each level, and time on the environment by outcome."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

import polars as pl

from playtest.insight.figures import Figure, Row, columns
from playtest.insight.tables.protocols import rules_of, too_few_text
from playtest.insight.tables.version import (
    LEVEL_OUTCOMES,
    OPEN,
    OUTCOME_LABELS,
    OUTCOME_ORDER,
    VersionResults,
    cached,
)
from playtest.rules.attempt import LEFT_AT_ONCE, LOST, Outcome
from playtest.rules.baseline import Fewest, LevelBaseline, fewest_known, level_baseline
from playtest.rules.text import persons
from playtest.studio.queries.given_baseline import given_baseline

_WIDE = 10
"""The ratio of the largest to the smallest count from which the scale is logarithmic."""


@dataclass(frozen=True)
class Standard:
    """The numbers that a level's action counts are compared with (`rules.baseline`); None if unknown."""

    baseline: int | None = None
    best: int | None = None
    fewest: Fewest | None = None
    given: int | None = None
    """`baseline_actions` of the version's metadata."""

    @property
    def times_given(self) -> float | None:
        """The baseline as a multiple of `given`."""
        return self.baseline / self.given if self.baseline and self.given else None


@cached
def baselines(results: VersionResults) -> dict[int, LevelBaseline]:
    """The human baseline of every level of the version, from the people of the scope."""
    completed = results.levels.filter(pl.col("completed")).group_by("level").agg("actions")
    counts: dict[int, list[int]] = dict(completed.iter_rows())
    return {level: level_baseline(counts.get(level, ())) for level in range(1, results.version.levels + 1)}


def standards(
    results: VersionResults, stored: Mapping[int, int], proven: Mapping[int, int] | None = None
) -> dict[int, Standard]:
    """The standards of every level; `stored` and `proven` have fewest actions by level."""
    given = dict(enumerate(given_baseline(results.version), start=1))
    return {
        level: Standard(
            baseline.upper_median,
            baseline.best,
            fewest_known(stored.get(level), baseline.best, (proven or {}).get(level)),
            given.get(level),
        )
        for level, baseline in baselines(results).items()
    }


def fewer(fewest: Fewest | None, best: int | None) -> int | None:
    """The fewest known if it differs from the best first run, so that no line is drawn twice."""
    return fewest.actions if fewest and fewest.actions != best else None


def actions_figure(results: VersionResults, standards: Mapping[int, Standard]) -> Figure:
    """Actions of everyone who completed a level, with one row for each level."""
    completed = results.levels.filter(pl.col("completed")).sort("level", "actions", "attempt")
    rows: list[Row] = [
        (_level(level), actions, participant, results.links.replay(attempt, level))
        for level, actions, participant, attempt in completed.select(
            "level", "actions", "participant", "attempt"
        ).iter_rows()
    ]
    lines: list[dict[str, Any]] = [
        {"group": _level(level), "name": name, "value": value}
        for level, standard in standards.items()
        for name, value in (
            ("fewest known", fewer(standard.fewest, standard.best)), ("best", standard.best),
            ("baseline", standard.baseline), ("in the metadata", standard.given),
        )
        if value is not None
    ]  # fmt: skip
    values = [*completed["actions"].to_list(), *(line["value"] for line in lines)]
    return Figure(
        name="actions",
        kind="strip",
        title=_actions_title(standards, bool(rows)),
        caption=_ACTIONS_CAPTION.format(results.scope.undo)
        + (_GIVEN if any(one.given for one in standards.values()) else ""),
        columns=columns("group Level | value Actions [actions] | label Participant | href"),
        rows=rows,
        empty="A dot for each person appears here when somebody has completed a level.",
        options={
            "value_label": "Actions to complete the level, resets included",
            "group_label": "",
            "lines": lines if rows else [],
            "log": bool(values) and max(values) >= _WIDE * min(values),
        },
    )


_ACTIONS_CAPTION = (
    "Each dot is one person who completed the level, {}. Baseline: the upper median of these people. Best:"
    " their minimum. Fewest known: the minimum of these people, of explorations and of recordings; not always"
    " optimal."
)
_GIVEN = " In the metadata: baseline_actions, which the version was imported with."


def _actions_title(standards: Mapping[int, Standard], anyone: bool) -> str:
    ratios = {
        level: standard.baseline / standard.fewest.actions
        for level, standard in standards.items()
        if standard.baseline and standard.fewest
    }
    if not ratios:
        return "Actions of each person by level" if anyone else "Actions on each level"
    level = max(ratios, key=lambda level: ratios[level])
    return f"Level {level} takes {ratios[level]:.1f} times the fewest known actions, the highest ratio"


def time_figure(results: VersionResults) -> Figure:
    """Minutes of interaction, with one row for each outcome; without plays whose times are not known."""
    timed = results.levels.filter(pl.col("seconds").is_not_null())
    levels = timed.sort("level").group_by("attempt", maintain_order=True)
    people = (
        levels.agg(pl.col("seconds").sum(), pl.col("level_outcome").last(), pl.col("participant").first())
        .with_columns(
            pl.col("level_outcome").replace_strict(OUTCOME_ORDER, return_dtype=pl.Int64).alias("place")
        )
        .sort("place", "seconds", "attempt")
    )
    rows: list[Row] = [
        (_ENDS[outcome], seconds / 60, participant, results.links.replay(attempt))
        for outcome, seconds, participant, attempt in people.select(
            "level_outcome", "seconds", "participant", "attempt"
        ).iter_rows()
    ]
    return Figure(
        name="time",
        kind="strip",
        title=_time_title(rows),
        caption=(
            "Each dot is one person; time runs from the first frame to the last action. The median of an even"
            " number is the mean of the two in the middle."
        ),
        columns=columns("group Outcome | value Time [minutes] | label Participant | href"),
        rows=rows,
        empty="A dot for each person appears here when somebody has played.",
        options={"value_label": "Minutes on the environment", "group_label": "", "lines": [], "log": False},
    )


_ENDS = {str(outcome): label for outcome, label in OUTCOME_LABELS.items()} | {
    Outcome.COMPLETED.value: "solved"
}


def _time_title(rows: list[Row]) -> str:
    def middle(names: set[str]) -> tuple[float, int] | None:
        minutes = [float(row[1] or 0) for row in rows if row[0] in names]
        return (median(minutes), len(minutes)) if minutes else None

    solved = middle({_ENDS[Outcome.COMPLETED]})
    unsolved = middle(set(_ENDS.values()) - {_ENDS[Outcome.COMPLETED], _ENDS[OPEN], _ENDS[Outcome.FAULT]})
    parts = [
        f"{found[0]:.1f} min {how} (n = {found[1]})"
        for found, how in ((solved, "solved"), (unsolved, "unsolved"))
        if found is not None
    ]
    return f"Median time: {', '.join(parts)}" if parts else "Time on the environment by outcome"


def _level(level: int) -> str:
    return f"Level {level}"


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
        columns=columns("level Level | outcome Outcome | people People [people] | href"),
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
    return f" ({persons(count)})" if count else ""
