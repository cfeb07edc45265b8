"""Attempts and level results as tables, kept in this process from one question to the next.

The database says which of them are old: an attempt's summary has another stamp whenever its results were
written, and an attempt that has ended changes no more. So a question costs one query and what is new.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from threading import Lock
from typing import Any, get_type_hints

import polars as pl
from django.db.models import QuerySet

from playtest.insight.models import LevelResult
from playtest.people.models import Withdrawal
from playtest.play.models import Attempt
from playtest.rules import results as rule
from playtest.rules.attempt import Outcome
from playtest.rules.protocol import DEFAULT

type Schema = Mapping[str, Any]
type Row = tuple[Any, ...]

_TIME = pl.Datetime("us", "UTC")

BEGUN: Schema = {
    "attempt": pl.Int64,
    "session": pl.Int64,
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
    "counted": pl.Boolean,
}
"""What `results.ATTEMPT` says of an attempt itself."""

_TYPES = {int: pl.Int64, int | None: pl.Int64, float: pl.Float64, bool: pl.Boolean}
LEVEL: Schema = {"attempt": pl.Int64} | {
    name: _TYPES[kind] for name, kind in get_type_hints(rule.LevelResult).items() if kind in _TYPES
}
"""The numbers of `rules.results.LevelResult`, without its times."""

_STAMP: Schema = {"attempt": pl.Int64, "stamp": pl.Int64}
_WANTED: Schema = {**_STAMP, "outcome": pl.String}
_OPEN = pl.col("outcome") == ""
_FEW = 1_000


class Kept:
    """The tables `BEGUN` and `LEVEL` of every attempt anybody asked for in this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._withdrawals = 0
        self._stamps = pl.DataFrame(schema=_STAMP)
        self._begun = pl.DataFrame(schema=BEGUN)
        self._levels = pl.DataFrame(schema=LEVEL)

    def begun(self, attempts: QuerySet[Attempt]) -> pl.DataFrame:
        """`BEGUN` of these attempts, by attempt, as their level results stand."""
        wanted = _wanted(attempts)
        with self._lock:
            self._forget_withdrawn()
            known = wanted.filter(~_OPEN).join(self._stamps, on=["attempt", "stamp"])
            old = wanted.join(known, on="attempt", how="anti")
            if not old.is_empty():
                self._read(old, _among(attempts, old))
            return wanted.select("attempt").join(self._begun, on="attempt", maintain_order="left")

    def levels(self, attempts: pl.DataFrame) -> pl.DataFrame:
        """`LEVEL` beside the columns of a table that came from `begun`, by attempt and level."""
        with self._lock:
            levels = self._levels
        return levels.join(attempts, on="attempt").sort("attempt", "level")

    def _read(self, old: pl.DataFrame, attempts: QuerySet[Attempt]) -> None:
        """Take the rows of `old` anew; `attempts` has them all, and perhaps others."""

        def replaced(table: pl.DataFrame, rows: Iterable[Row]) -> pl.DataFrame:
            columns = list(zip(*rows, strict=True)) or [()] * table.width
            read = pl.DataFrame(dict(zip(table.columns, columns, strict=True)), table.schema)
            kept = table.join(old, on="attempt", how="anti")
            return pl.concat([kept, read.join(old, on="attempt", how="semi")])

        self._begun = replaced(self._begun, _begun(attempts))
        self._levels = replaced(self._levels, _levels(attempts))
        self._stamps = replaced(self._stamps, old.select("attempt", "stamp").iter_rows())

    def _forget_withdrawn(self) -> None:
        withdrawals = Withdrawal.objects.count()
        if withdrawals != self._withdrawals:
            there = pl.DataFrame(
                {"attempt": list(Attempt.objects.values_list("pk", flat=True))}, {"attempt": pl.Int64}
            )
            self._begun, self._levels, self._stamps = (
                table.join(there, on="attempt", how="semi")
                for table in (self._begun, self._levels, self._stamps)
            )
            self._withdrawals = withdrawals


KEPT = Kept()


def _wanted(attempts: QuerySet[Attempt]) -> pl.DataFrame:
    rows = attempts.order_by("pk").values_list("pk", "summary__stamp", "outcome")
    return pl.DataFrame(list(rows), _WANTED, orient="row")


def _among(attempts: QuerySet[Attempt], some: pl.DataFrame) -> QuerySet[Attempt]:
    """Some of the attempts; all of them, if naming them would take longer."""
    ids = some["attempt"].to_list()
    return Attempt.objects.filter(pk__in=ids) if len(ids) <= _FEW else attempts


def _begun(attempts: QuerySet[Attempt]) -> Iterator[Row]:
    still_played = _still_played(attempts)
    rows = attempts.values_list(
        "pk", "session", "participant__label", "environment__code", "version", "version__levels",
        "outcome", "levels_completed", "first_frame_at", "last_action_at", "summary__through_seq",
    )  # fmt: skip
    for pk, *facts, outcome, completed, began, last, actions in rows:
        if not outcome:
            completed, last = still_played.get(pk, (0, None))
        seconds = (last - began).total_seconds() if began and last else 0.0
        counted = outcome not in ("", Outcome.FAULT) and DEFAULT.attempt.counts(actions or 0, seconds)
        yield pk, *facts, outcome, completed, began, last, actions or 0, seconds, counted


def _still_played(attempts: QuerySet[Attempt]) -> dict[int, tuple[int, datetime | None]]:
    """Levels completed and the last action of attempts under way, which have no summary of their own yet."""
    open_ones = attempts.filter(ended_at__isnull=True).values("pk")
    rows = LevelResult.objects.filter(attempt__in=open_ones).order_by("level")
    return {
        attempt: (level - (not completed), last if seq else None)
        for attempt, level, completed, last, seq in rows.values_list(
            "attempt", "level", "completed", "last_at", "last_seq"
        )
    }


def _levels(attempts: QuerySet[Attempt]) -> Iterable[Row]:
    names = ["attempt_id", *list(LEVEL)[1:]]
    return LevelResult.objects.filter(attempt__in=attempts.values("pk")).values_list(*names)
