"""Reads from the journal which states people were in on a level."""

from collections.abc import Iterator
from typing import Any

import polars as pl
from django.db import connection

from engine.exploration.graph_tables import action_number
from playtest.insight.results.version import VersionResults
from playtest.rules.results import GAME_OVER
from playtest.rules.state_space.locating import Step, Walk

_SELECT = (
    "SELECT action, x, y, state_hash, level_completed, state FROM play_entry"
    " WHERE attempt_id = %s AND seq BETWEEN %s AND %s ORDER BY seq"
)


def walks_on(results: VersionResults, level: int) -> dict[int, Walk]:
    """By attempt: what everybody did on a level (from 1), without frames."""
    here = results.levels.filter(pl.col("level") == level).sort("attempt")
    return {
        attempt: _walk(_entries(attempt, entered, last))
        for attempt, entered, last in here.select("attempt", "entered_seq", "last_seq").iter_rows()
    }


def number_of(state_hash: bytes | memoryview) -> int:
    """A state's hash as the number that `state_space` knows it by."""
    return int.from_bytes(state_hash, "little", signed=True)


def _entries(attempt: int, entered: int, last: int) -> Iterator[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(_SELECT, [attempt, entered, last])
        yield from cursor


def _walk(entries: Iterator[tuple[Any, ...]]) -> Walk:
    _, _, _, begin, _, _ = next(entries)
    steps = [
        Step(action_number(action, x, y), number_of(state), bool(completed), result == GAME_OVER)
        for action, x, y, state, completed, result in entries
    ]
    return Walk(number_of(begin), steps)
