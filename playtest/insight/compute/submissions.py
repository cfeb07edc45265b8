"""What was submitted in attempts at static tasks, by replaying their edits. Pure."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import NamedTuple

from engine.errors import ActionError
from engine.tasks.edits import EditKind, edit_in
from engine.tasks.grids import Grid, listed
from engine.tasks.state import Submissions, apply, start
from engine.tasks.task import Task
from playtest.play.attempt.task_in_process import submissions_of
from playtest.rules.document import value_of
from playtest.rules.errors import RuleError
from playtest.rules.protocol import DEFAULT
from playtest.rules.tasks.success import TaskRule

_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True)
class Submission:
    """A submitted grid of a test input: its entry, and how long the input had been worked on by then.

    `edits` are those of its output grid before it; `seconds` those for which the input had been shown.
    """

    seq: int
    input: int
    right: bool
    grid: Grid
    edits: int
    seconds: float

    @property
    def digest(self) -> str:
        """Sixteen digits that tell grids apart."""
        return blake2b(repr(listed(self.grid)).encode(), digest_size=_DIGEST_BYTES).hexdigest()


class Made(NamedTuple):
    """An entry of the journal of a static task: its number, the JSON of its edit, and its time."""

    seq: int
    edit: str | None
    at: datetime


def submissions(
    task: Task,
    rule: Submissions,
    entries: Iterable[Made],
    running: Callable[[datetime, datetime], timedelta] = lambda start, end: end - start,
) -> Iterator[Submission]:
    """The submissions of an attempt in their order. `running` is how long its clock ran between two moments.

    Raises RuleError edit_refused where the task does not take an edit of the journal.
    """
    state, before = start(task), None
    edits, seconds = [0] * len(task.tests), [0.0] * len(task.tests)
    for entry in entries:
        if before is not None:
            seconds[state.open] += max(running(before, entry.at).total_seconds(), 0.0)
        before = entry.at
        if entry.edit is None:
            continue
        edit, shown = edit_in(entry.edit), state.open
        try:
            after = apply(task, rule, state, edit)
        except ActionError as error:
            raise RuleError("edit_refused", f"Entry {entry.seq} is refused: {error.message}") from error
        if edit.kind is EditKind.SUBMIT:
            grid, right = state.current.grid, after.inputs[shown].submissions[-1]
            yield Submission(entry.seq, shown + 1, right, grid, edits[shown], seconds[shown])
        if edit.kind is not EditKind.OPEN:
            edits[shown] += 1
        state = after


def rule_in(document: object) -> TaskRule:
    """The rule for tasks in a protocol's document; None stands for one from before there were tasks."""
    return DEFAULT.tasks if document is None else value_of(TaskRule, document)


def engine_rule(document: object) -> Submissions:
    """What the engine needs of it."""
    return submissions_of(rule_in(document))
