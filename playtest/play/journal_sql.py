"""How rows enter the two logs: one statement for a whole group, on SQLite and on PostgreSQL.

An entry enters only while its attempt is open, its session (a run has none) is not paused and its seq is
free; all are decided by the database in the same statement, so that two processes, or an action and the end
of its attempt, cannot both win. The triggers of `play.append_only` enforce the same for programs that do not
use this module.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from playtest.play.models import Entry

type Row = tuple[Any, ...]

_ROWS_A_STATEMENT = 500  # times 19 columns stays below SQLite's 32,766 parameters


def insert_entries(
    connection: BaseDatabaseWrapper, columns: Sequence[str], rows: Sequence[Row]
) -> set[tuple[int, int] | None]:
    """Insert in the running transaction; return the (attempt_id, seq) that really entered.

    Where the same key comes twice, the first row has it.
    """
    rows = _first_of_each(columns, rows)
    appended: set[tuple[int, int] | None] = set()
    for start in range(0, len(rows), _ROWS_A_STATEMENT):
        part = rows[start : start + _ROWS_A_STATEMENT]
        waiting, parameters, locking, conflict = (
            _arrays(columns, part) if connection.vendor == "postgresql" else _values(columns, part)
        )
        names = ", ".join(columns)
        with connection.cursor() as cursor:
            cursor.execute(
                f"WITH waiting ({names}) AS ({waiting}), running AS ("
                "SELECT id FROM play_session WHERE paused_at IS NULL AND id IN ("
                "SELECT session_id FROM play_attempt WHERE id IN (SELECT attempt_id FROM waiting))"
                f" ORDER BY id {locking}), open AS ("
                "SELECT id FROM play_attempt WHERE ended_at IS NULL"
                " AND id IN (SELECT attempt_id FROM waiting)"
                f" AND (session_id IS NULL OR session_id IN (SELECT id FROM running)) {locking}) "
                f"INSERT INTO play_entry ({names}) SELECT {names} FROM waiting"
                f" WHERE attempt_id IN (SELECT id FROM open) {conflict} RETURNING attempt_id, seq",
                parameters,
            )
            appended.update((attempt_id, seq) for attempt_id, seq in cursor.fetchall())
    return appended


def insert_events(connection: BaseDatabaseWrapper, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Insert in the running transaction; an event of a session deleted by a withdrawal is left out."""
    if not rows:
        return
    session = columns.index("session_id")
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO play_event ({', '.join(columns)}) SELECT {', '.join(['%s'] * len(columns))}"
            " WHERE %s OR EXISTS (SELECT 1 FROM play_session WHERE id = %s)",
            [(*_adapted(connection.vendor, row), row[session] is None, row[session]) for row in rows],
        )


def _first_of_each(columns: Sequence[str], rows: Sequence[Row]) -> list[Row]:
    attempt, seq = columns.index("attempt_id"), columns.index("seq")
    first: dict[tuple[int, int], Row] = {}
    for row in rows:
        first.setdefault((row[attempt], row[seq]), row)
    return list(first.values())


def _arrays(columns: Sequence[str], rows: Sequence[Row]) -> tuple[str, list[Any], str, str]:
    """PostgreSQL: one array a column. FOR SHARE makes an entry and the end of its attempt, or a
    pause of its session, take turns.
    """
    types = _entry_types()
    casts = ", ".join(f"%s::{types[name]}[]" for name in columns)
    waiting = f"SELECT * FROM unnest({casts})"
    parameters = [list(column) for column in zip(*rows, strict=True)]
    return waiting, parameters, "FOR SHARE", "ON CONFLICT (attempt_id, seq) DO NOTHING"


@cache
def _entry_types() -> dict[str, str]:
    """Each column's type, without a length: a cast to varchar(12) would truncate instead of failing."""
    columns = Entry._meta.concrete_fields
    return {column.attname: (column.db_type(connection) or "").partition("(")[0] for column in columns}


def _values(columns: Sequence[str], rows: Sequence[Row]) -> tuple[str, list[Any], str, str]:
    """SQLite: a taken seq is left out here, because the trigger against REPLACE fires before ON CONFLICT."""
    one = "(" + ", ".join(["%s"] * len(columns)) + ")"
    parameters = [value for row in rows for value in _adapted("sqlite", row)]
    free = (
        "AND NOT EXISTS (SELECT 1 FROM play_entry"
        " WHERE play_entry.attempt_id = waiting.attempt_id AND play_entry.seq = waiting.seq)"
    )
    return "VALUES " + ", ".join([one] * len(rows)), parameters, "", free


def _adapted(vendor: str, row: Row) -> Row:
    """SQLite keeps times as Django's own text form: UTC without an offset."""
    if vendor == "postgresql":
        return row
    return tuple(str(value.replace(tzinfo=None)) if isinstance(value, datetime) else value for value in row)
