"""Tasks are found to be the same up to colours, rotation, reflection and the order of pairs."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.tasks.duplicates import MOVES, Pairs, Rows, duplicates, same_task


@st.composite
def grids(draw: st.DrawFn) -> Rows:
    width = draw(st.integers(1, 3))
    return tuple(draw(st.lists(st.tuples(*[st.integers(0, 3)] * width), min_size=1, max_size=3)))


TASKS = st.lists(st.tuples(grids(), grids()), min_size=1, max_size=3).map(tuple)


@given(TASKS, st.sampled_from(MOVES), st.permutations(range(10)), st.data())
def test_a_moved_recoloured_and_reordered_task_is_the_same(
    task: Pairs, move: Callable[[Rows], Rows], colours: list[int], data: st.DataObject
) -> None:
    def changed(grid: Rows) -> Rows:
        return move(tuple(tuple(colours[cell] for cell in row) for row in grid))

    other = tuple(data.draw(st.permutations([(changed(source), changed(target)) for source, target in task])))
    assert same_task(task, other)
    assert duplicates({"a": task, "b": other}) == [("a", "b")]


@given(TASKS, TASKS)
def test_sameness_goes_both_ways_and_the_list_agrees_with_it(first: Pairs, second: Pairs) -> None:
    assert same_task(first, second) == same_task(second, first)
    assert duplicates({"a": first, "b": second}) == ([("a", "b")] if same_task(first, second) else [])


def test_the_moves_are_eight_different_ones() -> None:
    grid: Rows = ((0, 1, 2), (3, 4, 5))
    assert len({move(grid) for move in MOVES}) == 8


def test_pairs_that_need_different_exchanges_of_colours_are_another_task() -> None:
    one: Pairs = ((((1, 2),), ((1, 1),)), (((1, 3),), ((3, 3),)))
    other: Pairs = ((((1, 2),), ((1, 1),)), (((3, 1),), ((1, 1),)))
    assert not same_task(one, other)
    assert not same_task(one, one[:1])
