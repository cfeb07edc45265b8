"""The journals of many attempts at once, in parts that fit in memory, as `columns.JOURNAL`."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl
from django.db import connection

from playtest.insight.queries import packed

ENTRIES_AT_ONCE = 500_000
"""In memory at once: some 250 MB with what is computed from them."""
ATTEMPTS_AT_ONCE = 1_000

_SPARSE = 4
"""A stretch of the journal is read as a whole while one in so many of its entries is wanted."""


@dataclass(frozen=True, slots=True)
class Unread:
    """What is wanted of one attempt: its entries from `begin` on; `newest` is the last one known of."""

    attempt: int
    begin: int
    newest: int

    @property
    def entries(self) -> int:
        return self.newest - self.begin + 1


def parts(unread: Iterable[Unread]) -> Iterator[list[Unread]]:
    """The same in parts for `read`; attempts that were played at the same time stay together."""
    part, entries = list[Unread](), 0
    for one in sorted(unread, key=lambda one: one.attempt):
        if part and (entries + one.entries > ENTRIES_AT_ONCE or len(part) == ATTEMPTS_AT_ONCE):
            yield part
            part, entries = [], 0
        part.append(one)
        entries += one.entries
    if part:
        yield part


def read(wanted: Sequence[Unread]) -> pl.DataFrame:
    """The entries of these attempts, by attempt and seq; perhaps newer ones than `newest` too."""
    stretch = _stretch(wanted)
    if stretch is None:
        entered = _values((one.attempt, one.begin) for one in wanted)
        return packed.read(f"{_JOINED.format(entered)} AND seq >= wanted.column2")
    lowest, highest = stretch
    first, last = min(one.attempt for one in wanted), max(one.attempt for one in wanted)
    found = packed.read(
        f"play_entry WHERE id BETWEEN {lowest} AND {highest} AND +attempt_id BETWEEN {first} AND {last}"
    )
    begins = pl.DataFrame([(one.attempt, one.begin) for one in wanted], ["attempt", "begin"], orient="row")
    kept = found.join(begins, on="attempt", maintain_order="left").filter(pl.col("seq") >= pl.col("begin"))
    return kept.drop("begin")


_JOINED = "(VALUES {}) AS wanted CROSS JOIN play_entry WHERE play_entry.attempt_id = wanted.column1"


def _stretch(wanted: Sequence[Unread]) -> tuple[int, int] | None:
    """The lowest and the highest id of these entries if few others lie between, else None.

    Entries enter the journal in the order of their attempt, so their ids rise; only attempts played at the
    same time lie between. Reading on is then several times faster than looking up one entry after another.
    """
    ends = _values(end for one in wanted for end in ((one.attempt, one.begin), (one.attempt, one.newest)))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT min(id), max(id) FROM {_JOINED.format(ends)} AND seq = wanted.column2")
        lowest, highest = cursor.fetchone()
    if lowest is None or highest - lowest > _SPARSE * sum(one.entries for one in wanted):
        return None
    return lowest, highest


def _values(pairs: Iterable[tuple[int, int]]) -> str:
    return ", ".join(f"({int(one)}, {int(other)})" for one, other in pairs)
