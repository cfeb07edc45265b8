"""The human baseline of a version by level, with the runs in it and not in it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import polars as pl

from playtest.insight.scope import EVERYONE, Scope
from playtest.insight.tables.acceptance import counted_people, gates_in
from playtest.insight.tables.population import Population, population_of
from playtest.insight.tables.protocols import Protocols, protocols_of
from playtest.insight.tables.results import attempts, in_scope, levels
from playtest.insight.tables.version import ENDED, with_level_outcomes
from playtest.people.templatetags.staff import outcome as outcome_label
from playtest.review.queries.exclusions import excluded_by
from playtest.rules.attempt import CUT_SHORT, RECORDING_ENDS, AttemptRule, Outcome
from playtest.rules.baseline import Fewest, LevelBaseline, fewest_known, level_baseline
from playtest.rules.inference.medians import Interval, More, interval, more_people
from playtest.rules.tasks.success import TaskRule
from playtest.studio.models import Version
from playtest.studio.queries.fewest import fewest_stored_and_proven

UNDER_REVIEW = "under review, which this page leaves out"


@dataclass(frozen=True)
class Run:
    """One person's first run of a level; `actions` include resets.

    `why_out` is "" if the run is in the baseline; `ended`, whether the scope has it and its result is known.
    """

    attempt_id: int
    level: int
    actions: int
    actions_since_reset: int
    resets: int
    ended: bool
    why_out: str


@dataclass(frozen=True)
class LevelReport:
    """A level's baseline with its interval.

    `ended` completed it or were lost on it: as many as on the environment's page. `fewest` is
    `rules.baseline.fewest_known`, which is never more than the best first run.
    """

    level: int
    baseline: LevelBaseline
    fewest: Fewest | None
    interval: Interval | None
    more: More
    ended: int


@dataclass(frozen=True)
class Person:
    """One attempt at the version. `why_not_counted` is "" if the attempt counts."""

    attempt_id: int
    participant: str
    outcome: str
    under_review: bool
    why_not_counted: str
    runs: tuple[Run, ...]

    @property
    def levels_in(self) -> str:
        """As text: "levels 1 to 3", "no level"."""
        return levels_text([run.level for run in self.runs if not run.why_out])

    @property
    def out(self) -> list[tuple[str, str]]:
        """The levels that are not in the baseline, grouped by reason, each group as text."""
        groups = groupby((run for run in self.runs if run.why_out), key=lambda run: run.why_out)
        return [(levels_text([run.level for run in runs]), why) for why, runs in groups]


@dataclass(frozen=True)
class BaselineReport:
    """The baseline of a version in a scope. `counted` people count, of the `asked` number.

    `protocols` are those of the sessions with an attempt at the version.
    """

    version: Version
    scope: Scope
    levels: tuple[LevelReport, ...]
    people: tuple[Person, ...]
    counted: int
    asked: int
    protocols: Protocols
    population: Population

    @property
    def provisional(self) -> bool:
        """Whether fewer people count than the protocol asks for."""
        return self.counted < self.asked

    @property
    def cut_short(self) -> int:
        """How many of the counted people their session's end cut short: others are asked in their place."""
        return sum(not one.why_not_counted and one.outcome in CUT_SHORT for one in self.people)

    @property
    def missing(self) -> list[int]:
        """Levels without a completed run."""
        return [report.level for report in self.levels if not report.baseline.completers]

    @property
    def missing_levels(self) -> str:
        """The same as text."""
        return levels_text(self.missing)


def levels_text(levels: list[int]) -> str:
    """Ascending levels as text: "no level", "level 4", "levels 1 to 3 and 5"."""
    if not levels:
        return "no level"
    together = [list(group) for _, group in groupby(levels, key=lambda level: level - levels.index(level))]
    spans = [f"{span[0]} to {span[-1]}" if span[1:] else str(span[0]) for span in together]
    listed = " and ".join(filter(None, [", ".join(spans[:-1]), spans[-1]]))
    return f"levels {listed}" if levels[1:] else f"level {listed}"


def baseline_report(version: Version, scope: Scope = EVERYONE) -> BaselineReport:
    """Computes the baseline from everyone in the scope who completed a level.

    Every run is a first run, because nobody plays an environment twice. Excluded attempts, and levels that
    were completed after an exclusion, are out of the baseline unless the scope includes them.
    """
    frame = attempts(scope.whole, [version.environment]).filter(pl.col("version") == version.pk)
    reached = with_level_outcomes(levels(frame, scope.whole)).with_columns(ended=ENDED)
    runs = [_run(row, scope) for row in reached.iter_rows(named=True)]
    by_level = _grouped(runs, "level")
    by_attempt = _grouped(runs, "attempt_id")
    counted = set(counted_people(in_scope(frame, scope), scope)["attempt"])
    fewest, proven = (found[version.pk] for found in fewest_stored_and_proven([version.pk]))
    return BaselineReport(
        version,
        scope,
        tuple(
            _level_report(level, by_level[level], fewest.get(level), proven.get(level))
            for level in range(1, version.levels + 1)
        ),
        tuple(
            Person(
                row["attempt"],
                row["participant"],
                _outcome(row, scope),
                row["under_review"],
                "" if row["attempt"] in counted else _why_not_counted(row, scope),
                tuple(by_attempt[row["attempt"]]),
            )
            for row in frame.iter_rows(named=True)
        ),
        len(counted),
        gates_in(scope, [version.environment])[version.environment_id].people,
        protocols_of(frame),
        population_of(frame, scope),
    )


def _grouped(runs: Iterable[Run], name: str) -> defaultdict[int, list[Run]]:
    groups: defaultdict[int, list[Run]] = defaultdict(list)
    for run in runs:
        groups[getattr(run, name)].append(run)
    return groups


def _run(row: Mapping[str, Any], scope: Scope) -> Run:
    left_out = _why_left_out(row, scope)
    return Run(
        row["attempt"],
        row["level"],
        row["actions"],
        row["actions_since_reset"],
        row["resets"],
        row["ended"] and not left_out,
        left_out or ("" if row["completed"] else f"not completed: {outcome_label(_outcome(row, scope))}"),
    )


def _outcome(row: Mapping[str, Any], scope: Scope) -> str:
    return RECORDING_ENDS if row["outcome"] in scope.other_labels else str(row["outcome"])


def _why_left_out(row: Mapping[str, Any], scope: Scope) -> str:
    cut = None if scope.with_excluded else row["excluded_from"]
    if cut is not None and row["last_seq"] >= cut:
        return excluded_by(_exclusion(row))
    return UNDER_REVIEW if scope.without_review and row["under_review"] else ""


def _exclusion(row: Mapping[str, Any]) -> str:
    cut = row["excluded_from"]
    return f"{row['why_excluded']} (from action {cut})" if cut else str(row["why_excluded"])


def _level_report(level: int, runs: list[Run], fewest: int | None, proven: int | None) -> LevelReport:
    found = level_baseline(run.actions for run in runs if not run.why_out)
    return LevelReport(
        level,
        found,
        fewest_known(fewest, found.best, proven),
        interval(found.actions),
        more_people(found.actions),
        sum(run.ended for run in runs),
    )


def _why_not_counted(row: Mapping[str, Any], scope: Scope) -> str:
    """Why `acceptance.counted_people` does not have an attempt."""
    cut = None if scope.with_excluded else row["excluded_from"]
    of_levels = row["view_seconds"] is None
    if cut is not None and (cut == 0 or (of_levels and cut - 1 <= row["more_than_actions"])):
        return f"Not counted: {excluded_by(_exclusion(row))}."
    if scope.without_review and row["under_review"]:
        return f"Not counted: {UNDER_REVIEW}."
    if not row["outcome"]:
        return "Not counted yet: in progress."
    if row["outcome"] == Outcome.FAULT:
        return "Not counted: the environment failed."
    if not of_levels:
        viewed = TaskRule(view_seconds=row["view_seconds"]).why_not_counted(row["attempt_seconds"])
        return viewed or "Not counted."
    rule = AttemptRule(row["more_than_actions"], row["less_than_seconds"])
    lasted = row["attempt_actions"], row["attempt_seconds"] or 0.0, row["granted_seconds"]
    return rule.why_not_counted(*lasted) or "Not counted."
