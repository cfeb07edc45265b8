"""How rows enter the two logs: one statement for a whole group, on SQLite and on PostgreSQL.

An entry enters only while its attempt is open (not set aside), its session (a run has none) is not paused
and its seq is free; all are decided by the database in the same statement, so that two processes, or an
action and the end of its attempt, cannot both win. The triggers of `play.journal.triggers` enforce the same
for programs that do not use this module.

Entries are the way of every action: they go to the driver's own connection, with a statement that it has
prepared, and a group of entries alone is one statement that commits itself.
"""

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from django.db import OperationalError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from playtest.people.record.links import link_rows
from playtest.play.journal.entries import NewEntry
from playtest.play.models import Entry, Event

ENTRY_COLUMNS = NewEntry._fields
EVENT_COLUMNS = tuple(column.attname for column in Event._meta.concrete_fields if not column.primary_key)

_ROWS_A_STATEMENT = 500  # times 20 columns stays below SQLite's 32,766 parameters


_LOOKS_AGAIN_SECONDS = 0.0005


def once_free[T](connection: BaseDatabaseWrapper, write: Callable[[], T]) -> T:
    """What `write`, one transaction, returns, as soon as no other thread or program writes.

    SQLite itself looks again after pauses of 1, 2, 5, 10 ms and longer, and people wait for each of them.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return write()
    connection.ensure_connection()
    driver, timeout = connection.connection, connection.settings_dict["OPTIONS"]["timeout"]
    until = time.monotonic() + timeout
    driver.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                return write()
            except OperationalError as error:
                if not _another_writes(error) or time.monotonic() >= until:
                    raise
            time.sleep(_LOOKS_AGAIN_SECONDS)
    finally:
        if connection.connection is driver:
            driver.execute(f"PRAGMA busy_timeout = {1000 * timeout}")


def _another_writes(error: OperationalError) -> bool:
    cause = error.__cause__
    return isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


def transaction_for(
    connection: BaseDatabaseWrapper, entries: int, *, alone: bool
) -> AbstractContextManager[Any]:
    """The transaction of a group; none for entries `alone`, if they fit in one statement."""
    if alone and entries <= _ROWS_A_STATEMENT and not connection.in_atomic_block:
        return nullcontext()
    return transaction.atomic()


def insert_entries(
    connection: BaseDatabaseWrapper, entries: Sequence[NewEntry]
) -> set[tuple[int, int] | None]:
    """Insert in the running transaction; return the (attempt_id, seq) that really entered.

    Where the same key comes twice, the first row has it. TypeError: frames that are not bytes.
    """
    first: dict[tuple[int, int], NewEntry] = {}
    for entry in entries:
        if type(entry.frames) is not bytes:  # SQLite would store text as it is
            raise TypeError("the frames of an entry are bytes")
        first.setdefault((entry.attempt_id, entry.seq), entry)
    rows = list(first.values())
    appended: set[tuple[int, int] | None] = set()
    for start in range(0, len(rows), _ROWS_A_STATEMENT):
        appended.update(_insert(connection, rows[start : start + _ROWS_A_STATEMENT]))
    return appended


def insert_events(connection: BaseDatabaseWrapper, events: Sequence[Event]) -> None:
    """Insert in the running transaction; an event of a session deleted by a withdrawal is left out."""
    if not events:
        return
    rows: list[int] = []
    with connection.cursor() as cursor:
        for event in events:
            details = {"details": json.dumps(event.details)}
            row = [details.get(name, getattr(event, name)) for name in EVENT_COLUMNS]
            values = _adapted(connection.vendor, row)
            cursor.execute(
                f"INSERT INTO play_event ({', '.join(EVENT_COLUMNS)})"
                f" SELECT {', '.join(['%s'] * len(EVENT_COLUMNS))}"
                " WHERE %s OR EXISTS (SELECT 1 FROM play_session WHERE id = %s) RETURNING id",
                (*values, event.session_id is None, event.session_id),
            )
            rows += [row for (row,) in cursor.fetchall()]
    link_rows(Event, rows)


def _insert(connection: BaseDatabaseWrapper, rows: Sequence[NewEntry]) -> list[tuple[int, int]]:
    connection.ensure_connection()
    with connection.wrap_database_errors:
        if connection.vendor == "postgresql":
            arrays = [list(column) for column in zip(*rows, strict=True)]
            cursor = connection.connection.execute(_on_postgresql(), arrays, prepare=True)
        else:
            values = [value for row in rows for value in _adapted("sqlite", row)]
            cursor = connection.connection.execute(_on_sqlite(len(rows)), values)
        found: list[tuple[int, int]] = cursor.fetchall()
    return found


@cache
def _on_postgresql() -> str:
    """One array a column. FOR SHARE makes an entry and the end of its attempt, or a pause of its session,
    take turns. The types have no length: a cast to varchar(12) would truncate instead of failing.
    """
    types = {
        column.attname: (column.db_type(connection) or "").partition("(")[0]
        for column in Entry._meta.concrete_fields
    }
    casts = ", ".join(f"%s::{types[name]}[]" for name in ENTRY_COLUMNS)
    conflict = "ON CONFLICT (attempt_id, seq) DO NOTHING"
    return _statement(f"SELECT * FROM unnest({casts})", "FOR SHARE", conflict)


@lru_cache(maxsize=64)
def _on_sqlite(count: int) -> str:
    """A taken seq is left out here, because the trigger against REPLACE fires before ON CONFLICT."""
    one = "(" + ", ".join("?" * len(ENTRY_COLUMNS)) + ")"
    free = (
        "AND NOT EXISTS (SELECT 1 FROM play_entry"
        " WHERE play_entry.attempt_id = waiting.attempt_id AND play_entry.seq = waiting.seq)"
    )
    return _statement("VALUES " + ", ".join([one] * count), "", free)


def _statement(waiting: str, locking: str, conflict: str) -> str:
    names = ", ".join(ENTRY_COLUMNS)
    return (
        f"WITH waiting ({names}) AS ({waiting}), running AS ("
        "SELECT id FROM play_session WHERE paused_at IS NULL AND id IN ("
        "SELECT session_id FROM play_attempt WHERE id IN (SELECT attempt_id FROM waiting))"
        f" ORDER BY id {locking}), open AS ("
        "SELECT id FROM play_attempt WHERE ended_at IS NULL AND set_aside_at IS NULL"
        " AND id IN (SELECT attempt_id FROM waiting)"
        f" AND (session_id IS NULL OR session_id IN (SELECT id FROM running)) {locking}) "
        f"INSERT INTO play_entry ({names}) SELECT {names} FROM waiting"
        f" WHERE attempt_id IN (SELECT id FROM open) {conflict} RETURNING attempt_id, seq"
    )


def _adapted(vendor: str, row: Iterable[Any]) -> Iterable[Any]:
    """SQLite keeps times as Django's own text form: UTC without an offset."""
    if vendor == "postgresql":
        return row
    return [str(value.replace(tzinfo=None)) if type(value) is datetime else value for value in row]
