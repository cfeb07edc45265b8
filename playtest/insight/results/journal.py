"""Reads the entries of many attempts for `rules.results`, in parts that fit in memory."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import connection

from playtest.rules.results import ResultEntry

ENTRIES_AT_ONCE = 100_000
"""The most entries in memory at once: some 60 MB."""
ATTEMPTS_AT_ONCE = 20
"""On SQLite no action is stored while results are: about 4 ms for so many attempts."""

_SELECT = (
    "SELECT seq, action, levels_completed, level_completed, state, changed, state_hash, {time}"
    " FROM play_entry WHERE attempt_id = %s AND seq >= %s ORDER BY seq"
)
_POSTGRESQL = _SELECT.format(time="server_time")
# As text: Django's converter of times costs more than all the rest of reading an entry.
_SQLITE = _SELECT.format(time="server_time || ''")


@dataclass(frozen=True, slots=True)
class Unread:
    """The entries to read of one attempt: from `begin` on; `newest` is the last known one."""

    attempt: int
    begin: int
    newest: int

    @property
    def entries(self) -> int:
        return self.newest - self.begin + 1


def parts(unread: Iterable[Unread], shares: int = 1) -> Iterator[list[Unread]]:
    """Divides attempts into parts that are small enough to be computed and stored at once.

    There are at least `shares` parts if there are as many attempts.
    """
    unread = list(unread)
    most_entries = min(ENTRIES_AT_ONCE, sum(one.entries for one in unread) // shares)
    part, entries = list[Unread](), 0
    for one in sorted(unread, key=lambda one: one.attempt):
        if part and (entries + one.entries > most_entries or len(part) == ATTEMPTS_AT_ONCE):
            yield part
            part, entries = [], 0
        part.append(one)
        entries += one.entries
    if part:
        yield part


def read(wanted: Unread) -> Iterator[ResultEntry]:
    """The entries of one attempt in order, also those newer than `newest`."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRESQL, [wanted.attempt, wanted.begin])
            yield from map(ResultEntry._make, cursor)
        else:
            cursor.execute(_SQLITE, [wanted.attempt, wanted.begin])
            for *facts, at in cursor:
                yield ResultEntry._make([*facts, datetime.fromisoformat(at).replace(tzinfo=UTC)])
