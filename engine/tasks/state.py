"""The state of a task that is worked on, and how an edit changes it: a pure state machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from engine.errors import ActionError
from engine.play.frames import STATE_HASH_BYTES
from engine.tasks import grids
from engine.tasks.edits import Edit, EditKind, cell_of
from engine.tasks.grids import Grid
from engine.tasks.task import Task

START_SIZE = 3
"""The height and width of an output grid at the start: its right size is for the person to find."""


@dataclass(frozen=True, slots=True)
class Submissions:
    """How many submissions a test input takes.

    The first `tries` count. It is closed after `most` (at least `tries`), and with `feedback` by a right one:
    without, that would tell that it is right.
    """

    tries: int = 2
    most: int = 2
    feedback: bool = True


@dataclass(frozen=True, slots=True)
class InputState:
    """One test input: its output grid, those before and after it, which submissions were right, and the last
    one's grid.
    """

    grid: Grid
    past: tuple[Grid, ...] = ()
    future: tuple[Grid, ...] = ()
    submissions: tuple[bool, ...] = ()
    submitted: Grid | None = None

    @property
    def right(self) -> bool:
        """Whether a right grid was submitted, counted or not."""
        return any(self.submissions)

    def solved(self, rule: Submissions) -> bool:
        """Whether one of the submissions that count was right."""
        return any(self.submissions[: rule.tries])

    def closed(self, rule: Submissions) -> bool:
        """Whether nothing more can be submitted or edited."""
        return (self.right and rule.feedback) or len(self.submissions) >= rule.most

    def repeats(self, rule: Submissions) -> bool:
        """Whether its grid was submitted last and answered, so that nobody means to submit it again.

        Journals of before this was asked have such submissions, so `apply` takes them.
        """
        return rule.feedback and not self.closed(rule) and self.grid == self.submitted

    def edited(self, grid: Grid) -> InputState:
        """The same with another grid, which can be undone; itself if the grid is the same."""
        if grid == self.grid:
            return self
        return replace(self, grid=grid, past=(*self.past, self.grid), future=())


@dataclass(frozen=True, slots=True)
class TaskState:
    """All test inputs of a task; `open` is the index of the one that is worked on."""

    inputs: tuple[InputState, ...]
    open: int = 0

    @property
    def current(self) -> InputState:
        """The test input that is worked on."""
        return self.inputs[self.open]

    def solved(self, rule: Submissions) -> int:
        """How many test inputs are solved."""
        return sum(each.solved(rule) for each in self.inputs)

    def finished(self, rule: Submissions) -> bool:
        """Whether every test input is closed."""
        return all(each.closed(rule) for each in self.inputs)

    @property
    def digest(self) -> bytes:
        """Eight bytes that tell states apart: the input in work, all grids, all submissions."""
        seen = [(each.grid, each.submissions) for each in self.inputs]
        return blake2b(repr((self.open, seen)).encode(), digest_size=STATE_HASH_BYTES).digest()


def start(task: Task) -> TaskState:
    """The state before the first edit: blank output grids."""
    return TaskState(tuple(InputState(grids.blank(START_SIZE, START_SIZE)) for _ in task.tests))


def apply(task: Task, rule: Submissions, state: TaskState, edit: Edit) -> TaskState:
    """The state after an edit; the same one if it changes nothing.

    A submission that closes its input opens the next one that is not closed. Raises ActionError
    environment_finished, input_closed, edit_impossible; the state is then as it was.
    """
    if state.finished(rule):
        raise ActionError("environment_finished", "Every test input is closed.")
    if edit.kind is EditKind.OPEN:
        return _opened(state, edit.fields["input"] - 1)
    if state.current.closed(rule):
        raise ActionError("input_closed", "This test input is closed: open another one.")
    if edit.kind is EditKind.SUBMIT:
        return _submitted(task, rule, state)
    return _with_current(state, _EDITS[edit.kind](task, state, edit.fields))


def _with_current(state: TaskState, current: InputState) -> TaskState:
    if current is state.current:
        return state
    return replace(state, inputs=(*state.inputs[: state.open], current, *state.inputs[state.open + 1 :]))


def _opened(state: TaskState, index: int) -> TaskState:
    if index >= len(state.inputs):
        raise _impossible(f"There are {len(state.inputs)} test inputs.")
    return state if index == state.open else replace(state, open=index)


def _submitted(task: Task, rule: Submissions, state: TaskState) -> TaskState:
    current = state.current
    is_right = current.grid == task.tests[state.open].output
    submissions = (*current.submissions, is_right)
    after = _with_current(state, replace(current, submissions=submissions, submitted=current.grid))
    if not after.current.closed(rule) or after.finished(rule):
        return after
    order = (*range(state.open + 1, len(after.inputs)), *range(state.open))
    return replace(after, open=next(index for index in order if not after.inputs[index].closed(rule)))


def _resize(task: Task, state: TaskState, fields: dict[str, Any]) -> InputState:
    return state.current.edited(grids.resized(state.current.grid, fields["height"], fields["width"]))


def _paint(task: Task, state: TaskState, fields: dict[str, Any]) -> InputState:
    cells = [cell_of(at) for at in fields["cells"]]
    return state.current.edited(grids.with_cells(state.current.grid, cells, fields["colour"]))


def _fill(task: Task, state: TaskState, fields: dict[str, Any]) -> InputState:
    (row, column), (height, width) = cell_of(fields["cell"]), grids.size_of(state.current.grid)
    if row >= height or column >= width:
        raise _impossible("The cell to fill from lies outside the grid.")
    return state.current.edited(grids.filled(state.current.grid, row, column, fields["colour"]))


def _copy_input(task: Task, state: TaskState, fields: dict[str, Any]) -> InputState:
    return state.current.edited(task.tests[state.open].input)


def _clear(task: Task, state: TaskState, fields: dict[str, Any]) -> InputState:
    return state.current.edited(grids.blank(*grids.size_of(state.current.grid)))


def _paste(task: Task, state: TaskState, fields: dict[str, Any]) -> InputState:
    part = grids.cut(_source(task, state, fields), *fields["rect"])
    if part is None:
        raise _impossible("No cell lies in the rectangle to copy from.")
    return state.current.edited(grids.pasted(state.current.grid, part, *cell_of(fields["cell"])))


def _source(task: Task, state: TaskState, fields: dict[str, Any]) -> Grid:
    """The grid that a paste copies from; of a test pair never the output, which is the solution."""
    if fields["from"] == "input":
        return task.tests[state.open].input
    if fields["from"] == "output":
        return state.current.grid
    number: int = fields["pair"]
    if number > len(task.demonstrations):
        raise _impossible(f"There are {len(task.demonstrations)} demonstrations.")
    pair = task.demonstrations[number - 1]
    return pair.input if fields["from"] == "demo_input" else pair.output


def _undo(task: Task, state: TaskState, fields: dict[str, Any]) -> InputState:
    now = state.current
    if not now.past:
        return now
    return replace(now, grid=now.past[-1], past=now.past[:-1], future=(*now.future, now.grid))


def _redo(task: Task, state: TaskState, fields: dict[str, Any]) -> InputState:
    now = state.current
    if not now.future:
        return now
    return replace(now, grid=now.future[-1], past=(*now.past, now.grid), future=now.future[:-1])


def _impossible(message: str) -> ActionError:
    return ActionError("edit_impossible", message)


_EDITS: dict[EditKind, Callable[[Task, TaskState, dict[str, Any]], InputState]] = {
    EditKind.RESIZE: _resize,
    EditKind.PAINT: _paint,
    EditKind.FILL: _fill,
    EditKind.COPY_INPUT: _copy_input,
    EditKind.CLEAR: _clear,
    EditKind.PASTE: _paste,
    EditKind.UNDO: _undo,
    EditKind.REDO: _redo,
}
"""What each kind of edit makes of the test input in work; `open` and `submit` change more than that."""
