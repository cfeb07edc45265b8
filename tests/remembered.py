"""Runs an expensive setup once in a process and writes its rows again for later tests."""

import pickle
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection

from tests.databases import free_of_triggers

FILLED_BY_MIGRATIONS = {"auth_permission", "django_content_type", "people_recordform"}
WRITTEN_AT_ANY_TIME = {"play_heartbeat"}
"""The journal's writer of this process writes its heartbeat every ten seconds."""


class Rows(NamedTuple):
    """A table's rows as the database returns them, with the names of the columns."""

    table: str
    columns: list[str]
    values: list[tuple[Any, ...]]


def remembered[**P, T](make: Callable[P, T]) -> Callable[P, T]:
    """Runs `make` the first time that the database is empty, then writes the same rows.

    From then on the same rows are written again, with the same numbers and times, and what is returned is as
    it was then. Where something is in their tables already, it is played anew. Arguments must be hashable.
    """
    recordings: dict[Any, tuple[bytes, list[Rows]]] = {}

    @wraps(make)
    def play_or_write(*args: P.args, **kwargs: P.kwargs) -> T:
        given = (args, tuple(sorted(kwargs.items())))
        if given in recordings and not any(map(has_rows, recordings[given][1])):
            pickled, rows = recordings[given]
            write(rows)
            found: T = pickle.loads(pickled)
            return found
        before = stored()
        made = make(*args, **kwargs)
        if not before:
            recordings[given] = (pickle.dumps(made), stored())
        return made

    return play_or_write


def stored() -> list[Rows]:
    """Returns every row that a test may have written, without computed columns."""
    found = []
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            if table not in FILLED_BY_MIGRATIONS | WRITTEN_AT_ANY_TIME:
                fields = model._meta.local_concrete_fields
                columns = [str(each.column) for each in fields if not each.generated]
                names = ", ".join(map(connection.ops.quote_name, columns))
                cursor.execute(f"SELECT {names} FROM {connection.ops.quote_name(table)}")
                found.append(Rows(table, columns, cursor.fetchall()))
    return [rows for rows in found if rows.values]


def has_rows(rows: Rows) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(rows.table)} LIMIT 1")
        return cursor.fetchone() is not None


def write(tables: list[Rows]) -> None:
    """Writes the rows without the append-only triggers, ended attempts included."""
    quote = connection.ops.quote_name
    with free_of_triggers(), connection.cursor() as cursor:
        for table, columns, values in tables:
            names = ", ".join(map(quote, columns))
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {quote(table)} ({names}) VALUES ({marks})", values)
