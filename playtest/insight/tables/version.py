"""The results of one version in a scope, from which all figures of its pages are made, and its journals."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, NamedTuple

import polars as pl
from django.db import connection

from playtest.insight.scope import Links, Scope
from playtest.insight.tables import results as tables
from playtest.insight.tables.population import Population, population_of
from playtest.rules import labels
from playtest.rules.attempt import LEFT_AT_ONCE, LOST, Outcome
from playtest.rules.dropoff import LevelFacts
from playtest.studio.models import Version

OPEN = "open"
"""The outcome of a level that somebody plays now."""
OUTCOME_LABELS: dict[str, str] = {**labels.OUTCOME_LABELS, OPEN: "still playing"}
LEVEL_OUTCOMES = tuple(OUTCOME_LABELS)
"""All outcomes of a level, in the order in which pages list them."""
OUTCOME_ORDER: dict[str, int] = {str(outcome): place for place, outcome in enumerate(LEVEL_OUTCOMES)}
QUIT = (Outcome.GAVE_UP, Outcome.CONCLUDED)
"""Ends that the participant chose."""


def with_level_outcomes(levels: pl.DataFrame) -> pl.DataFrame:
    """Adds the column `level_outcome` to a table of `results.tables.levels`.

    A level that was not completed has the outcome of its attempt; `left_at_once` if the attempt was lost with
    too few actions to count (`rules.attempt.AttemptRule`), or in too short a view of a static task, `open` if
    it has not ended.
    """
    ended = (
        pl.when(pl.col("outcome") == "")
        .then(pl.lit(OPEN))
        .when(pl.col("outcome").is_in(list(LOST)) & ~pl.col("enough"))
        .then(pl.lit(LEFT_AT_ONCE))
        .otherwise(pl.col("outcome"))
    )
    outcome = pl.when("completed").then(pl.lit(Outcome.COMPLETED.value)).otherwise(ended)
    return levels.with_columns(outcome.alias("level_outcome"))


IS_LOST = pl.col("level_outcome").is_in(list(LOST))
ENDED = pl.col("completed") | IS_LOST
"""Whose result on a level is known (`dropoff.LevelFacts.ended`): of them is every share of the level."""


def facts_of(levels: pl.DataFrame) -> dict[int, dict[int, LevelFacts]]:
    """By version and level the people of each level that somebody reached, without medians.

    `levels` has `level_outcome`.
    """
    at_once = pl.col("level_outcome") == LEFT_AT_ONCE
    counts = {"completed": pl.col("completed"), "lost": IS_LOST, "left_at_once": at_once}
    counts["under_review"] = IS_LOST & pl.col("under_review")
    sums = (count.sum().alias(name) for name, count in counts.items())
    table = levels.group_by("version", "level").agg(pl.len().alias("reached"), *sums)
    found: defaultdict[int, dict[int, LevelFacts]] = defaultdict(dict)
    for row in table.sort("version", "level").iter_rows(named=True):
        version = row.pop("version")
        found[version][row["level"]] = LevelFacts(**row)
    return found


@dataclass(frozen=True)
class VersionResults:
    """`everyone` has the columns ATTEMPT of all attempts, `levels` LEVEL, ATTEMPT and `level_outcome`.

    `levels` is of the `attempts` in the scope: without those that are excluded wholly, and of one excluded
    from an action on the levels before it. A scope with exclusions has everything.
    """

    version: Version
    scope: Scope
    everyone: pl.DataFrame
    levels: pl.DataFrame
    may_watch: bool = True
    before: "VersionResults | None" = None
    """Those of another version that are compared with these on the bars."""
    links: Links = field(init=False)

    @cached_property
    def attempts(self) -> pl.DataFrame:
        """ATTEMPT of those in the scope."""
        return tables.in_scope(self.everyone, self.scope)

    @property
    def shared(self) -> pl.DataFrame:
        """Those of them in a share: solved or lost after enough, and not excluded from an action on."""
        lost = pl.col("outcome").is_in(list(LOST)) & pl.col("enough")
        return self.attempts.filter(tables.is_whole(self.scope), lost | tables.IS_SOLVED)

    @property
    def of_recordings(self) -> bool:
        """Whether they are recordings from outside: nobody knows why one ends."""
        return bool(self.scope.other_labels)

    @property
    def outcome_labels(self) -> dict[str, str]:
        """What outcomes of levels are called."""
        return OUTCOME_LABELS | self.scope.other_labels

    @property
    def at_once_label(self) -> str:
        """What it is called to leave a level with too few actions."""
        return self.outcome_labels[LEFT_AT_ONCE]

    @property
    def quit_label(self) -> str:
        """What the ends in QUIT are called together."""
        quits = QUIT[:1] if self.of_recordings else QUIT
        return " or ".join(self.outcome_labels[end] for end in quits)

    @cached_property
    def end_labels(self) -> dict[str, str]:
        """The same of whole attempts, which are solved with their last level."""
        return self.outcome_labels | {str(Outcome.COMPLETED): "solved"}

    @cached_property
    def facts(self) -> list[LevelFacts]:
        """How many people reached, completed and were lost on every level, from 1; without medians."""
        found = facts_of(self.levels).get(self.version.pk, {})
        return [found.get(level, LevelFacts(level, 0, 0, 0)) for level in range(1, self.version.levels + 1)]

    @property
    def population(self) -> Population:
        """Who the pages of the version count."""
        return population_of(self.everyone, self.scope)

    cache: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "links", Links(self.scope, self.version, self.may_watch))

    @property
    def people(self) -> int:
        """As many as attempts, unless a person's second one, under another record, is counted on demand."""
        return self.attempts["participant"].n_unique()


def cached[T](compute: Callable[[VersionResults], T]) -> Callable[[VersionResults], T]:
    """Computes once for each VersionResults: several figures of a page need the same table."""
    name = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def once(results: VersionResults) -> T:
        if name not in results.cache:
            results.cache[name] = compute(results)
        found: T = results.cache[name]
        return found

    return once


def version_results(version: Version, scope: Scope, *, may_watch: bool = True) -> VersionResults:
    """Reads the scope's attempts at one version; attempts at other versions are left out."""
    everyone = tables.attempts(scope.whole, [version.environment]).filter(pl.col("version") == version.pk)
    levels = with_level_outcomes(tables.levels(tables.in_scope(everyone, scope), scope))
    return VersionResults(version, scope, everyone, levels, may_watch)


class Span(NamedTuple):
    """An attempt, the entry that entered the level, and the last entry on it."""

    attempt: int
    entered: int
    last: int


def here(results: VersionResults, level: int) -> pl.DataFrame:
    """The rows of a level (from 1)."""
    return results.levels.filter(pl.col("level") == level)


def spans_on(results: VersionResults, level: int) -> list[Span]:
    """The span of each attempt that reached a level (from 1), by attempt."""
    rows = here(results, level).sort("attempt").select("attempt", "entered_seq", "last_seq")
    return [Span(*row) for row in rows.iter_rows()]


def entries_of(span: Span, *columns: str) -> Iterator[tuple[Any, ...]]:
    """These columns of each entry, as the database has them; the first entry is the one that entered."""
    query = f"SELECT {', '.join(columns)} FROM play_entry WHERE attempt_id = %s AND seq BETWEEN %s AND %s"
    with connection.cursor() as cursor:
        cursor.execute(f"{query} ORDER BY seq", span)
        yield from cursor
