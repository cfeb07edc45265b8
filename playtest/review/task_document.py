"""What a replay of a static task has beside its frames: the pairs, the edits, and the submissions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import ActionError, SourceError
from engine.tasks import grids
from engine.tasks.edits import Edit, EditKind
from engine.tasks.grids import Grid
from engine.tasks.state import TaskState, apply, start
from engine.tasks.task import Task
from playtest.play.attempt.rebuild import recorded_action
from playtest.play.attempt.task_in_process import rule_of, submissions_of
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Entry
from playtest.review.damaged_entries import damage_refused
from playtest.rules.labels import edit_label
from playtest.studio.content import task_in


@dataclass(frozen=True, slots=True)
class Submitted:
    """One submission: its number among those for its test input (both from 1), and its grid."""

    seq: int
    input: int
    number: int
    right: bool
    counted: bool
    grid: Grid


@dataclass(frozen=True, slots=True)
class Edited:
    """One entry of a task: the edit (None of the opening), the state after it, and what was submitted."""

    seq: int
    edit: Edit | None
    state: TaskState
    submitted: Submitted | None = None


def edited(attempt: Attempt, entries: Sequence[Entry]) -> list[Edited]:
    """Each entry of an attempt at a task, replayed. Refusal: record_damaged."""
    try:
        task = task_in(attempt.version)
    except SourceError as error:
        raise Refusal(
            "record_damaged", f"The task of this attempt cannot be read: {error.message}"
        ) from error
    rule = submissions_of(rule_of(attempt))
    state, made = start(task), Counter[int]()
    found = [Edited(0, None, state)] if entries else []
    for entry in entries[1:]:
        with damage_refused(entry):
            edit = recorded_action(entry.action, entry.x, entry.y, entry.edit)
            if not isinstance(edit, Edit):
                raise ActionError("action_unavailable", "this is no edit")
            before, state = state, apply(task, rule, state, edit)
        submitted = None
        if edit.kind is EditKind.SUBMIT:
            made[before.open] += 1
            number = made[before.open]
            submitted = Submitted(
                seq=entry.seq,
                input=before.open + 1,
                number=number,
                right=state.inputs[before.open].submissions[-1],
                counted=number <= rule.tries,
                grid=before.current.grid,
            )
        found.append(Edited(entry.seq, edit, state, submitted))
    return found


def beside_frames(
    attempt: Attempt, entries: Sequence[Entry]
) -> tuple[dict[str, Any], Sequence[dict[str, Any]]]:
    """What the document of an attempt at a task has beside that of others, and what each entry has.

    Refusal: record_damaged.
    """
    if attempt.version.kind.has_levels:
        return {}, [{}] * len(entries)
    edits = [_edit_document(each) for each in edited(attempt, entries)]
    return {"task": _task_document(task_in(attempt.version))}, edits


def _task_document(task: Task) -> dict[str, Any]:
    """The task as the replay page shows it: demonstrations and test inputs, never a solution."""
    return {
        "demonstrations": [
            {"input": grids.listed(pair.input), "output": grids.listed(pair.output)}
            for pair in task.demonstrations
        ],
        "tests": [{"input": grids.listed(pair.input)} for pair in task.tests],
    }


def _edit_document(each: Edited) -> dict[str, Any]:
    """What an entry of a task has beside those of an environment.

    `edit` is None of the opening, and `label` says what it did; `opened` is the test input shown after it,
    from 1; `submission` is None unless it was one.
    """
    submitted = each.submitted
    return {
        "edit": None if each.edit is None else each.edit.fields,
        "label": None if each.edit is None else edit_label(each.edit.fields),
        "opened": each.state.open + 1,
        "submission": None
        if submitted is None
        else {"number": submitted.number, "right": submitted.right, "counted": submitted.counted},
    }


def solution_document(attempt: Attempt) -> dict[str, Any]:
    """The solutions of a task's test inputs, in order. Refusal: not_a_task."""
    if attempt.version.kind.has_levels:
        raise Refusal("not_a_task", "Only a static task has a solution to show.", status=404)
    task = task_in(attempt.version)
    return {"outputs": [grids.listed(pair.output) for pair in task.tests]}
