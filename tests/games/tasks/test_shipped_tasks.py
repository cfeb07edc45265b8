"""The shipped tasks are valid, and a rule written down for each makes every output of it."""

import json
import re
from pathlib import Path

import pytest

from engine.tasks.grids import listed
from engine.tasks.task import Pair, Task, task_of
from playtest.rules.tasks.duplicates import duplicates
from tests.games.tasks.grids import BLACK, Array, array, objects
from tests.games.tasks.of_meaning import MEANING
from tests.games.tasks.of_motion import MOTION

FOLDER = Path(__file__).parents[3] / "games" / "tasks"
TUTORIAL = "tutorial"


def fill_the_frames(grid: Array) -> Array:
    """The tutorial: the inside of each frame takes the frame's colour."""
    out = grid.copy()
    for each in objects(grid):
        height, width = each.part.shape
        out[each.top : each.top + height, each.left : each.left + width] = each.colour
    return out


RULES = {TUTORIAL: fill_the_frames, **MOTION, **MEANING}
NAMES = sorted(file.stem for file in FOLDER.glob("*.json"))


def shipped(name: str) -> Task:
    return task_of((FOLDER / f"{name}.json").read_text())


def pairs(task: Task) -> tuple[Pair, ...]:
    return (*task.demonstrations, *task.tests)


def test_twenty_tasks_and_a_tutorial_are_shipped_with_a_rule_and_a_line_each() -> None:
    assert set(NAMES) == set(RULES)
    assert len(NAMES) == 21
    assert all(re.fullmatch("[0-9a-f]{8}|tutorial", name) for name in NAMES)
    table = (FOLDER / "README.md").read_text()
    assert sorted(re.findall(r"^\| `([0-9a-f]{8}|tutorial)`", table, re.MULTILINE)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_rule_makes_every_output(name: str) -> None:
    for pair in pairs(shipped(name)):
        assert RULES[name](array(listed(pair.input))).tolist() == listed(pair.output)


@pytest.mark.parametrize("name", NAMES)
def test_it_has_demonstrations_and_up_to_three_test_inputs_that_are_all_different(name: str) -> None:
    task = shipped(name)
    assert len(task.demonstrations) >= 3
    assert 1 <= len(task.tests) <= 3
    assert len({pair.input for pair in pairs(task)}) == len(pairs(task))


@pytest.mark.parametrize("name", sorted({*MOTION, *MEANING}))
def test_no_solution_is_the_input_or_empty(name: str) -> None:
    for pair in shipped(name).tests:
        assert pair.output != pair.input
        assert array(listed(pair.output)).max() > BLACK


def test_no_two_are_the_same_and_their_grids_go_up_to_the_largest_size() -> None:
    tasks = {name: shipped(name) for name in NAMES}
    given = {name: [(pair.input, pair.output) for pair in pairs(task)] for name, task in tasks.items()}
    assert duplicates(given) == []
    sizes = [max(len(grid), len(grid[0])) for each in given.values() for pair in each for grid in pair]
    assert (min(sizes), max(sizes)) == (3, 30)
    assert {len(task.tests) for task in tasks.values()} == {1, 2, 3}


def test_official_readers_find_the_official_names() -> None:
    for name in NAMES:
        document = json.loads((FOLDER / f"{name}.json").read_text())
        assert set(document) == {"train", "test"}
