"""Reads the entries of many attempts, in parts that fit in memory, and computes level results of them.

The one place that knows of which kind an attempt is: `computed` reads and computes by it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import takewhile
from typing import Any

from django.db import connection

from engine.tasks.edits import EditKind
from engine.tasks.task import Task, task_of
from engine.turns import NOT_FINISHED
from playtest.insight.results.submissions import Made, engine_rule, submissions
from playtest.rules.adjustments import Adjustments
from playtest.rules.results import LevelResult, ResultEntry, level_results
from playtest.rules.tasks.results import TaskEntry, input_results
from playtest.studio.models import Version

type Submitted = list[tuple[int, int, bool, str]]
"""Entry, test input, whether it was right, and the digest of its grid, for each submission in order."""

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
    """What results of an attempt at a static task depend on beside its entries.

    `digest` is that of its version. `rule` is the part of its protocol's document about tasks, None where
    there is none.
    """

    digest: str
    inputs: int
    ended_at: datetime | None
    rule: object


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
    submitted: Submitted | None = None


def computed(wanted: Unread, adjustments: Adjustments, *, until_newest: bool = False) -> Computed:
    """The level results of an attempt's journal; with `until_newest` not of entries newer than that.

    Raises RuleError if the journal is damaged.
    """
    if wanted.task is None:
        entries = _so_far(read(wanted), wanted, until_newest, lambda entry: entry.seq)
        levels = list(level_results(entries, adjustments))
        return Computed(levels, levels[-1].last_seq if levels else -1, through_end=False)
    edits = list(_so_far(read_edits(wanted), wanted, until_newest, lambda pair: pair[0].seq))
    made = [each for each, _ in edits]
    levels = input_results(made, wanted.task.inputs, wanted.task.ended_at, adjustments)
    journal = (Made(each.seq, edit, each.at) for each, edit in edits)
    submitted = [
        (one.seq, one.input, one.right, one.digest)
        for one in submissions(_task(wanted.task.digest), engine_rule(wanted.task.rule), journal)
    ]
    through = made[-1].seq if made else -1
    return Computed(levels, through, wanted.task.ended_at is not None, submitted)


@lru_cache(maxsize=256)
def _task(digest: str) -> Task:
    """The task with this digest, in whichever version."""
    return task_of(Version.objects.filter(digest=digest).values_list("source", flat=True)[0])


def _so_far[E](
    entries: Iterator[E], wanted: Unread, until_newest: bool, seq_of: Callable[[E], int]
) -> Iterator[E]:
    return takewhile(lambda entry: seq_of(entry) <= wanted.newest, entries) if until_newest else entries


def read(wanted: Unread) -> Iterator[ResultEntry]:
    """The entries of an attempt in order, also those newer than `newest`."""
    return map(ResultEntry._make, _rows(_OF_LEVELS, wanted))


def read_edits(wanted: Unread) -> Iterator[tuple[TaskEntry, str | None]]:
    """The entries of an attempt at a static task in order, each with the JSON of its edit."""
    for seq, action, input_, completed, state, changed, state_hash, frame_count, edit, at in _rows(
        _OF_TASKS, wanted
    ):
        submits = seq > 0 and action == EditKind.SUBMIT
        entry = TaskEntry(
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
        yield entry, edit


def _rows(columns: str, wanted: Unread) -> Iterator[Sequence[Any]]:
    vendor = connection.vendor
    with connection.cursor() as cursor:
        cursor.execute(_SELECT.format(columns=columns, time=_TIME[vendor]), [wanted.attempt, wanted.begin])
        if vendor == "postgresql":
            yield from cursor
        else:
            for *facts, at in cursor:
                yield *facts, datetime.fromisoformat(at).replace(tzinfo=UTC)
