"""How rows enter the two logs: one statement for a whole group, on SQLite and on PostgreSQL.

An entry enters only while its attempt is open and its seq is free; both are decided by the database in the
same statement, so that two processes, or an action and the end of its attempt, cannot both win.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

type Row = tuple[Any, ...]

_ENTRY_TYPES = {
    "attempt_id": "bigint",
    "seq": "integer",
    "action": "smallint",
    "x": "smallint",
    "y": "smallint",
    "level": "smallint",
    "levels_completed": "smallint",
    "level_completed": "boolean",
    "state": "text",
    "available": "smallint",
    "changed": "boolean",
    "state_hash": "bytea",
    "frame_count": "smallint",
    "frames": "bytea",
    "input_kind": "smallint",
    "server_time": "timestamptz",
    "client_time": "timestamptz",
    "previous_paint_ms": "integer",
}
_ROWS_A_STATEMENT = 500  # times 18 columns stays below SQLite's 32,766 parameters


def insert_entries(
    connection: BaseDatabaseWrapper, columns: Sequence[str], rows: Sequence[Row]
) -> set[tuple[int, int] | None]:
    """Insert in the running transaction; return the (attempt_id, seq) that really entered."""
    appended: set[tuple[int, int] | None] = set()
    for start in range(0, len(rows), _ROWS_A_STATEMENT):
        part = rows[start : start + _ROWS_A_STATEMENT]
        waiting, parameters, locking = (
            _arrays(columns, part) if connection.vendor == "postgresql" else _values(columns, part)
        )
        names = ", ".join(columns)
        with connection.cursor() as cursor:
            cursor.execute(
                f"WITH waiting ({names}) AS ({waiting}), open AS ("
                f"SELECT id FROM play_attempt WHERE ended_at IS NULL"
                f" AND id IN (SELECT attempt_id FROM waiting) {locking}) "
                f"INSERT INTO play_entry ({names}) SELECT {names} FROM waiting"
                " WHERE attempt_id IN (SELECT id FROM open)"
                " ON CONFLICT (attempt_id, seq) DO NOTHING RETURNING attempt_id, seq",
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
            " WHERE EXISTS (SELECT 1 FROM play_session WHERE id = %s)",
            [(*_adapted(connection.vendor, row), row[session]) for row in rows],
        )


def _arrays(columns: Sequence[str], rows: Sequence[Row]) -> tuple[str, list[Any], str]:
    """PostgreSQL: one array a column. FOR SHARE makes the end of an attempt and its last entry take turns."""
    casts = ", ".join(f"%s::{_ENTRY_TYPES[name]}[]" for name in columns)
    return f"SELECT * FROM unnest({casts})", [list(column) for column in zip(*rows, strict=True)], "FOR SHARE"


def _values(columns: Sequence[str], rows: Sequence[Row]) -> tuple[str, list[Any], str]:
    one = "(" + ", ".join(["%s"] * len(columns)) + ")"
    parameters = [value for row in rows for value in _adapted("sqlite", row)]
    return "VALUES " + ", ".join([one] * len(rows)), parameters, ""


def _adapted(vendor: str, row: Row) -> Row:
    """SQLite keeps times as Django's own text form: UTC without an offset."""
    if vendor == "postgresql":
        return row
    return tuple(str(value.replace(tzinfo=None)) if isinstance(value, datetime) else value for value in row)
