"""Attempts and their level results as tables, as `compute.results` has stored them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from threading import Lock
from typing import Any, get_type_hints

import polars as pl
from django.db.models import QuerySet

from playtest.insight.models import LevelResult
from playtest.insight.scope import Scope
from playtest.people.models import Withdrawal
from playtest.people.participants import linked_records, names_of_persons
from playtest.play.models import Attempt
from playtest.play.sessions.adjustments import adjustments_of_attempts
from playtest.review.queries.exclusions import Exclusion, Exclusions, exclusions
from playtest.review.queries.queue import under_review
from playtest.rules import results as rule
from playtest.rules.attempt import CUT_SHORT, AttemptRule, Outcome
from playtest.rules.tasks.success import TaskRule
from playtest.studio.models import Environment

type Schema = Mapping[str, Any]
type Row = tuple[Any, ...]

_TIME = pl.Datetime("us", "UTC")

ATTEMPT_BASE: Schema = {
    "attempt": pl.Int64,
    "session": pl.Int64,
    "protocol": pl.Int64,
    "more_than_actions": pl.Int64,
    "less_than_seconds": pl.Int64,
    "granted_seconds": pl.Float64,
    "view_seconds": pl.Int64,
    "participant": pl.String,
    "environment": pl.String,
    "version": pl.Int64,
    "levels": pl.Int64,
    "outcome": pl.String,
    "levels_completed": pl.Int64,
    "first_frame_at": _TIME,
    "last_action_at": _TIME,
    "attempt_actions": pl.Int64,
    "attempt_seconds": pl.Float64,
    "enough": pl.Boolean,
    "counted": pl.Boolean,
}
"""The columns of `tables.ATTEMPT` that do not depend on decisions of reviewers."""

_TYPES = {int: pl.Int64, int | None: pl.Int64, float: pl.Float64, bool: pl.Boolean}
LEVEL: Schema = {"attempt": pl.Int64} | {
    name: _TYPES[kind] for name, kind in get_type_hints(rule.LevelResult).items() if kind in _TYPES
}
"""The numbers of `rules.results.LevelResult`, without its times. In `levels` undo is as the scope has it."""

_SECONDS = ("seconds", "active_seconds")
"""Null where a recording from elsewhere has no times, as is `attempt_seconds`."""

_STAMP: Schema = {"attempt": pl.Int64, "stamp": pl.Int64}
_OPEN = pl.col("outcome") == ""
_MOST_IDS = 1_000
"""With more ids than this a condition on them takes longer than reading all attempts of the query."""


class ResultsCache:
    """`ATTEMPT_BASE` and `LEVEL` of every attempt that was asked for in this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._withdrawals = 0
        self._stamps = pl.DataFrame(schema=_STAMP)
        self._attempts = pl.DataFrame(schema=ATTEMPT_BASE)
        self._levels = pl.DataFrame(schema=LEVEL)

    def attempts(self, attempts: QuerySet[Attempt]) -> pl.DataFrame:
        """`ATTEMPT_BASE` of these attempts, by attempt, as level results are stored now."""
        current = _stamps(attempts)
        with self._lock:
            self._remove_withdrawn()
            known = current.filter(~_OPEN).join(self._stamps, on=["attempt", "stamp"])
            outdated = current.join(known, on="attempt", how="anti")
            if not outdated.is_empty():
                self._read(outdated, _restricted(attempts, outdated))
            return current.select("attempt").join(self._attempts, on="attempt", maintain_order="left")

    def levels(self, attempts: pl.DataFrame) -> pl.DataFrame:
        """`LEVEL` beside the columns of a table that came from `attempts`, by attempt and level."""
        with self._lock:
            levels = self._levels
        return levels.join(attempts, on="attempt").sort("attempt", "level")

    def _read(self, outdated: pl.DataFrame, attempts: QuerySet[Attempt]) -> None:
        """Replaces the rows of `outdated`; `attempts` has all of them, and perhaps others."""

        def replaced(table: pl.DataFrame, rows: Iterable[Row]) -> pl.DataFrame:
            columns = list(zip(*rows, strict=True)) or [()] * table.width
            new = pl.DataFrame(dict(zip(table.columns, columns, strict=True)), table.schema)
            valid = table.join(outdated, on="attempt", how="anti")
            return pl.concat([valid, new.join(outdated, on="attempt", how="semi")])

        self._attempts = replaced(self._attempts, _attempt_rows(attempts))
        self._levels = replaced(self._levels, _level_rows(attempts))
        ended = outdated.filter(~_OPEN)  # an end alone gives no new stamp
        self._stamps = replaced(self._stamps, ended.select("attempt", "stamp").iter_rows())

    def _remove_withdrawn(self) -> None:
        withdrawals = Withdrawal.objects.count()
        if withdrawals != self._withdrawals:
            ids = list(Attempt.objects.values_list("pk", flat=True))
            stored = pl.DataFrame({"attempt": ids}, {"attempt": pl.Int64})
            self._attempts, self._levels, self._stamps = (
                table.join(stored, on="attempt", how="semi")
                for table in (self._attempts, self._levels, self._stamps)
            )
            self._withdrawals = withdrawals


CACHE = ResultsCache()


def _stamps(attempts: QuerySet[Attempt]) -> pl.DataFrame:
    rows = attempts.order_by("pk").values_list("pk", "summary__stamp", "outcome")
    return pl.DataFrame(list(rows), {**_STAMP, "outcome": pl.String}, orient="row")


def _restricted(attempts: QuerySet[Attempt], some: pl.DataFrame) -> QuerySet[Attempt]:
    """The attempts of `some`; all of them, if naming them would take longer."""
    ids = some["attempt"].to_list()
    return Attempt.objects.filter(pk__in=ids) if len(ids) <= _MOST_IDS else attempts


def _attempt_rows(attempts: QuerySet[Attempt]) -> Iterator[Row]:
    progress = _open_progress(attempts)
    adjusted = adjustments_of_attempts(attempts.filter(ended_at__isnull=True))
    rows = attempts.values_list(
        "pk", "session", "session__protocol", "session__protocol__more_than_actions",
        "session__protocol__less_than_seconds", "session__protocol__view_seconds", "participant__label",
        "environment__code", "version", "version__levels", "outcome", "levels_completed", "first_frame_at",
        "last_action_at", "paused", "granted", "summary__through_seq", "outside__timed", "environment__kind",
    )  # fmt: skip
    for (
        pk, session, protocol, minimum, maximum, view, *facts, outcome, completed, began, last, paused,
        granted, actions, timed, kind,
    ) in rows:  # fmt: skip
        if not outcome:
            completed, last = progress.get(pk, (0, None))
            if pk in adjusted and began and last:
                paused = adjusted[pk].stopped(began, last)
        seconds = (last - began - paused).total_seconds() if began and last else 0.0
        if kind.has_levels:
            rule_of_it, view = AttemptRule(minimum, maximum), None
            enough = rule_of_it.enough(actions or 0)
            counting = rule_of_it.counts(actions or 0, seconds, granted.total_seconds())
        else:
            enough = counting = TaskRule(view_seconds=view).counts(seconds)
        counted = outcome not in ("", Outcome.FAULT) and counting
        yield (
            pk, session, protocol, minimum, maximum, granted.total_seconds(), view, *facts, outcome,
            completed, began, last, actions or 0, None if timed is False else seconds, enough, counted,
        )  # fmt: skip


def _open_progress(attempts: QuerySet[Attempt]) -> dict[int, tuple[int, datetime | None]]:
    """Levels completed and the last action of open attempts, whose rows lack them."""
    open_ones = attempts.filter(ended_at__isnull=True).values("pk")
    rows = LevelResult.objects.filter(attempt__in=open_ones).order_by("level")
    found: dict[int, tuple[int, datetime | None]] = {}
    for attempt, level, completed, last, seq, kind in rows.values_list(
        "attempt", "level", "completed", "last_at", "last_seq", "attempt__environment__kind"
    ):
        solved, latest = found.get(attempt, (0, None))
        if kind.has_levels:
            found[attempt] = (level - (not completed), last if seq else None)
        else:  # its inputs are solved in any order
            found[attempt] = (solved + completed, max(filter(None, (latest, last))))
    return found


def _level_rows(attempts: QuerySet[Attempt]) -> Iterator[Row]:
    names = list(LEVEL)[1:]
    found = LevelResult.objects.filter(attempt__in=attempts.values("pk"))
    for attempt, timed, *facts in found.values_list("attempt_id", "attempt__outside__timed", *names):
        if timed is False:
            facts = [None if name in _SECONDS else fact for name, fact in zip(names, facts, strict=True)]
        yield attempt, *facts


ATTEMPT: Schema = {
    **ATTEMPT_BASE,
    "excluded_from": pl.Int64,
    "why_excluded": pl.String,
    "under_review": pl.Boolean,
}
"""Columns of `attempts`: one row an attempt that showed a frame.

`participant` is the pseudonym of the person's first record, `version` an id, `levels` the number of levels of
that version, `outcome` a `rules.attempt.Outcome` or "" while open, `attempt_seconds` the interaction.
`protocol` is the id of the protocol version that the session follows; `more_than_actions` and
`less_than_seconds` are its rule, which `granted_seconds` are added to; of static tasks `view_seconds`, null
for other environments. By that rule, `enough` says that it is long enough for an attempt, and `counted` that
it counts, false while open.
`excluded_from` is the first excluded action (0: the whole attempt) or null. `under_review`: its session waits
for a decision because of its flags, and counts until then.
"""

IS_TASK = pl.col("view_seconds").is_not_null()
"""Of ATTEMPT rows whether they are at static tasks."""
IS_CUT_SHORT = pl.col("outcome").is_in(list(CUT_SHORT))
"""Whether the session's end cut them short: they neither solved nor failed, and are in no rate."""
IS_UNDECIDED = IS_CUT_SHORT & ~(IS_TASK & (pl.col("levels_completed") > 0))
"""As `play.sessions.quota.UNDECIDED`."""
IS_SOLVED = pl.col("outcome") == Outcome.COMPLETED.value


def is_whole(scope: Scope) -> pl.Expr:
    """Of ATTEMPT rows whether nothing of them is excluded, as far as the scope leaves anything out."""
    return pl.lit(scope.with_excluded) | pl.col("excluded_from").is_null()


def attempts(scope: Scope, environments: Collection[Environment] | None = None) -> pl.DataFrame:
    """`ATTEMPT` of the scope's attempts, in the order in which they were begun.

    Wholly excluded attempts are left out unless the scope has them.
    """
    found = scope.attempts
    if environments is not None:
        found = found.filter(environment__in=environments)
    return in_scope(attempts_of(found), scope)


def in_scope(attempts: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    """The ATTEMPT rows without those that the scope leaves out: excluded as a whole, or under review."""
    excluded = pl.lit(not scope.with_excluded) & pl.col("excluded_from").eq_missing(0)
    return attempts.filter(~excluded, ~(pl.lit(scope.without_review) & pl.col("under_review")))


def attempts_of(found: QuerySet[Attempt]) -> pl.DataFrame:
    """`ATTEMPT` of these attempts, which showed a frame; also of excluded ones."""
    linked = linked_records()
    frame = with_exclusions(CACHE.attempts(found), exclusions(linked)).with_columns(
        pl.col("session").is_in(list(under_review())).alias("under_review")
    )
    if names := names_of_persons(linked):
        frame = frame.with_columns(pl.col("participant").replace(names))
    return frame


def levels(attempts: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    """`LEVEL` and `ATTEMPT`: one row for each level reached, by attempt and level.

    Levels whose last action is excluded are left out unless the scope has them.
    """
    frame = _counting(CACHE.levels(attempts), undo_counts=scope.undo_counts)
    return frame.filter(is_whole(scope) | (pl.col("last_seq") < pl.col("excluded_from")))


def _counting(levels: pl.DataFrame, *, undo_counts: bool) -> pl.DataFrame:
    """With the actions that count; what completed a level is one of them, even an undo."""
    if undo_counts:
        return levels
    pairs = ("actions", "undos"), ("actions_since_reset", "undos_since_reset")
    counted = (
        rule.counted_actions(pl.col(all_of_them), pl.col(undone), undo_counts=False).alias(all_of_them)
        for all_of_them, undone in pairs
    )
    at_least = pl.col("completed").cast(pl.Int64)
    return levels.with_columns(counted).with_columns(pl.max_horizontal("actions", at_least).alias("actions"))


def completions(attempts: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    """`levels` that were completed, of interactive environments: what human baselines are made of.

    A static task has none: a person who solves it with fewer edits has not solved it better.
    """
    return levels(attempts.filter(~IS_TASK), scope).filter("completed")


def with_exclusions(attempts: pl.DataFrame, excluded: Exclusions) -> pl.DataFrame:
    """The attempts with these exclusions, in place of those they have.

    An exclusion of the whole session comes before one of the attempt.
    """
    return with_each_exclusions(attempts, {"": excluded}).drop("reading")


def with_each_exclusions(attempts: pl.DataFrame, readings: Mapping[str, Exclusions]) -> pl.DataFrame:
    """The same under each of several exclusions, one reading below the other, with its name as `reading`."""
    names = pl.DataFrame({"reading": list(readings)}, {"reading": pl.String})
    of_session = _table("session", {name: one.sessions for name, one in readings.items()})
    of_attempt = _table("attempt", {name: one.attempts for name, one in readings.items()})
    found = (
        names.join(attempts.select(*ATTEMPT_BASE), how="cross", maintain_order="left_right")
        .join(of_session, on=["reading", "session"], how="left", maintain_order="left")
        .join(
            of_attempt,
            on=["reading", "attempt"],
            how="left",
            maintain_order="left",
            suffix="_of_attempt",
        )
    )
    whole = pl.col("excluded_from").is_not_null()
    return found.select(
        "reading",
        *ATTEMPT_BASE,
        *(
            pl.when(whole).then(name).otherwise(f"{name}_of_attempt").alias(name)
            for name in ("excluded_from", "why_excluded")
        ),
    )


def _table(key: str, readings: Mapping[str, Mapping[int, Exclusion]]) -> pl.DataFrame:
    rows = [
        (reading, pk, exclusion.from_seq, exclusion.why)
        for reading, excluded in readings.items()
        for pk, exclusion in excluded.items()
    ]
    schema = {"reading": pl.String, key: pl.Int64, "excluded_from": pl.Int64, "why_excluded": pl.String}
    return pl.DataFrame(rows, schema, orient="row")
