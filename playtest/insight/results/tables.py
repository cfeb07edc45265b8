"""Attempts and their level results as tables, as `services.results` has stored them."""

from collections.abc import Collection, Mapping

import polars as pl
from django.db.models import QuerySet

from playtest.insight.results.cache import ATTEMPT_BASE, CACHE, LEVEL, Schema
from playtest.insight.scope import Scope
from playtest.play.models import Attempt
from playtest.review.queries.exclusions import Exclusion, Exclusions, exclusions
from playtest.studio.models import Environment

__all__ = [
    "ATTEMPT",
    "IS_TASK",
    "LEVEL",
    "Schema",
    "attempts",
    "attempts_of",
    "completions",
    "levels",
    "with_exclusions",
]

ATTEMPT: Schema = {**ATTEMPT_BASE, "excluded_from": pl.Int64, "why_excluded": pl.String}
"""Columns of `attempts`: one row an attempt that showed a frame.

`participant` is the pseudonym, `version` an id, `levels` the number of levels of that version, `outcome` a
`rules.attempt.Outcome` or "" while open, `attempt_seconds` the interaction. `protocol` is the id of the
protocol version that the session follows; `more_than_actions` and `less_than_seconds` are its rule, which
`granted_seconds` are added to; of static tasks `view_seconds`, null for other environments. By that rule,
`enough` says that it is long enough for an attempt, and `counted` that it counts, false while open.
`excluded_from` is the first excluded action (0: the whole attempt) or null.
"""

IS_TASK = pl.col("view_seconds").is_not_null()
"""Of ATTEMPT rows whether they are at static tasks."""


def attempts(scope: Scope, environments: Collection[Environment] | None = None) -> pl.DataFrame:
    """`ATTEMPT` of the scope's attempts, in the order in which they were begun.

    Wholly excluded attempts are left out unless the scope has them.
    """
    found = scope.attempts
    if environments is not None:
        found = found.filter(environment__in=environments)
    return attempts_of(found, with_excluded=scope.with_excluded)


def attempts_of(found: QuerySet[Attempt], *, with_excluded: bool = False) -> pl.DataFrame:
    """`ATTEMPT` of these attempts, which showed a frame."""
    frame = with_exclusions(CACHE.attempts(found), exclusions())
    return frame if with_excluded else frame.filter(pl.col("excluded_from").ne_missing(0))


def levels(attempts: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    """`LEVEL` and `ATTEMPT`: one row for each level reached, by attempt and level.

    Levels whose last action is excluded are left out unless the scope has them.
    """
    frame = CACHE.levels(attempts)
    if scope.with_excluded:
        return frame
    return frame.filter(pl.col("excluded_from").is_null() | (pl.col("last_seq") < pl.col("excluded_from")))


def completions(attempts: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    """`levels` that were completed, of interactive environments: what human baselines are made of.

    A static task has none: a person who solves it with fewer edits has not solved it better.
    """
    return levels(attempts.filter(~IS_TASK), scope).filter("completed")


def with_exclusions(attempts: pl.DataFrame, excluded: Exclusions) -> pl.DataFrame:
    """The attempts with these exclusions, in place of those they have.

    An exclusion of the whole session comes before one of the attempt.
    """
    attempts = attempts.select(*ATTEMPT_BASE)
    of_session = _table("session", excluded.sessions)
    of_attempt = _table("attempt", excluded.attempts)
    found = attempts.join(of_session, on="session", how="left", maintain_order="left").join(
        of_attempt, on="attempt", how="left", maintain_order="left", suffix="_of_attempt"
    )
    whole = pl.col("excluded_from").is_not_null()
    return found.select(
        *ATTEMPT_BASE,
        *(
            pl.when(whole).then(name).otherwise(f"{name}_of_attempt").alias(name)
            for name in ("excluded_from", "why_excluded")
        ),
    )


def _table(key: str, excluded: Mapping[int, Exclusion]) -> pl.DataFrame:
    rows = [(pk, exclusion.from_seq, exclusion.why) for pk, exclusion in excluded.items()]
    schema = {key: pl.Int64, "excluded_from": pl.Int64, "why_excluded": pl.String}
    return pl.DataFrame(rows, schema, orient="row")
