"""What a study's data has of static tasks: submissions, edits, and the results of test inputs."""

import json
import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import batched, groupby
from operator import attrgetter

from engine.play.turns import NOT_FINISHED
from engine.tasks import grids
from engine.tasks.edits import EditKind
from engine.tasks.grids import Grid
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.reads import TASKS
from playtest.review.codebook import RESULTS
from playtest.review.queries.dataset import Names, Row, Standing
from playtest.review.task_document import Edited, edited
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.tasks.results import TaskEntry, input_results

logger = logging.getLogger(__name__)

_ATTEMPTS_AT_ONCE = 50


@dataclass
class TaskRows:
    """The rows of one attempt at a task, for the tables of these names."""

    level_results: list[Row] = field(default_factory=list)
    submissions: list[Row] = field(default_factory=list)
    edits: list[Row] = field(default_factory=list)


def task_rows(
    attempt_ids: Sequence[int],
    names: Names,
    clocks: Mapping[int, Adjustments],
    standing: Mapping[int, Standing],
) -> Iterator[TaskRows]:
    """The rows of each of these attempts at a task that has entries; none of one whose record is damaged.

    `clocks` are those of the attempts in sessions that staff have paused.
    """
    related = "version", "environment", "participant", "session__study", "session__protocol"
    for part in batched(attempt_ids, _ATTEMPTS_AT_ONCE):
        attempts = Attempt.objects.filter(TASKS, pk__in=part).select_related(*related).in_bulk()
        entries = Entry.objects.filter(attempt__in=attempts).order_by("attempt", "seq").defer("frames")
        for pk, journal in groupby(entries, key=attrgetter("attempt_id")):
            try:
                yield _rows(attempts[pk], list(journal), names, clocks.get(pk, NO_ADJUSTMENTS), standing[pk])
            except Refusal as refusal:
                logger.warning("attempt %s is not in the tables of tasks: %s", pk, refusal.message)
                yield TaskRows()


def _rows(
    attempt: Attempt, entries: list[Entry], names: Names, clock: Adjustments, standing: Standing
) -> TaskRows:
    found, edits = TaskRows(), Counter[int]()
    who, what = names.participant(attempt.participant), attempt.environment.code
    began, states = entries[0].server_time, edited(attempt, entries)
    found.level_results = [
        (
            attempt.pk,
            *standing.of_level(result.last_seq, completed=result.completed),
            *(getattr(result, name) for name in RESULTS),
        )
        for result in input_results(
            map(_task_entry, entries, states), attempt.version.levels, attempt.ended_at, clock
        )
    ]
    for entry, each in zip(entries[1:], states[1:], strict=True):
        of_attempt = (attempt.pk, entry.seq, who, what, attempt.version.digest, entry.level)
        seconds = clock.running(began, entry.server_time).total_seconds()
        found.edits.append((*of_attempt, *_edit(each), entry.changed, seconds, *_size(each, entry)))
        if each.submitted is not None:
            found.submissions.append((*of_attempt, *_submission(each, seconds, edits[entry.level])))
        elif entry.action != EditKind.OPEN:
            edits[entry.level] += 1
    return found


def _task_entry(entry: Entry, each: Edited) -> TaskEntry:
    submits = each.submitted is not None
    return TaskEntry(
        seq=entry.seq,
        input=entry.level,
        opens=each.state.open + 1 if entry.action == EditKind.OPEN else None,
        submits=submits,
        moves_on=submits and entry.frame_count > 1,
        solves=entry.level_completed,
        finished=entry.state != NOT_FINISHED,
        changed=entry.changed,
        state_hash=bytes(entry.state_hash),
        at=entry.server_time,
    )


def _edit(each: Edited) -> tuple[str, str]:
    assert each.edit is not None
    return each.edit.kind.op, each.edit.text


def _size(each: Edited, entry: Entry) -> tuple[int, int]:
    """Of the grid that was edited, not of that of the input which a submission or an opening shows next."""
    return grids.size_of(each.state.inputs[entry.level - 1].grid)


def _submission(each: Edited, seconds: float, edits: int) -> Row:
    made = each.submitted
    assert made is not None
    size = grids.size_of(made.grid)
    return made.number, made.right, made.counted, seconds, edits, *size, _as_json(made.grid)


def _as_json(grid: Grid) -> str:
    return json.dumps(grids.listed(grid), separators=(",", ":"))
