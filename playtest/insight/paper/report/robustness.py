"""The baselines again under other exclusions (checklist 4.6): would another rule have told another story?"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import polars as pl

from playtest.insight.pages.study.results import IS_CUT_SHORT, IS_SOLVED, StudyResults, solving
from playtest.insight.scope import Scope
from playtest.insight.tables.acceptance import counted_people
from playtest.insight.tables.results import completions, with_exclusions
from playtest.people.models import Staff
from playtest.review.models import Flag, Strength
from playtest.review.queries.decisions import EXCLUDING, in_force
from playtest.review.queries.exclusions import NOTHING, exclusions, exclusions_of_sessions
from playtest.rules.attempt import Outcome
from playtest.rules.inference.clusters import Estimate

type Level = tuple[str, int, int]
"""Environment, version (its id), level."""


@dataclass(frozen=True)
class Variant:
    """The baselines by level with other exclusions, and the share of counted attempts that solved."""

    name: str
    attempts: int
    baselines: dict[Level, int]
    success: Estimate | None

    def changes_from(self, published: "Variant") -> "Changes":
        ratios = [
            self.baselines[level] / before - 1
            for level, before in published.baselines.items()
            if level in self.baselines
        ]
        return Changes(
            changed=sum(ratio != 0 for ratio in ratios),
            largest=max(ratios, key=abs, default=0.0),
        )


@dataclass(frozen=True)
class Changes:
    """How many levels have another baseline; `largest` is a share, signed."""

    changed: int
    largest: float


def variants(results: StudyResults) -> list[Variant]:
    """The first one is what the study's pages show, with exclusions in force."""
    published, *others = [_variant(name, frame, scope) for name, frame, scope in _readings(results)]
    as_failures = solving(results.counted.filter("whole"))
    failed = replace(published, name="with attempts that were cut short as failures", success=as_failures)
    return [published, failed, *others]


def _readings(results: StudyResults) -> Iterator[tuple[str, pl.DataFrame, Scope]]:
    scope = replace(results.scope, with_excluded=False)
    everyone = results.everyone
    honoured = _left(everyone)
    yield "as on the study's page", honoured, scope
    yield "with everything that was excluded", with_exclusions(everyone, NOTHING), scope
    yield "counted attempts alone", counted_people(honoured, scope), scope
    timed_out = pl.col("outcome") == Outcome.TIMED_OUT.value
    yield "without attempts that the hard limit ended", honoured.filter(~timed_out), scope
    for rule, by_rule in exclusions_of_sessions(_flagged(results)).items():
        yield (
            f"without sessions flagged by {rule}, and no reviewer",
            _left(with_exclusions(everyone, by_rule)),
            scope,
        )
    for place, reviewer in enumerate(_reviewers(results), start=1):
        others = exclusions(without=reviewer)
        yield f"without the verdicts of reviewer {place}", _left(with_exclusions(everyone, others)), scope


def _left(attempts: pl.DataFrame) -> pl.DataFrame:
    return attempts.filter(pl.col("excluded_from").ne_missing(0))


def _flagged(results: StudyResults) -> dict[str, list[int]]:
    """The sessions with a flag in force that opens a review, by the rule that raised it."""
    found = Flag.objects.filter(session__study=results.study, superseded_at=None).exclude(
        strength=Strength.NOTE
    )
    sessions: dict[str, list[int]] = {}
    for rule, session in found.order_by("rule", "session").values_list("rule", "session").distinct():
        sessions.setdefault(rule, []).append(session)
    return sessions


def _reviewers(results: StudyResults) -> list[int]:
    """The accounts with an excluding verdict in force, or its confirmation, in the order of the accounts."""
    found = in_force().filter(session__study=results.study, kind__in=EXCLUDING)
    known = {
        *found.values_list("reviewer", flat=True),
        *found.values_list("confirmed_by__reviewer", flat=True),
    }
    return list(Staff.objects.filter(pk__in=known).order_by("pk").values_list("pk", flat=True))


def _variant(name: str, attempts: pl.DataFrame, scope: Scope) -> Variant:
    completed = completions(attempts, scope)
    upper_median = pl.col("actions").sort().get(pl.len() // 2)
    rows = completed.group_by("environment", "version", "level").agg(upper_median)
    counted = counted_people(attempts, scope).filter(pl.col("excluded_from").is_null())
    solved = solving(counted.filter(~IS_CUT_SHORT).with_columns(solved=IS_SOLVED))
    return Variant(
        name,
        attempts.height,
        {(environment, version, level): actions for environment, version, level, actions in rows.iter_rows()},
        solved,
    )
