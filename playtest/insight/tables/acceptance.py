"""The acceptance gate of a version, with replays that a developer should watch."""

from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl
from django.db.models import Count, Q

from playtest.insight.scope import EVERYONE, Scope
from playtest.insight.tables.results import IS_TASK, attempts, levels
from playtest.insight.tables.version import QUIT
from playtest.play.models import Attempt
from playtest.play.sessions.quota import acceptance_of, counted_towards
from playtest.review.queries.exclusions import exclusions
from playtest.rules.acceptance import Acceptance, Verdict
from playtest.rules.attempt import LOST, Outcome
from playtest.rules.baseline import upper_median
from playtest.rules.errors import RuleError
from playtest.rules.rasch import Estimate, Fit, Result, fit
from playtest.studio.models import Environment, Version


@dataclass(frozen=True)
class LevelCompletion:
    """How many counted people reached, completed and lost a level (`rules.attempt.LOST`)."""

    level: int
    reached: int
    completed: int
    lost: int


@dataclass(frozen=True)
class Replay:
    """An attempt to watch from one of its levels on, and the reason."""

    attempt_id: int
    participant: str
    level: int
    why: str


@dataclass(frozen=True)
class Evidence:
    """The verdict on a version. `uncounted_solvers` solved it in attempts that do not count.

    `cut_off` is how many counted attempts the hard limit ended; `without_cut_off` is the verdict without
    these.
    """

    version: Version
    verdict: Verdict
    levels: tuple[LevelCompletion, ...]
    replays: tuple[Replay, ...]
    uncounted_solvers: int
    cut_off: int
    without_cut_off: Verdict


def verdict(environment: Environment) -> Verdict:
    """The gate's verdict on an environment's current version."""
    return verdicts([environment])[environment.pk]


def verdicts(environments: Collection[Environment]) -> dict[int, Verdict]:
    """The verdict on each current version, by environment. People count as for the quota."""
    counted = Attempt.objects.filter(counted_towards(None), environment__in=environments).order_by()
    cut = [pk for pk, part in exclusions().attempts.items() if part.from_seq]
    whole = ~Q(pk__in=cut)
    groups = counted.values_list("environment").annotate(
        people=Count("pk"),
        solvers=Count("pk", filter=whole & Q(outcome=Outcome.COMPLETED)),
        partly=Count("pk", filter=whole & Q(levels_completed__gt=0)),
    )
    found = {pk: Solving(*counts) for pk, *counts in groups}
    asked = acceptance_of([environment.pk for environment in environments])
    return {
        environment.pk: verdict_of(
            asked[environment.pk], environment, found.get(environment.pk, Solving(0, 0, 0))
        )
        for environment in environments
    }


class Solving(NamedTuple):
    """How many people count, how many of them completed everything, and how many a level or test pair."""

    people: int
    solvers: int
    partly: int


def verdict_of(gate: Acceptance, environment: Environment, solving: Solving) -> Verdict:
    """What the gate says of an environment of either kind."""
    if environment.kind.has_levels:
        return gate.verdict(solving.people, solving.solvers)
    return gate.verdict_on_task(*solving)


def gates_in(scope: Scope, environments: Collection[Environment]) -> dict[int, Acceptance]:
    """What the gate asks for, by environment; in the scope of a study, that study's numbers."""
    keys = [environment.pk for environment in environments]
    if scope.study is not None:
        return dict.fromkeys(keys, scope.protocol.acceptance)
    return acceptance_of(keys)


def evidence(version: Version, scope: Scope = EVERYONE) -> Evidence:
    """The verdict on one version, its completion by level, and up to three replays."""
    everyone = attempts(scope, [version.environment]).filter(pl.col("version") == version.pk)
    return evidence_of(version, scope, everyone, levels(everyone, scope))


def evidence_of(version: Version, scope: Scope, everyone: pl.DataFrame, known: pl.DataFrame) -> Evidence:
    """As `evidence`, from tables of the scope's attempts at the version and of their levels."""
    people = counted_people(everyone, scope)
    reached = known.join(people.select("attempt"), on="attempt", how="semi")
    stayed = people.filter(pl.col("outcome") != Outcome.TIMED_OUT.value)
    asked = gates_in(scope, [version.environment])[version.environment_id]

    def judged(counted: pl.DataFrame) -> Verdict:
        return verdict_of(asked, version.environment, _solving(counted, scope))

    completion = tuple(_completion(reached, level) for level in range(1, version.levels + 1))
    return Evidence(
        version,
        judged(people),
        completion,
        tuple(_replays(reached, completion)),
        _solvers(everyone, scope).height - _solvers(people, scope).height,
        people.height - stayed.height,
        judged(stayed),
    )


def counted_people(attempts: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    """The counted attempts of a table of `results.tables.attempts`.

    An attempt that is excluded from an action on counts if the actions before it are enough; of a static
    task, if its view does.
    """
    before = (pl.col("excluded_from") - 1 > pl.col("more_than_actions")) | IS_TASK
    left = pl.col("excluded_from").is_null() | (before & (pl.col("excluded_from") > 0))
    return attempts.filter(pl.col("counted"), left | pl.lit(scope.with_excluded))


def _solving(people: pl.DataFrame, scope: Scope) -> Solving:
    whole = pl.col("excluded_from").is_null() | pl.lit(scope.with_excluded)
    partly = people.filter(pl.col("levels_completed") > 0, whole)
    return Solving(people.height, _solvers(people, scope).height, partly.height)


def _solvers(people: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    whole = pl.col("excluded_from").is_null() | pl.lit(scope.with_excluded)
    return people.filter(pl.col("outcome") == Outcome.COMPLETED.value, whole)


def _completion(reached: pl.DataFrame, level: int) -> LevelCompletion:
    here = reached.filter(pl.col("level") == level)
    lost = here.filter(~pl.col("completed"), pl.col("outcome").is_in(list(LOST)))
    return LevelCompletion(level, here.height, int(here["completed"].sum()), lost.height)


def _replays(reached: pl.DataFrame, completion: tuple[LevelCompletion, ...]) -> Iterator[Replay]:
    """At most three different attempts: the furthest, a typical one and the quickest to quit."""
    unsolved = reached.filter(~pl.col("completed"))
    lost = unsolved.filter(pl.col("outcome").is_in(list(LOST)))
    worst = max(completion, key=lambda level: level.lost)
    named: set[int] = set()
    for candidates, why in (
        (_furthest(unsolved), "Furthest without solving it: {spent} on level {level}."),
        (_typical(lost, worst.level), _typical_reason(worst)),
        (_quickest(lost, worst.level), "Quickest to quit level {level}: after {spent}."),
    ):
        found = next((row for row in candidates if row["attempt"] not in named), None)
        if found is not None:
            named.add(found["attempt"])
            spent = "1 action" if found["actions"] == 1 else f"{found['actions']} actions"
            reason = why.format(level=found["level"], spent=spent)
            yield Replay(found["attempt"], found["participant"], found["level"], reason)


def _furthest(unsolved: pl.DataFrame) -> Iterator[dict[str, Any]]:
    order = unsolved.sort("level", "actions", "attempt", descending=[True, True, False])
    return order.iter_rows(named=True)


def _typical(lost: pl.DataFrame, level: int) -> Iterator[dict[str, Any]]:
    """The people lost on the level, by the distance of their actions from the upper median."""
    here = lost.filter(pl.col("level") == level)
    if here.is_empty():
        return iter(())
    middle = upper_median(here["actions"])
    return here.sort((pl.col("actions") - middle).abs(), "attempt").iter_rows(named=True)


def _typical_reason(worst: LevelCompletion) -> str:
    return (
        f"Typical of the {worst.lost} of {worst.reached} people lost on level {{level}}, the most of any: "
        "{spent}."
    )


def _quickest(lost: pl.DataFrame, level: int) -> Iterator[dict[str, Any]]:
    quits = lost.filter(pl.col("level") == level, pl.col("outcome").is_in(list(QUIT)))
    return quits.sort("actions", "attempt").iter_rows(named=True)


def fit_or_none[Item: Hashable](results: Iterable[tuple[str, Item, bool]]) -> Fit[Item] | None:
    """The model of person, item and success; None if too few people met two items."""
    try:
        return fit([Result(*one) for one in results])
    except RuleError:
        return None


def successes(counted: pl.DataFrame, item: str, *, with_excluded: bool) -> Iterable[tuple[str, Any, bool]]:
    """Person, the column `item` and whether solved, of `acceptance.counted_people`.

    An attempt that is excluded from an action on did not solve its environment, as in raw success.
    """
    whole = pl.lit(with_excluded) | pl.col("excluded_from").is_null()
    solved = whole & (pl.col("outcome") == Outcome.COMPLETED.value)
    return counted.select("participant", item, solved.alias("solved")).iter_rows()


def percents(found: Estimate | None) -> tuple[float | None, float | None, float | None]:
    """Value and both ends in percent; None for what is not known."""
    if found is None:
        return None, None, None
    return 100 * found.value, 100 * found.low, 100 * found.high
