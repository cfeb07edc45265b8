"""Reads the entries of many attempts, in parts that fit in memory, and computes level results of them.

The one place that knows of which kind an attempt is: `computed` reads and computes by it.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any

from django.db import connection

from engine.tasks.edits import EditKind
from engine.turns import NOT_FINISHED
from playtest.rules.adjustments import Adjustments
from playtest.rules.results import LevelResult, ResultEntry, level_results
from playtest.rules.tasks.results import TaskEntry, input_results

ENTRIES_AT_ONCE = 100_000
"""The most entries in memory at once: some 60 MB."""
ATTEMPTS_AT_ONCE = 20
"""On SQLite no action is stored while results are: about 4 ms for so many attempts."""

_SELECT = "SELECT {columns}, {time} FROM play_entry WHERE attempt_id = %s AND seq >= %s ORDER BY seq"
_TIME = {"postgresql": "server_time", "sqlite": "server_time || ''"}
"""On SQLite as text: Django's converter of times costs more than all the rest of reading an entry."""
_OF_LEVELS = "seq, action, levels_completed, level_completed, state, changed, state_hash"
_OF_TASKS = "seq, action, level, level_completed, state, changed, state_hash, frame_count, edit"


@dataclass(frozen=True, slots=True)
class TaskView:
    """What results of an attempt at a static task depend on beside its entries: test inputs and its end."""

    inputs: int
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Unread:
    """The entries to read of one attempt: from `begin` on; `newest` is the last known one.

    `task` is given for a static task, which is always read from its first entry on.
    """

    attempt: int
    begin: int
    newest: int
    task: TaskView | None = None

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


@dataclass(frozen=True, slots=True)
class Computed:
    """The level results of one attempt, by level, and how far they go (`models.Summary`)."""

    levels: list[LevelResult]
    through: int
    through_end: bool


def computed(wanted: Unread, adjustments: Adjustments, *, until_newest: bool = False) -> Computed:
    """The level results of an attempt's journal; with `until_newest` not of entries newer than that.

    Raises RuleError if the journal is damaged.
    """
    if wanted.task is None:
        levels = list(level_results(_so_far(read(wanted), wanted, until_newest), adjustments))
        return Computed(levels, levels[-1].last_seq if levels else -1, through_end=False)
    edits = list(_so_far(read_edits(wanted), wanted, until_newest))
    levels = input_results(edits, wanted.task.inputs, wanted.task.ended_at, adjustments)
    return Computed(levels, edits[-1].seq if edits else -1, through_end=wanted.task.ended_at is not None)


def _so_far[E: (ResultEntry, TaskEntry)](
    entries: Iterator[E], wanted: Unread, until_newest: bool
) -> Iterator[E]:
    return takewhile(lambda entry: entry.seq <= wanted.newest, entries) if until_newest else entries


def read(wanted: Unread) -> Iterator[ResultEntry]:
    """The entries of an attempt in order, also those newer than `newest`."""
    return map(ResultEntry._make, _rows(_OF_LEVELS, wanted))


def read_edits(wanted: Unread) -> Iterator[TaskEntry]:
    """The entries of an attempt at a static task in order, also those newer than `newest`."""
    for seq, action, input_, completed, state, changed, state_hash, frame_count, edit, at in _rows(
        _OF_TASKS, wanted
    ):
        submits = seq > 0 and action == EditKind.SUBMIT
        yield TaskEntry(
            seq=seq,
            input=input_,
            opens=json.loads(edit)["input"] if action == EditKind.OPEN else None,
            submits=submits,
            moves_on=submits and frame_count > 1,
            solves=bool(completed),
            finished=state != NOT_FINISHED,
            changed=bool(changed),
            state_hash=bytes(state_hash),
            at=at,
        )


def _rows(columns: str, wanted: Unread) -> Iterator[Sequence[Any]]:
    vendor = connection.vendor
    with connection.cursor() as cursor:
        cursor.execute(_SELECT.format(columns=columns, time=_TIME[vendor]), [wanted.attempt, wanted.begin])
        if vendor == "postgresql":
            yield from cursor
        else:
            for *facts, at in cursor:
                yield *facts, datetime.fromisoformat(at).replace(tzinfo=UTC)
