"""What was played of one version in a scope: the frames from which every figure of its page is made."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import polars as pl

from playtest.insight.links import Links
from playtest.insight.results import tables
from playtest.insight.scope import Scope
from playtest.rules.attempt import LEFT_AT_ONCE, LOST, Outcome
from playtest.rules.protocol import DEFAULT
from playtest.studio.models import Version

OPEN = "open"
"""The fate of a level somebody is on at this moment."""
FATES = (
    Outcome.COMPLETED, Outcome.GAVE_UP, Outcome.CONCLUDED, Outcome.TIMED_OUT, LEFT_AT_ONCE,
    Outcome.SESSION_OVER, Outcome.FAULT, OPEN,
)  # fmt: skip
"""What can become of a level somebody reached, in the order in which they are told."""
LEFT = (Outcome.GAVE_UP, Outcome.CONCLUDED)
"""Left of their own will."""
FATE_WORDS = {
    Outcome.COMPLETED: "completed",
    Outcome.GAVE_UP: "gave up",
    Outcome.CONCLUDED: "concluded",
    Outcome.TIMED_OUT: "timed out",
    LEFT_AT_ONCE: "left at once",
    Outcome.SESSION_OVER: "session over",
    Outcome.FAULT: "environment fault",
    OPEN: "still playing",
}


@dataclass(frozen=True)
class Played:
    """`attempts` is ATTEMPT, `levels` is LEVEL beside it with `fate`, one of FATES (`results.tables`).

    Attempts reviewers left out as a whole are in neither; of those left out from a moment on the levels
    before it are there, unless the scope has exclusions in. `excluded` counts the former, whether in or out.
    """

    version: Version
    scope: Scope
    attempts: pl.DataFrame
    levels: pl.DataFrame
    may_watch: bool = True
    excluded: int = 0
    links: Links = field(init=False)
    found: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "links", Links(self.scope, self.version, self.may_watch))

    @property
    def people(self) -> int:
        return self.attempts.height

    @property
    def excluded_from_a_moment(self) -> int:
        return self.attempts.filter(pl.col("excluded_from") > 0).height


def kept[T](find: Callable[[Played], T]) -> Callable[[Played], T]:
    """What many figures of a page need is found once for each Played."""
    name = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def once(played: Played) -> T:
        if name not in played.found:
            played.found[name] = find(played)
        found: T = played.found[name]
        return found

    return once


def played(version: Version, scope: Scope, *, may_watch: bool = True) -> Played:
    """As the journal stands now. Attempts at other versions of the environment are in nothing of it."""
    everyone = tables.attempts(Scope(scope.study, with_excluded=True), [version.environment]).filter(
        pl.col("version") == version.pk
    )
    kept = everyone.filter(pl.col("excluded_from").ne_missing(0))
    attempts = everyone if scope.with_excluded else kept
    levels = with_fates(tables.levels(attempts, scope))
    return Played(version, scope, attempts, levels, may_watch, everyone.height - kept.height)


def with_fates(levels: pl.DataFrame) -> pl.DataFrame:
    """LEVEL with `fate`: what became of the level, of the attempt's outcome where it was not completed.

    Who was lost in too few actions for an attempt left at once (`AttemptRule.left_at_once`).
    """
    too_few = pl.col("attempt_actions") <= DEFAULT.attempt.minimum_actions
    ended = (
        pl.when(pl.col("outcome") == "")
        .then(pl.lit(OPEN))
        .when(pl.col("outcome").is_in(list(LOST)) & too_few)
        .then(pl.lit(LEFT_AT_ONCE))
        .otherwise(pl.col("outcome"))
    )
    completed = pl.lit(Outcome.COMPLETED.value)
    return levels.with_columns(pl.when(pl.col("completed")).then(completed).otherwise(ended).alias("fate"))
