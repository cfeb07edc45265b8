"""How many reach each level and how they leave it, and actions on each level."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import polars as pl
from django.urls import reverse

from playtest.insight.figures import Figure, Row, columns
from playtest.insight.pages.environment.ends import LEAVERS
from playtest.insight.tables.version import (
    LEVEL_OUTCOMES,
    VersionResults,
    cached,
)
from playtest.rules.attempt import Outcome
from playtest.rules.baseline import Fewest, LevelBaseline, fewest_known, level_baseline
from playtest.rules.text import persons
from playtest.studio.queries.given_baseline import given_baseline

DOUBTED = " | under_review Under review"
"""A column of people whose session waits for a decision: their marks are hatched."""
DOUBTED_SHARE = f"{DOUBTED} [attempts] | doubted Solved under review [%]"
"""The same of a share: how many of its attempts, and the part of it that they solved."""


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
        (_level(level), actions, participant, doubted, results.links.replay(attempt, level))
        for level, actions, participant, doubted, attempt in completed.select(
            "level", "actions", "participant", "under_review", "attempt"
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
    return Figure(
        name="actions",
        kind="strip",
        title=_actions_title(standards, completed["attempt"].n_unique()),
        caption=_ACTIONS_CAPTION.format(results.scope.undo)
        + (_GIVEN if any(one.given for one in standards.values()) else ""),
        columns=columns(f"group Level | value Actions [actions] | label Participant{DOUBTED} | href"),
        rows=rows,
        empty="A dot for each person appears here when somebody has completed a level.",
        options={
            "value_label": "Actions to complete the level, resets included",
            "group_label": "",
            "lines": lines if rows else [],
        },
    )


_ACTIONS_CAPTION = (
    "Each dot is one person who completed the level, {}. Baseline: the upper median of these people. Best:"
    " their minimum. Fewest known: the minimum of these people, of explorations and of recordings; not always"
    " optimal."
)
_GIVEN = " In the metadata: baseline_actions, which the version was imported with."


def _actions_title(standards: Mapping[int, Standard], people: int) -> str:
    ratios = {
        level: standard.baseline / standard.fewest.actions
        for level, standard in standards.items()
        if standard.baseline and standard.fewest
    }
    if not ratios:
        return f"Actions of {persons(people)} by level" if people else "Actions on each level"
    level = max(ratios, key=lambda level: ratios[level])
    return (
        f"Level {level} takes {ratios[level]:.1f} times the fewest known actions, the highest ratio"
        f" ({persons(people)})"
    )


def _level(level: int) -> str:
    return f"Level {level}"


FUNNEL = ("level", "reached", *LEVEL_OUTCOMES, "excluded")
"""Columns of `funnel`: the level, then counts of people."""


@cached
def funnel(results: VersionResults) -> pl.DataFrame:
    """FUNNEL: a row for each level of the version, from 1, also for levels that nobody reached.

    `reached` is the sum of the outcomes. `excluded` people reached the level and are excluded from an action
    on it; no other count has them. So reached and excluded together are the people who completed the level
    before, unless that was the last.
    """
    counts = [(pl.col("level_outcome") == outcome).sum().alias(outcome) for outcome in LEVEL_OUTCOMES]
    by_level = results.levels.group_by("level").agg(pl.len().alias("reached"), *counts)
    every = pl.DataFrame({"level": list(range(1, results.version.levels + 1))}, schema={"level": pl.Int64})
    return (
        every.join(by_level, on="level", how="left")
        .join(_excluded(results), on="level", how="left")
        .fill_null(0)
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
    doubted = results.levels.filter("under_review").group_by("level", "level_outcome").agg(pl.len())
    under_review = {(level, outcome): count for level, outcome, count in doubted.iter_rows()}
    rows: list[Row] = [
        (
            row["level"],
            outcome,
            under_review.get((row["level"], outcome), 0),
            row[outcome],
            results.links.ends(row["level"], outcome),
        )
        for row in table
        for outcome in LEVEL_OUTCOMES
        if row[outcome] or outcome == Outcome.COMPLETED
    ]
    return Figure(
        name="funnel",
        kind="funnel",
        title="Outcome of each level" + _people(results.people),
        caption=_caption(sum(row["excluded"] for row in table), of_recordings=results.of_recordings),
        columns=columns(f"level Level | outcome Outcome{DOUBTED} [people] | people People [people] | href"),
        rows=rows if results.levels.height else [],
        options={
            "labels": results.outcome_labels,
            "levels": _pictures(results),
            "ends": _boards(results),
            "before": _before(results.before) if results.before else None,
        },
        empty="A bar for each level appears here when somebody plays. Create a session in a study that has"
        " this environment in its pool.",
    )


MOST_BOARDS = 5
"""A bar has at most so many pictures of how people left its level, those of the newest attempts."""


def _pictures(results: VersionResults) -> dict[int, dict[str, str]]:
    """The first frame of each level, and the address of its page."""
    version = results.version
    query = "&".join(filter(None, [urlencode({"version": version.digest}), results.scope.query]))
    found = {}
    for level in range(1, version.levels + 1):
        picture, page = (
            reverse(f"insight:{name}", args=[version.environment.code, level])
            for name in ("level-picture", "level")
        )
        found[level] = {"src": f"{picture}?version={version.digest}", "href": f"{page}?{query}"}
    return found


def _boards(results: VersionResults) -> list[dict[str, Any]]:
    """The boards at which people left, each with the address that plays how; [] for who may not watch."""
    gone = pl.col("level_outcome").is_in(list(map(str, LEAVERS)))
    left = results.levels.filter(gone).sort("attempt", descending=True)
    return [
        {
            "level": row["level"],
            "src": results.links.picture(row["attempt"], row["last_seq"]),
            "href": results.links.end(row["attempt"], row["level"]),
            "who": row["participant"],
            "outcome": row["level_outcome"],
            "under_review": row["under_review"],
        }
        for row in left.group_by("level", maintain_order=True).head(MOST_BOARDS).iter_rows(named=True)
        if results.may_watch
    ]


def _before(earlier: VersionResults) -> dict[str, Any]:
    """What is compared on the bars: how many completed each level of another version, of those it counts."""
    levels = {facts.level: [facts.completed, facts.reached] for facts in earlier.facts if facts.reached}
    return {"name": earlier.version.digest[:8], "levels": levels}


_LOST_OF_RECORDINGS = "Lost are those whose recording ends before the level is completed; nobody knows why."


def _caption(excluded: int, *, of_recordings: bool) -> str:
    sentences = [_LOST_OF_RECORDINGS] if of_recordings else []
    if excluded:
        sentences.append(
            f"{excluded:,} {'person is' if excluded == 1 else 'people are'} not shown from the level on in"
            " which they were excluded."
        )
    return " ".join(sentences)


def _people(count: int) -> str:
    return f" ({persons(count)})" if count else ""
