"""The acceptance gate of a version, with replays that a developer should watch."""

from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl
from django.db.models import Count, Q

from playtest.insight.scope import EVERYONE, Scope
from playtest.insight.tables.results import IS_CUT_SHORT, IS_SOLVED, IS_TASK, IS_UNDECIDED, is_whole
from playtest.insight.tables.version import ENDED, QUIT, VersionResults, facts_of, version_results
from playtest.play.models import Attempt
from playtest.play.sessions.quota import acceptance_of, counted_towards
from playtest.review.queries.exclusions import exclusions
from playtest.rules.acceptance import Acceptance, Verdict
from playtest.rules.attempt import Outcome
from playtest.rules.baseline import upper_median
from playtest.rules.dropoff import LevelFacts, worst
from playtest.rules.errors import RuleError
from playtest.rules.inference.shares import Estimate
from playtest.rules.rasch import Fit, Result, fit
from playtest.rules.text import counted
from playtest.studio.models import Environment, Version


@dataclass(frozen=True)
class Replay:
    """An attempt to watch from one of its levels on, and the reason."""

    attempt_id: int
    participant: str
    level: int
    why: str


@dataclass(frozen=True)
class Evidence:
    """The verdict on a version.

    `cut_off` is how many counted attempts the hard limit ended; `without_cut_off` is the verdict without
    these.
    """

    version: Version
    verdict: Verdict
    replays: tuple[Replay, ...]
    cut_off: int
    without_cut_off: Verdict


def verdicts(environments: Collection[Environment]) -> dict[int, Verdict]:
    """The verdict on each current version, by environment. People count as for the quota."""
    towards = Attempt.objects.filter(counted_towards(None), environment__in=environments).order_by()
    cut = [pk for pk, part in exclusions().attempts.items() if part.from_seq]
    whole = ~Q(pk__in=cut)
    groups = towards.values_list("environment").annotate(
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
    """The verdict on one version, and up to three replays."""
    return evidence_of(version_results(version, scope))


def evidence_of(results: VersionResults) -> Evidence:
    """As `evidence`; the replays are of anybody whom the results show, whether they count or not."""
    version, scope = results.version, results.scope
    people = counted_people(results.attempts, scope)
    stayed = people.filter(pl.col("outcome") != Outcome.TIMED_OUT.value)
    asked = gates_in(scope, [version.environment])[version.environment_id]

    def judged(some: pl.DataFrame) -> Verdict:
        return verdict_of(asked, version.environment, _solving(some, scope))

    return Evidence(
        version,
        judged(people),
        tuple(_replays(results.levels)),
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
    whole = people.filter(is_whole(scope))
    partly = whole.filter(pl.col("levels_completed") > 0)
    return Solving(people.filter(~IS_UNDECIDED).height, whole.filter(IS_SOLVED).height, partly.height)


def _replays(reached: pl.DataFrame) -> Iterator[Replay]:
    """At most three different attempts: the furthest, a typical one and the quickest to quit.

    People under review come last, and are said to be.
    """
    unsolved = reached.filter(~pl.col("completed"), ENDED)
    known = [facts for of_version in facts_of(reached).values() for facts in of_version.values()]
    most = min(worst(known), key=lambda facts: facts.under_review, default=None)
    lost = unsolved.filter(pl.col("level") == most.level) if most else unsolved.clear()
    named: set[int] = set()
    for candidates, why in (
        (unsolved.sort("level", "actions", "attempt", descending=[True, True, False]), _FURTHEST),
        (_typical(lost), _typical_reason(most)),
        (lost.filter(pl.col("outcome").is_in(list(QUIT))).sort("actions", "attempt"), _QUICKEST),
    ):
        order = candidates.sort("under_review", maintain_order=True).iter_rows(named=True)
        found = next((row for row in order if row["attempt"] not in named), None)
        if found is not None:
            named.add(found["attempt"])
            reason = why.format(level=found["level"], spent=counted(found["actions"], "action"))
            doubt = " Under review." if found["under_review"] else ""
            yield Replay(found["attempt"], found["participant"], found["level"], reason + doubt)


_FURTHEST = "Furthest without solving it: {spent} on level {level}."
_QUICKEST = "Quickest to quit level {level}: after {spent}."


def _typical(lost: pl.DataFrame) -> pl.DataFrame:
    """The people lost on a level, by the distance of their actions from the upper median."""
    middle = upper_median(lost["actions"]) if lost.height else 0
    return lost.sort((pl.col("actions") - middle).abs(), "attempt")


def _typical_reason(most: LevelFacts | None) -> str:
    if most is None:
        return ""
    return f"Typical of the {most.lost} lost on level {{level}}: {{spent}}."


def fit_or_none[Item: Hashable](results: Iterable[tuple[str, Item, bool]]) -> Fit[Item] | None:
    """The model of person, item and success; None if too few people met two items."""
    try:
        return fit([Result(*one) for one in results])
    except RuleError:
        return None


def successes(people: pl.DataFrame, item: str, *, with_excluded: bool) -> Iterable[tuple[str, Any, bool]]:
    """Person, the column `item` and whether solved, of `acceptance.counted_people`.

    An attempt that is excluded from an action on did not solve its environment, as in raw success; one that
    was cut short is left out.
    """
    whole = pl.lit(with_excluded) | pl.col("excluded_from").is_null()
    solved = whole & (pl.col("outcome") == Outcome.COMPLETED.value)
    return people.filter(~IS_CUT_SHORT).select("participant", item, solved.alias("solved")).iter_rows()


def percents(found: Estimate | None) -> tuple[float | None, float | None, float | None]:
    """Value and both ends in percent; None for what is not known."""
    if found is None:
        return None, None, None
    return 100 * found.value, 100 * found.low, 100 * found.high
