"""The rows of the table of environments: the results of the current version of each."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import polars as pl
from django.db.models import Q

from playtest.insight.scope import Scope
from playtest.insight.tables.acceptance import Solving, counted_people, gates_in, verdict_of
from playtest.insight.tables.pairs import Ambiguous, ambiguous_pairs
from playtest.insight.tables.results import IS_CUT_SHORT, IS_SOLVED, IS_UNDECIDED, attempts, is_whole, levels
from playtest.insight.tables.version import facts_of, with_level_outcomes
from playtest.rules.acceptance import Verdict
from playtest.rules.dropoff import LevelFacts, worst
from playtest.studio.models import Environment, GateWaiver, Version
from playtest.studio.queries.waivers import granted


@dataclass(frozen=True)
class Row:
    """One environment. `attempts` are of all versions, everything else of the current one.

    `solved` is a share (0..1) of the people counted who were not cut short, and `minutes` the median of all.
    `completion` has for each level the share (0..1) of those who ended level 1; () if nobody did. `hardest`
    are the levels that lost most people, several if they lost equally many. `ambiguous` are the test pairs
    of a static task where people agree on a wrong output. `waivers` are those in force.
    """

    environment: Environment
    version: Version
    attempts: int
    target: int
    verdict: Verdict
    solved: float | None
    minutes: float | None
    completion: tuple[float, ...]
    hardest: tuple[LevelFacts, ...]
    ambiguous: tuple[Ambiguous, ...] = ()
    waivers: tuple[GateWaiver, ...] = ()


@dataclass(frozen=True)
class _Counted:
    people: int = 0
    solvers: int = 0
    partly: int = 0
    solved: float | None = None
    minutes: float | None = None


def portfolio(scope: Scope) -> list[Row]:
    """Every environment with a version, by id; of a study, its pool and what was played."""
    begun = attempts(scope)
    people_who_count = counted_people(begun, scope)
    counted, ambiguous = _counted(people_who_count, scope), ambiguous_pairs(people_who_count, scope)
    facts = facts_of(with_level_outcomes(levels(begun.select(_OF_ATTEMPTS), scope)))
    totals: Mapping[str, int] = dict(begun.group_by("environment").agg(pl.len()).iter_rows())
    environments = _environments(scope, totals)
    gates, waivers = gates_in(scope, environments), granted(environments)
    rows = []
    for environment in environments:
        version = environment.current
        assert version is not None
        gate = gates[environment.pk]
        people, reached = counted.get(version.pk, _Counted()), facts.get(version.pk, {})
        rows.append(
            Row(
                environment, version, totals.get(environment.code, 0), gate.people,
                verdict_of(gate, environment, Solving(people.people, people.solvers, people.partly)),
                people.solved, people.minutes, _completion(reached, version.levels),
                worst(reached.values()), ambiguous.get(version.pk, ()),
                tuple(waivers[environment.pk].values()),
            )
        )  # fmt: skip
    return rows


def _environments(scope: Scope, tried: Collection[str]) -> list[Environment]:
    # A source may have 41,000 lines: hundreds of them are not read for a list.
    found = Environment.objects.filter(current__isnull=False).select_related("current")
    if scope.study:
        found = found.filter(Q(pk__in=scope.study.pool.values("pk")) | Q(code__in=list(tried)))
    return list(found.defer("note", "current__source", "current__metadata"))


def _counted(people: pl.DataFrame, scope: Scope) -> dict[int, _Counted]:
    whole = is_whole(scope)
    solved = whole & IS_SOLVED
    table = people.group_by("version").agg(
        (~IS_UNDECIDED).sum(),
        solved.sum().alias("solvers"),
        (whole & (pl.col("levels_completed") > 0)).sum().alias("partly"),
        solved.filter(~IS_CUT_SHORT).mean().alias("solved"),
        (pl.col("attempt_seconds").filter(whole).median() / 60).alias("minutes"),
    )
    return {version: _Counted(*counts) for version, *counts in table.iter_rows()}


_OF_ATTEMPTS = ("attempt", "version", "outcome", "enough", "excluded_from", "under_review")


def _completion(facts: Mapping[int, LevelFacts], count: int) -> tuple[float, ...]:
    if 1 not in facts or not facts[1].ended:
        return ()
    return tuple(
        facts[level].completed / facts[1].ended if level in facts else 0.0 for level in range(1, count + 1)
    )
