"""Simulated people on static tasks: every edit is possible, everybody ends, and equal seeds agree."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tasks.edits import edit_of
from engine.tasks.game import TaskGame
from engine.tasks.grids import Grid
from engine.tasks.state import Submissions
from engine.tasks.task import Pair, Task, task_of
from playtest.rehearsal.people.person import Kind, Person
from playtest.rehearsal.people.population import work_on
from playtest.rehearsal.people.steps import Editing, Leave, SetAside
from playtest.rehearsal.people.task_worker import TaskScene, TaskSolutions, edits_to

FOLDER = Path(__file__).parents[2] / "games" / "tasks"
SHIPPED = sorted(path.stem for path in FOLDER.glob("*.json"))
sizes = st.integers(1, 6)


def grids(height: int, width: int) -> st.SearchStrategy[Grid]:
    row = st.lists(st.integers(0, 9), min_size=width, max_size=width).map(bytes)
    return st.lists(row, min_size=height, max_size=height).map(tuple)


@given(st.data())
def test_a_drawing_leads_to_the_grid_that_is_wanted(data: st.DataObject) -> None:
    wanted, now, given = (
        data.draw(st.tuples(sizes, sizes).flatmap(lambda size: grids(*size))) for _ in "123"
    )
    game = TaskGame(Task((Pair(wanted, now),), (Pair(given, wanted),)), Submissions())
    for target in (now, wanted):
        for edit in edits_to(target, game.state.current.grid, given):
            game.act(edit_of(edit))
        assert game.state.current.grid == target


def worked(person: Person, code: str) -> tuple[TaskGame, float, bool]:
    """The game after this person's work, the seconds it took, and whether they left."""
    task = task_of((FOLDER / f"{code}.json").read_text())
    game, seconds = TaskGame(task, Submissions()), 0.0
    steps = work_on(person, scene_of(game), TaskSolutions(code, task))
    step = next(steps, None)
    while step is not None:
        seconds += step.pause
        if isinstance(step.act, Leave):
            return game, seconds, True
        assert isinstance(step.act, Editing)
        game.act(edit_of(step.act.edit))
        try:
            step = steps.send(scene_of(game))
        except StopIteration:
            break
    return game, seconds, False


def scene_of(game: TaskGame) -> TaskScene:
    state, rule = game.state, game.rule
    closed = tuple(each.closed(rule) for each in state.inputs)
    return TaskScene(state.open, state.current.grid, len(state.current.submissions), closed)


@pytest.mark.parametrize("kind", list(Kind))
def test_everybody_comes_to_an_end(kind: Kind) -> None:
    for number, code in enumerate(SHIPPED):
        game, seconds, left = worked(Person(number, 3, kind, patience=number % 5 / 4), code)
        assert left or game.state.finished(game.rule)
        assert seconds > 0


def test_the_skilled_solve_more_and_equal_seeds_agree() -> None:
    def solved(skill: float) -> int:
        people = (Person(number, 7, Kind.LEARNER, skill=skill) for number in range(8))
        return sum(
            game.state.solved(game.rule) == len(game.task.tests)
            for person in people
            for game, _, _ in [worked(person, SHIPPED[person.number])]
        )

    assert solved(0.99) > solved(0.05)
    person = Person(5, 5, Kind.LEARNER)
    assert worked(person, SHIPPED[1])[0].state == worked(person, SHIPPED[1])[0].state


def test_some_set_a_task_aside_after_a_wrong_submission_and_only_where_they_may() -> None:
    task = task_of((FOLDER / f"{SHIPPED[0]}.json").read_text())

    def sets_aside(number: int, may: bool) -> bool:
        game = TaskGame(task, Submissions())
        person = Person(number, 5, Kind.LEARNER, skill=0.0, patience=1.0)
        scene = replace(scene_of(game), may_be_set_aside=may)
        steps = work_on(person, scene, TaskSolutions(SHIPPED[0], task))
        step = next(steps, None)
        while step is not None and isinstance(step.act, Editing):
            game.act(edit_of(step.act.edit))
            try:
                step = steps.send(replace(scene_of(game), may_be_set_aside=may))
            except StopIteration:
                return False
        return step is not None and isinstance(step.act, SetAside)

    assert 0 < sum(sets_aside(number, may=True) for number in range(30)) < 30
    assert not any(sets_aside(number, may=False) for number in range(30))
