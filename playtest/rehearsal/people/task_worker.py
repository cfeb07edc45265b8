"""How simulated people work on static tasks: they study the pairs, draw what they think is right, and submit.

Whether somebody sees the rule depends on their skill and on how hard the task is. Who does not see it mostly
sees the same wrong rule as others, so that wrong outputs agree as those of people do.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from random import Random
from typing import Any

from engine.tasks.edits import position
from engine.tasks.grids import COLOURS, Grid, resized, size_of, with_cells
from engine.tasks.task import Task
from playtest.rehearsal.people.person import Kind, Person
from playtest.rehearsal.people.steps import BUTTON, KEY, MOUSE, TOUCH, Editing, Leave, SetAside, Step

type EditDocument = dict[str, Any]


def edits_to(wanted: Grid, now: Grid, given: Grid) -> Iterator[EditDocument]:
    """The edits from the grid `now` to `wanted`, by way of a copy of the input where that is less work."""
    if size_of(wanted) == size_of(given) and _differing(wanted, given) < _differing(wanted, now):
        yield {"op": "copy_input"}
        now = given
    if size_of(wanted) != size_of(now):
        height, width = size_of(wanted)
        yield {"op": "resize", "height": height, "width": width}
        now = resized(now, height, width)
    for colour in range(COLOURS):
        for row, line in enumerate(wanted):
            wrong = [column for column, cell in enumerate(line) if cell == colour != now[row][column]]
            for _, run in groupby(enumerate(wrong), lambda each: each[1] - each[0]):
                stroke = [position(row, column) for _, column in run]
                yield {"op": "paint", "colour": colour, "cells": stroke}


def _differing(one: Grid, other: Grid) -> int:
    """How many cells differ; all of them if the sizes do."""
    if size_of(one) != size_of(other):
        return sum(map(len, one)) + 1
    return sum(a != b for row, line in zip(one, other, strict=True) for a, b in zip(row, line, strict=True))


@dataclass(frozen=True, slots=True)
class TaskScene:
    """A task after the last edit: `open` is the test input in work, from 0, and `grid` its output grid.

    `submissions` counts those for it; `closed` says of each input whether it takes no more. `seconds` since
    it was first shown; `prompted` while the soft limit's question is on the screen. `may_be_set_aside`: the
    protocol lets people go back, and this one has not come back to it already.
    """

    open: int
    grid: Grid
    submissions: int
    closed: tuple[bool, ...]
    seconds: float = 0.0
    prompted: bool = False
    may_be_set_aside: bool = False

    @property
    def finished(self) -> bool:
        """Whether every test input is closed."""
        return all(self.closed)


@dataclass(frozen=True)
class TaskSolutions:
    """A task with its solutions; `name` seeds how hard it is and which wrong rule people see in it."""

    name: str
    task: Task


type Work = Generator[Step, TaskScene, None]
"""One person on one task: yields steps and receives scenes. It ends when all test inputs are closed."""

type Passage = Generator[Step, TaskScene, TaskScene]
"""A part of the work; returns the last scene."""


_STUDY_SECONDS, _STROKE_SECONDS = 24.0, 0.9
_SPREAD = 0.5
_LONGEST_SECONDS = 240.0
_SLIP, _SHARED_WRONG_RULE, _SETS_ASIDE = 0.06, 0.7, 0.25
_SECOND_THOUGHTS = 0.06
"""The share of strokes that are taken back and made again."""


def work(person: Person, scene: TaskScene, solutions: TaskSolutions, chance: Random) -> Work:
    """Works on a task as this person does, until it is closed or they leave."""
    yield from _WORKS[person.kind](person, scene, solutions, chance)


def _learn(person: Person, scene: TaskScene, solutions: TaskSolutions, chance: Random) -> Work:
    knows = chance.random() < _chance_to_see(person, solutions)
    while not scene.finished:
        pair = solutions.task.tests[scene.open]
        first = _seconds(_STUDY_SECONDS * (0.5 if scene.submissions else 1.0), person, chance)
        answer = pair.output if knows else _wrong(pair.output, solutions, chance)
        if chance.random() < _SLIP:
            answer = _with_a_slip(answer, chance)
        edits = list(edits_to(answer, scene.grid, pair.input))
        scene = yield from _draw(person, scene, edits, chance, first=first)
        before = scene
        pause = _seconds(2.0, person, chance) + (0.0 if edits else first)
        scene = yield Step(pause, by_hand(person, {"op": "submit"}))
        if scene.open == before.open and not scene.closed[scene.open]:  # it was wrong
            if chance.random() < 0.3 * (1 - person.patience):
                yield Step(_seconds(4.0, person, chance), Leave())
                return
            if scene.may_be_set_aside and chance.random() < _SETS_ASIDE:
                yield Step(_seconds(6.0, person, chance), SetAside())
                return
            knows = knows or chance.random() < 0.3 + 0.4 * person.skill


def _learn_slowly(person: Person, scene: TaskScene, solutions: TaskSolutions, chance: Random) -> Work:
    yield from _learn(replace(person, tempo=2.5 * person.tempo), scene, solutions, chance)


def _leave_unedited(person: Person, scene: TaskScene, solutions: TaskSolutions, chance: Random) -> Work:
    """Views the task and leaves: now and then before the view counts."""
    yield Step(chance.uniform(3, 14), Leave())


def _submit_as_it_is(person: Person, scene: TaskScene, solutions: TaskSolutions, chance: Random) -> Work:
    """Submits the empty grid, then each time with one cell more, until the tries are used up."""
    while not scene.finished:
        if scene.submissions:
            scene = yield Step(chance.uniform(0.3, 1.2), by_hand(person, _any_cell(scene.grid, chance)))
        scene = yield Step(chance.uniform(0.6, 2.5), by_hand(person, {"op": "submit"}))


def _copy_and_submit(person: Person, scene: TaskScene, solutions: TaskSolutions, chance: Random) -> Work:
    """Submits the input as its own answer, then an empty grid."""
    while not scene.finished:
        edit: EditDocument = {"op": "copy_input"}
        if scene.submissions:
            edit = {"op": "clear"} if any(map(any, scene.grid)) else _any_cell(scene.grid, chance)
        scene = yield Step(chance.uniform(0.8, 4), by_hand(person, edit))
        scene = yield Step(chance.uniform(0.6, 3), by_hand(person, {"op": "submit"}))


def _paint_about(person: Person, scene: TaskScene, solutions: TaskSolutions, chance: Random) -> Work:
    """Paints cells at random and leaves."""
    for _ in range(chance.randint(5, 25)):
        scene = yield Step(chance.uniform(0.3, 1.2), by_hand(person, _any_cell(scene.grid, chance)))
    yield Step(chance.uniform(1, 4), Leave())


def _paint_in_circles(person: Person, scene: TaskScene, solutions: TaskSolutions, chance: Random) -> Work:
    """Paints one cell in two colours by turns, then submits."""
    for number in range(chance.randint(20, 40)):
        edit: EditDocument = {"op": "paint", "colour": 1 + number % 2, "cells": [0]}
        scene = yield Step(chance.uniform(0.25, 0.6), by_hand(person, edit))
    yield from _submit_as_it_is(person, scene, solutions, chance)


_WORKS: dict[Kind, Callable[[Person, TaskScene, TaskSolutions, Random], Work]] = {
    Kind.LEARNER: _learn,
    Kind.SLOW: _learn_slowly,
    Kind.DISTRACTED: _learn,
    Kind.MASHER: _submit_as_it_is,
    Kind.QUITTER: _leave_unedited,
    Kind.WANDERER: _paint_about,
    Kind.CYCLER: _paint_in_circles,
    Kind.FAST_COLLECTOR: _copy_and_submit,
    Kind.SLOW_COLLECTOR: _copy_and_submit,
    Kind.FAVOURITE_KEY: _submit_as_it_is,
    Kind.IDLER: _leave_unedited,
}


def by_hand(person: Person, edit: EditDocument) -> Editing:
    """The edit with this person's input device: cells by pointer, everything else by key or button."""
    if person.hands == TOUCH:
        return Editing(edit, TOUCH if edit["op"] in ("paint", "fill") else BUTTON)
    if edit["op"] in ("paint", "fill"):
        return Editing(edit, MOUSE)
    return Editing(edit, KEY if person.number % 2 else BUTTON)


def _draw(
    person: Person, scene: TaskScene, edits: Sequence[EditDocument], chance: Random, *, first: float
) -> Passage:
    """Makes these edits, the first one after so many seconds."""
    pause = first
    for edit in edits:
        for stroke in (edit, {"op": "undo"}, edit) if chance.random() < _SECOND_THOUGHTS else (edit,):
            scene = yield Step(pause, by_hand(person, stroke))
            pause = _seconds(_STROKE_SECONDS, person, chance)
    return scene


def _chance_to_see(person: Person, solutions: TaskSolutions) -> float:
    """The probability that the person sees the rule at once, 0.03 to 0.97."""
    hard = Random(solutions.name).uniform(0.1, 0.9)
    return min(0.97, max(0.03, 0.45 + 0.9 * person.skill - 0.85 * hard))


def _wrong(solution: Grid, solutions: TaskSolutions, chance: Random) -> Grid:
    """What somebody draws who does not see the rule."""
    if chance.random() < _SHARED_WRONG_RULE:
        return _by_the_wrong_rule(solution)
    return _with_a_slip(_by_the_wrong_rule(solution), chance)


def _by_the_wrong_rule(solution: Grid) -> Grid:
    """The solution without its rarest colour, or, where it has only one, with a row less or more."""
    counts = Counter(cell for row in solution for cell in row if cell)
    if len(counts) > 1:
        rarest = min(counts, key=lambda colour: (counts[colour], colour))
        return tuple(bytes(0 if cell == rarest else cell for cell in row) for row in solution)
    height, width = size_of(solution)
    return resized(solution, height - 1 if height > 1 else height + 1, width)


def _with_a_slip(grid: Grid, chance: Random) -> Grid:
    """The grid with one cell in another colour."""
    height, width = size_of(grid)
    row, column = chance.randrange(height), chance.randrange(width)
    return with_cells(grid, [(row, column)], (grid[row][column] + chance.randrange(1, COLOURS)) % COLOURS)


def _any_cell(grid: Grid, chance: Random) -> EditDocument:
    height, width = size_of(grid)
    cell = position(chance.randrange(height), chance.randrange(width))
    return {"op": "paint", "colour": chance.randrange(1, COLOURS), "cells": [cell]}


def _seconds(median: float, person: Person, chance: Random) -> float:
    return min(chance.lognormvariate(0.0, _SPREAD) * median * person.tempo, _LONGEST_SECONDS)
