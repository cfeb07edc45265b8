"""The baselines again under other exclusions (checklist 4.6): would another rule have told another story?"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import polars as pl

from playtest.insight.pages.study.results import IS_SOLVED, StudyResults, solving
from playtest.insight.scope import Scope
from playtest.insight.tables.acceptance import counted_people
from playtest.insight.tables.results import IS_CUT_SHORT, completions, with_exclusions
from playtest.people.models import Staff
from playtest.review.queries.decisions import EXCLUDING, in_force
from playtest.review.queries.exclusions import NOTHING, exclusions, exclusions_of_sessions
from playtest.review.queries.queue import flagged_by_rule
from playtest.rules.attempt import Outcome
from playtest.rules.inference.clusters import Estimate
from playtest.rules.text import counted, persons

type Level = tuple[str, int, int]
"""Environment, version (its id), level."""


@dataclass(frozen=True)
class Variant:
    """The baselines by level with other exclusions, and the share of counted attempts that solved.

    `who` is a sentence about the people of the share.
    """

    name: str
    who: str
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
    scope = replace(results.scope, with_excluded=False)
    readings = dict(_readings(results, scope))
    published, *others = _variants(readings, scope)
    as_failures = solving(results.counted.filter("whole"))
    name, who = "with attempts that were cut short as failures", _who(results.counted, cut_short_fail=True)
    failed = replace(published, name=name, who=who, success=as_failures)
    return [published, failed, *others]


def _readings(results: StudyResults, scope: Scope) -> Iterator[tuple[str, pl.DataFrame]]:
    everyone = results.everyone
    honoured = _left(everyone)
    yield "as on the study's page", honoured
    yield "with everything that was excluded", with_exclusions(everyone, NOTHING)
    yield "counted attempts alone", counted_people(honoured, scope)
    timed_out = pl.col("outcome") == Outcome.TIMED_OUT.value
    yield "without attempts that the hard limit ended", honoured.filter(~timed_out)
    for rule, by_rule in exclusions_of_sessions(flagged_by_rule(results.study.sessions.all())).items():
        yield (
            f"without sessions flagged by {rule}, and no reviewer",
            _left(with_exclusions(everyone, by_rule)),
        )
    for place, reviewer in enumerate(_reviewers(results), start=1):
        others = exclusions(without=reviewer)
        yield f"without the verdicts of reviewer {place}", _left(with_exclusions(everyone, others))


def _left(attempts: pl.DataFrame) -> pl.DataFrame:
    return attempts.filter(pl.col("excluded_from").ne_missing(0))


def _reviewers(results: StudyResults) -> list[int]:
    """The accounts with an excluding verdict in force, or its confirmation, in the order of the accounts."""
    found = in_force().filter(session__study=results.study, kind__in=EXCLUDING)
    known = {
        *found.values_list("reviewer", flat=True),
        *found.values_list("confirmed_by__reviewer", flat=True),
    }
    return list(Staff.objects.filter(pk__in=known).order_by("pk").values_list("pk", flat=True))


def _variants(readings: Mapping[str, pl.DataFrame], scope: Scope) -> Iterator[Variant]:
    """Each reading of the attempts; all are read together, since one by one takes twice as long."""
    tables = [table.with_columns(reading=pl.lit(name)) for name, table in readings.items()]
    attempts = pl.concat(tables, how="diagonal")
    upper_median = pl.col("actions").sort().get(pl.len() // 2)
    level = ("environment", "version", "level")
    rows = completions(attempts, scope).group_by("reading", *level).agg(upper_median).iter_rows()
    baselines: defaultdict[str, dict[Level, int]] = defaultdict(dict)
    for name, *key, actions in rows:
        baselines[name][tuple(key)] = actions
    counting = counted_people(attempts, scope)
    whole = counting.filter(pl.col("excluded_from").is_null(), ~IS_CUT_SHORT).with_columns(solved=IS_SOLVED)
    for name, table in readings.items():
        is_this = pl.col("reading") == name
        who, solved = _who(counting.filter(is_this)), solving(whole.filter(is_this))
        yield Variant(name, who, table.height, baselines[name], solved)


def _who(counting: pl.DataFrame, *, cut_short_fail: bool = False) -> str:
    """How many people and attempts count, and how many of these are in no share."""
    in_part = counting["excluded_from"].is_not_null()
    cut_short = 0 if cut_short_fail else counting.filter(~in_part, IS_CUT_SHORT).height
    apart = {"cut short": cut_short, "excluded in part": in_part.sum()}
    listed = ", ".join(f"{number} {label}" for label, number in apart.items() if number)
    whole = f"{persons(counting['participant'].n_unique())}, {counted(counting.height, 'attempt')}."
    return f"{whole} In no share: {listed}." if listed else whole
