"""The rows of the table of environments: the results of the current version of each."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import polars as pl
from django.db.models import Q

from playtest.insight.scope import Scope
from playtest.insight.tables.acceptance import Solving, counted_people, gates_in, verdict_of
from playtest.insight.tables.pairs import Ambiguous, ambiguous_pairs
from playtest.insight.tables.results import attempts, levels
from playtest.insight.tables.version import with_level_outcomes
from playtest.rules.acceptance import Verdict
from playtest.rules.attempt import LEFT_AT_ONCE, LOST, Outcome
from playtest.rules.dropoff import LevelFacts, worst
from playtest.studio.models import Environment, Version


@dataclass(frozen=True)
class Row:
    """One environment. `attempts` are of all versions, everything else of the current one.

    `minutes` is the median over counted people. `completion` has for each level the share (0..1) of those
    who reached level 1 and did not leave at once; () if nobody did. `hardest` are the levels that lost most
    people, several if they lost equally many. `ambiguous` are the test pairs of a static task where people
    agree on a wrong output.
    """

    environment: Environment
    version: Version
    attempts: int
    target: int
    verdict: Verdict
    minutes: float | None
    completion: tuple[float, ...]
    hardest: tuple[LevelFacts, ...]
    ambiguous: tuple[Ambiguous, ...] = ()

    @property
    def solved(self) -> float | None:
        """The share (0..1) of the people counted who completed all levels."""
        return self.verdict.solvers / self.verdict.people if self.verdict.people else None


@dataclass(frozen=True)
class _Counted:
    people: int = 0
    solvers: int = 0
    partly: int = 0
    minutes: float | None = None


def portfolio(scope: Scope) -> list[Row]:
    """Every environment with a version, by id; of a study, its pool and what was played."""
    begun = attempts(scope)
    people_who_count = counted_people(begun, scope)
    counted, ambiguous = _counted(people_who_count, scope), ambiguous_pairs(people_who_count, scope)
    facts = _facts(begun, scope)
    totals: Mapping[str, int] = dict(begun.group_by("environment").agg(pl.len()).iter_rows())
    environments = _environments(scope, totals)
    gates = gates_in(scope, environments)
    rows = []
    for environment in environments:
        version = environment.current
        assert version is not None
        gate = gates[environment.pk]
        people, reached = counted.get(version.pk, _Counted()), facts.get(version.pk, ())
        rows.append(
            Row(
                environment,
                version,
                totals.get(environment.code, 0),
                gate.people,
                verdict_of(gate, environment, Solving(people.people, people.solvers, people.partly)),
                people.minutes,
                _completion(reached, version.levels),
                worst(reached),
                ambiguous.get(version.pk, ()),
            )
        )
    return rows


def _environments(scope: Scope, tried: Collection[str]) -> list[Environment]:
    # A source may have 41,000 lines: hundreds of them are not read for a list.
    found = Environment.objects.filter(current__isnull=False).select_related("current")
    if scope.study:
        found = found.filter(Q(pk__in=scope.study.pool.values("pk")) | Q(code__in=list(tried)))
    return list(found.defer("note", "current__source", "current__metadata"))


def _counted(people: pl.DataFrame, scope: Scope) -> dict[int, _Counted]:
    whole = pl.lit(scope.with_excluded) | pl.col("excluded_from").is_null()
    solved = whole & (pl.col("outcome") == Outcome.COMPLETED.value)
    table = people.group_by("version").agg(
        pl.len(),
        solved.sum().alias("solvers"),
        (whole & (pl.col("levels_completed") > 0)).sum().alias("partly"),
        (pl.col("attempt_seconds").filter(whole).median() / 60).alias("minutes"),
    )
    return {version: _Counted(*counts) for version, *counts in table.iter_rows()}


_OF_ATTEMPTS = ("attempt", "version", "outcome", "enough", "excluded_from")


def _facts(begun: pl.DataFrame, scope: Scope) -> dict[int, tuple[LevelFacts, ...]]:
    """The facts that `rules.dropoff` judges of every level that somebody reached, by version."""
    table = (
        with_level_outcomes(levels(begun.select(_OF_ATTEMPTS), scope))
        .filter(pl.col("level_outcome") != LEFT_AT_ONCE)
        .group_by("version", "level")
        .agg(pl.len(), pl.col("completed").sum(), pl.col("level_outcome").is_in([*LOST]).sum().alias("lost"))
        .sort("version", "level")
    )
    found: defaultdict[int, list[LevelFacts]] = defaultdict(list)
    for version, *counts in table.iter_rows():
        found[version].append(LevelFacts(*counts))
    return {version: tuple(facts) for version, facts in found.items()}


def _completion(facts: tuple[LevelFacts, ...], count: int) -> tuple[float, ...]:
    if not facts:
        return ()
    completed = {level.level: level.completed for level in facts}
    return tuple(completed.get(level, 0) / facts[0].reached for level in range(1, count + 1))
