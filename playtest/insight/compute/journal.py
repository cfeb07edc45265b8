"""Reads the entries of many attempts, in parts that fit in memory, and computes level results of them.

The one place that knows of which kind an attempt is: `computed` reads and computes by it.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import lru_cache
from itertools import batched, takewhile
from typing import Any

from django.db import connection
from django.db.models import Case, QuerySet, Value, When

from engine.play.turns import NOT_FINISHED
from engine.prove.masks import Cells
from engine.tasks.edits import EditKind
from engine.tasks.task import Task, task_of
from playtest.insight.compute.submissions import Made, engine_rule, submissions
from playtest.insight.models import LevelResult, Summary
from playtest.play.journal.masked import masks_of_attempts, restated_entries
from playtest.play.models import Attempt
from playtest.play.sessions.adjustments import adjustments_of_attempts
from playtest.rules import results as rule
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind
from playtest.rules.results import ResultEntry, level_results
from playtest.rules.tasks.results import TaskEntry, input_results
from playtest.studio.models import Version
from playtest.studio.queries.masks import not_applied

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


OF_KIND = ("outside", "environment__kind", "version__digest", "version__levels")
OF_TASKS = "session__protocol__document__tasks"
"""Columns of attempts that `Unread.of` takes."""


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

    `task` is given for a static task, which is always read from its first entry on. `restarts`: it is from
    elsewhere, where a reset may restart the whole environment.
    """

    attempt: int
    begin: int
    newest: int
    task: TaskView | None = None
    restarts: bool = False

    @classmethod
    def of(
        cls, attempt: int, begin: int, newest: int, outside: int | None, kind: Kind, *view: Any
    ) -> "Unread":
        """Of an attempt of either kind: the rest are OF_KIND, when it ended, and OF_TASKS."""
        task = None if kind.has_levels else TaskView(*view)
        return cls(attempt, begin, newest, task, restarts=outside is not None)

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

    levels: list[rule.LevelResult]
    through: int
    through_end: bool
    submitted: Submitted | None = None


def computed(
    wanted: Unread, adjustments: Adjustments, mask: Cells | None = None, *, until_newest: bool = False
) -> Computed:
    """The level results of an attempt's journal; with `until_newest` not of entries newer than that.

    States are compared without the cells of `mask`.

    Raises RuleError if the journal is damaged.
    """
    if wanted.task is None:
        entries = _so_far(read(wanted, mask), wanted, until_newest, lambda entry: entry.seq)
        levels = list(level_results(entries, adjustments, restarts=wanted.restarts))
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


def read(wanted: Unread, mask: Cells | None = None) -> Iterator[ResultEntry]:
    """The entries of an attempt in order, also those newer than `newest`, without the cells of `mask`."""
    masked = restated_entries(wanted.attempt, mask, wanted.begin)
    for entry in map(ResultEntry._make, _rows(_OF_LEVELS, wanted)):
        changed, state = masked.get(entry.seq, (entry.changed, entry.state_hash))
        yield entry._replace(changed=changed, state_hash=state)


def read_edits(wanted: Unread) -> Iterator[tuple[TaskEntry, str | None]]:
    """The entries of an attempt at a static task in order, each with the JSON of its edit."""
    for seq, action, input_, completed, state, changed, state_hash, frame_count, edit, at in _rows(
        _OF_TASKS, wanted
    ):
        submits = seq > 0 and action == EditKind.SUBMIT
        entry = TaskEntry(
            seq=seq, input=input_, opens=json.loads(edit)["input"] if action == EditKind.OPEN else None,
            submits=submits, moves_on=submits and frame_count > 1, solves=bool(completed),
            finished=state != NOT_FINISHED, changed=bool(changed), state_hash=bytes(state_hash), at=at,
        )  # fmt: skip
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


_FIGURES = [field.name for field in fields(rule.LevelResult)]


def wrong_results(attempts: QuerySet[Attempt]) -> Iterator[tuple[int, str]]:
    """Attempts whose level results differ from a rebuild, with a sentence each.

    Results are compared as far as they are computed; entries that are newer are not missed. How far that is
    is read just before them: workers go on storing. Versions whose mask is new are still to be rebuilt.
    """
    stored_ones = Summary.objects.filter(attempt__in=attempts).order_by("attempt")
    stored_ones = stored_ones.exclude(attempt__version__in=not_applied().values("version"))
    for keys in batched(list(stored_ones.values_list("attempt", flat=True)), ATTEMPTS_AT_ONCE):
        end = Case(When(summary__through_end=True, then="ended_at"))
        known = Attempt.objects.filter(pk__in=keys, summary__isnull=False).order_by("pk").annotate(end=end)
        rows = known.values_list("pk", Value(0), "summary__through_seq", *OF_KIND, "end", OF_TASKS)
        part = [Unread.of(*row) for row in rows]
        adjustments = adjustments_of_attempts(Attempt.objects.filter(pk__in=keys))
        stored, submitted, masks = _stored(keys), _submitted(keys), masks_of_attempts(keys)
        for one in part:
            known_of_it = stored[one.attempt], submitted[one.attempt]
            clock, mask = adjustments.get(one.attempt, NO_ADJUSTMENTS), masks.get(one.attempt)
            if said := _difference(one, *known_of_it, clock, mask):
                yield one.attempt, said
    without = LevelResult.objects.filter(attempt__in=attempts, attempt__summary__isnull=True)
    for attempt in without.order_by("attempt").values_list("attempt", flat=True).distinct():
        yield attempt, f"Attempt {attempt} has level results, but nothing says how far they go."


def _stored(attempts: Sequence[int]) -> dict[int, list[dict[str, object]]]:
    found: dict[int, list[dict[str, object]]] = defaultdict(list)
    rows = LevelResult.objects.filter(attempt__in=attempts).order_by("attempt", "level")
    for attempt, *values in rows.values_list("attempt", *_FIGURES):
        found[attempt].append(dict(zip(_FIGURES, values, strict=True)))
    return found


def _submitted(attempts: Sequence[int]) -> dict[int, list[list[object]] | None]:
    return dict(Summary.objects.filter(attempt__in=attempts).values_list("attempt", "submitted"))


def _difference(
    one: Unread,
    stored: list[dict[str, object]],
    submitted: list[list[object]] | None,
    adjustments: Adjustments,
    mask: Cells | None,
) -> str | None:
    try:
        rebuilt = computed(one, adjustments, mask, until_newest=True)
    except RuleError as error:
        return f"The level results of attempt {one.attempt} cannot be computed: {error.message}"
    found = [asdict(level) for level in rebuilt.levels]
    if len(found) != len(stored):
        return f"Attempt {one.attempt} has {len(stored)} level results, and its journal gives {len(found)}."
    for now, before in zip(found, stored, strict=True):
        if names := [name for name in _FIGURES if now[name] != before[name]]:
            return f"Level {before['level']} of attempt {one.attempt} differs in {', '.join(names)}."
    if submitted != (None if rebuilt.submitted is None else [list(row) for row in rebuilt.submitted]):
        return f"The submissions of attempt {one.attempt} differ from those in its journal."
    return None
