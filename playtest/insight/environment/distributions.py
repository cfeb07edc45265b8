"""Distributions over people: actions on each level, and time on the environment by outcome."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

import polars as pl

from playtest.insight.figures import HREF, Column, Figure, Row
from playtest.insight.results.level_outcomes import OPEN, OUTCOME_LABELS, OUTCOME_ORDER
from playtest.insight.results.version import VersionResults, cached
from playtest.rules.attempt import Outcome
from playtest.rules.baseline import Fewest, LevelBaseline, fewest_known, level_baseline
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
        caption=_ACTIONS_CAPTION + (_GIVEN if any(one.given for one in standards.values()) else ""),
        columns=(
            Column("group", "Level"),
            Column("value", "Actions", "actions"),
            Column("label", "Participant"),
            HREF,
        ),
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
    "Each dot is one person who completed the level. Baseline: the upper median of these people. Best:"
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
    """Minutes of interaction, with one row for each outcome."""
    levels = results.levels.sort("level").group_by("attempt", maintain_order=True)
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
        columns=(
            Column("group", "Outcome"),
            Column("value", "Time", "minutes"),
            Column("label", "Participant"),
            HREF,
        ),
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
