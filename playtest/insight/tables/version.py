"""The results of one version in a scope, from which all figures of its pages are made, and its journals."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, NamedTuple

import polars as pl
from django.db import connection

from playtest.insight.scope import Links, Scope
from playtest.insight.tables import results as tables
from playtest.rules import labels
from playtest.rules.attempt import LEFT_AT_ONCE, LOST, Outcome
from playtest.studio.models import Version

OPEN = "open"
"""The outcome of a level that somebody plays now."""
OUTCOME_LABELS: dict[str, str] = {**labels.OUTCOME_LABELS, OPEN: "still playing"}
LEVEL_OUTCOMES = tuple(OUTCOME_LABELS)
"""All outcomes of a level, in the order in which pages list them."""
OUTCOME_ORDER: dict[str, int] = {str(outcome): place for place, outcome in enumerate(LEVEL_OUTCOMES)}
_OF_RECORDINGS = OUTCOME_LABELS | {str(Outcome.GAVE_UP): labels.RECORDING_ENDS_LABEL}
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
    outcome = pl.when(pl.col("completed")).then(pl.lit(Outcome.COMPLETED.value)).otherwise(ended)
    return levels.with_columns(outcome.alias("level_outcome"))


@dataclass(frozen=True)
class VersionResults:
    """`attempts` has the columns ATTEMPT; `levels` has LEVEL, ATTEMPT and `level_outcome`.

    Neither has attempts that are excluded wholly. Of an attempt excluded from an action on, `levels` has
    the levels before it. A scope with exclusions has everything. `excluded` counts the wholly excluded
    attempts in both cases.
    """

    version: Version
    scope: Scope
    attempts: pl.DataFrame
    levels: pl.DataFrame
    may_watch: bool = True
    excluded: int = 0
    links: Links = field(init=False)

    @cached_property
    def outcome_labels(self) -> dict[str, str]:
        """What outcomes of levels are called: nobody knows why a recording from outside ends."""
        scope = self.scope
        of_recordings = scope.outside and scope.study is not None and scope.study.outside.is_of_recordings
        return _OF_RECORDINGS if of_recordings else OUTCOME_LABELS

    cache: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "links", Links(self.scope, self.version, self.may_watch))

    @property
    def people(self) -> int:
        """Each attempt is another person's: nobody meets an environment twice."""
        return self.attempts.height

    @property
    def excluded_in_part(self) -> int:
        """How many attempts are excluded from an action on."""
        return self.attempts.filter(pl.col("excluded_from") > 0).height


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
    everyone = tables.attempts(replace(scope, with_excluded=True), [version.environment]).filter(
        pl.col("version") == version.pk
    )
    not_excluded = everyone.filter(pl.col("excluded_from").ne_missing(0))
    attempts = everyone if scope.with_excluded else not_excluded
    levels = with_level_outcomes(tables.levels(attempts, scope))
    return VersionResults(version, scope, attempts, levels, may_watch, everyone.height - not_excluded.height)


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
