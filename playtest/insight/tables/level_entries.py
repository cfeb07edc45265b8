"""The journal's entries of everybody who reached a level, one person at a time."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import polars as pl
from django.db import connection

from playtest.insight.tables.version import VersionResults


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
