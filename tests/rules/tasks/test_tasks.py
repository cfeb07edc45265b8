"""Static tasks: which are the same, evidence of effort, what solves them, and wrong outputs."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.acceptance import Acceptance, Gate
from playtest.rules.effort.evidence import Finding, Rule, Strength, opens_review
from playtest.rules.effort.thresholds import Thresholds
from playtest.rules.tasks.duplicates import Pairs, Rows, duplicates, moves, same_task
from playtest.rules.tasks.effort import Submitted, TaskView, task_findings
from playtest.rules.tasks.success import (
    WrongOutput,
    ambiguous,
    counts_as_attempt,
    grouped,
    solved_at,
    task_score,
)
from tests.refusals import rule_refused


@st.composite
def grids(draw: st.DrawFn) -> Rows:
    width = draw(st.integers(1, 3))
    return tuple(draw(st.lists(st.tuples(*[st.integers(0, 3)] * width), min_size=1, max_size=3)))


TASKS = st.lists(st.tuples(grids(), grids()), min_size=1, max_size=3).map(tuple)


@given(TASKS, st.integers(0, 7), st.permutations(range(10)), st.data())
def test_a_moved_recoloured_and_reordered_task_is_the_same(
    task: Pairs, move: int, colours: list[int], data: st.DataObject
) -> None:
    def changed(grid: Rows) -> Rows:
        return tuple(tuple(colours[cell] for cell in row) for row in grid)

    moved = list(moves(tuple((changed(source), changed(target)) for source, target in task)))[move]
    other = tuple(data.draw(st.permutations(moved)))
    assert same_task(task, other)
    assert duplicates({"a": task, "b": other}) == [("a", "b")]


@given(TASKS, TASKS)
def test_sameness_goes_both_ways_and_the_list_agrees_with_it(first: Pairs, second: Pairs) -> None:
    assert same_task(first, second) == same_task(second, first)
    assert duplicates({"a": first, "b": second}) == ([("a", "b")] if same_task(first, second) else [])


def test_the_moves_are_eight_different_ones() -> None:
    grid: Rows = ((0, 1, 2), (3, 4, 5))
    assert len(set(moves(((grid, grid),)))) == 8


def test_pairs_that_need_different_exchanges_of_colours_are_another_task() -> None:
    one: Pairs = ((((1, 2),), ((1, 1),)), (((1, 3),), ((3, 3),)))
    other: Pairs = ((((1, 2),), ((1, 1),)), (((3, 1),), ((1, 1),)))
    assert not same_task(one, other)
    assert not same_task(one, one[:1])


GRID, EMPTY = ((1, 0),), ((0, 0),)


def found_in(*views: TaskView, **changes: int) -> list[Finding]:
    return task_findings(views, 5, Thresholds(**changes))


def signs(*views: TaskView, **changes: int) -> list[Rule]:
    return [each.rule for each in found_in(*views, **changes)]


def submitted(*grids: tuple[tuple[int, ...], ...], test_input: int = 1) -> TaskView:
    found = tuple(Submitted(seq, test_input, grid) for seq, grid in enumerate(grids, start=1))
    return TaskView(1, 60, 3, found)


def test_who_edits_and_submits_different_grids_shows_no_sign() -> None:
    assert signs(submitted(GRID, ((2, 0),)), TaskView(2, 60, 1)) == []
    assert signs() == []


def test_two_tasks_viewed_without_an_edit_are_a_sign_and_one_is_none() -> None:
    assert signs(TaskView(1, 5.001, 0)) == []
    assert signs(TaskView(1, 5.001, 0), TaskView(2, 5.0, 0)) == []
    found = found_in(TaskView(1, 60, 0), TaskView(2, 90, 0), TaskView(3, 60, 1))
    assert [each.sentence for each in found] == [
        "2 of 3 tasks were viewed, for 2:30 min in all, and nothing was edited."
    ]
    assert found[0].moments == ((1, 0), (2, 0))
    assert found[0].figures == {"tasks": 2, "of": 3, "seconds": 150}


def test_a_task_that_is_edited_later_was_tried() -> None:
    assert signs(TaskView(1, 60, 0), TaskView(2, 60, 0), TaskView(2, 60, 4)) == []


def test_the_same_grid_again_is_a_sign_for_the_same_test_input_only() -> None:
    found = found_in(submitted(GRID, GRID))
    assert [(each.rule, each.moments) for each in found] == [(Rule.REPEATED_SUBMISSIONS, ((1, 2),))]
    assert signs(submitted(GRID), submitted(GRID, test_input=2)) == []
    assert signs(submitted(GRID), submitted(GRID)) == [Rule.REPEATED_SUBMISSIONS]


def test_an_empty_grid_is_a_sign() -> None:
    assert signs(submitted(EMPTY)) == [Rule.EMPTY_SUBMISSIONS]


def test_three_returns_without_an_edit_are_cycling() -> None:
    views = [TaskView(attempt, 3, edits) for attempt, edits in [(1, 2), (2, 2), (1, 0), (2, 0), (1, 0)]]
    assert signs(*views[:4]) == []
    assert signs(*views) == [Rule.IDLE_RETURNS]
    assert signs(*views[:4], TaskView(1, 3, 1)) == []


def test_two_views_of_one_task_in_a_row_are_no_return() -> None:
    assert signs(TaskView(1, 3, 1), *[TaskView(1, 3, 0)] * 4) == []


def test_most_tasks_without_an_edit_are_a_strong_sign() -> None:
    idle = [TaskView(1, 60, 0), TaskView(2, 60, 0)]
    assert [one.strength for one in found_in(*idle, TaskView(3, 60, 1))] == [Strength.STRONG]
    half = found_in(*idle, TaskView(3, 60, 1), TaskView(4, 60, 1))
    assert [one.strength for one in half] == [Strength.REVIEW]


def test_an_empty_grid_that_is_right_is_no_sign() -> None:
    assert signs(TaskView(1, 60, 1, (Submitted(1, 1, EMPTY, right=True),))) == []


def test_an_empty_grid_submitted_twice_is_one_piece_of_evidence() -> None:
    found = found_in(submitted(EMPTY, EMPTY))
    assert [one.rule for one in found] == [Rule.REPEATED_SUBMISSIONS, Rule.EMPTY_SUBMISSIONS]
    assert not opens_review((one.rule, one.strength) for one in found)


def test_a_study_may_ask_for_more() -> None:
    assert signs(submitted(EMPTY, EMPTY), empty_submissions=3, repeated_submissions=2) == []
    assert signs(TaskView(1, 60, 0), TaskView(2, 60, 0), unedited_tasks=3) == []


SUBMISSIONS = st.lists(st.booleans(), max_size=6)
TRIES = st.integers(1, 4)


@pytest.mark.parametrize(("seconds", "counts"), [(0, False), (5.0, False), (5.001, True)])
def test_a_view_counts_if_it_took_longer_than_the_limit(seconds: float, counts: bool) -> None:
    assert counts_as_attempt(seconds, 5) is counts


@pytest.mark.parametrize(
    ("submissions", "at"),
    [([], None), ([True], 1), ([False, True], 2), ([False, False, True], None), ([False, False], None)],
)
def test_a_pair_is_solved_by_one_of_the_first_two_submissions(
    submissions: list[bool], at: int | None
) -> None:
    assert solved_at(submissions, 2) == at


@given(st.lists(SUBMISSIONS, min_size=1, max_size=4), TRIES)
def test_a_task_is_solved_by_all_its_pairs_with_partial_credit_beside(
    pairs: list[list[bool]], tries: int
) -> None:
    score = task_score(pairs, tries)
    assert score.complete == all(any(each[:tries]) for each in pairs)
    assert score.partial == Fraction(sum(any(each[:tries]) for each in pairs), len(pairs))
    assert (score.partial == 1) == score.complete


@pytest.mark.parametrize(
    ("code", "pairs", "tries"), [("task_without_pairs", [], 2), ("tries_not_positive", [[]], 0)]
)
def test_impossible_numbers_are_refused(code: str, pairs: list[list[bool]], tries: int) -> None:
    with rule_refused(code):
        task_score(pairs, tries)


@pytest.mark.parametrize(
    ("solved", "result"),
    [([], False), ([1], False), ([1, 0, 0], False), ([1, 1], True), ([2, 1, 0], True), ([0, 0], False)],
)
def test_a_task_is_accepted_once_two_people_solved_a_pair(solved: list[int], result: bool) -> None:
    found = Acceptance(people=10, solvers=2).verdict_on_task(len(solved), 0, sum(each > 0 for each in solved))
    assert (found.gate is Gate.PASSED) is result


GRIDS = [((1, 0),), ((1,), (0,)), ((2,),)]
OUTPUTS = st.lists(st.tuples(st.integers(1, 4), st.sampled_from(GRIDS)), max_size=12)


@given(OUTPUTS)
def test_every_submission_is_in_one_group_and_the_most_common_first(
    given_: list[tuple[int, tuple[tuple[int, ...], ...]]],
) -> None:
    found = grouped((person, grid, place) for place, (person, grid) in enumerate(given_))
    assert sorted(place for each in found for place in each.submitted) == list(range(len(given_)))
    for each in found:
        assert all(given_[place][1] == each.grid for place in each.submitted)
        assert each.people == len({given_[place][0] for place in each.submitted})
    assert [each.people for each in found] == sorted((each.people for each in found), reverse=True)
    assert len({each.grid for each in found}) == len(found)


def test_grids_of_the_same_cells_and_other_size_are_different() -> None:
    assert len(grouped([(1, [[1, 0]], "a"), (2, [[1], [0]], "b")])) == 2


def test_a_grid_may_be_given_as_bytes() -> None:
    assert len(grouped([(1, (bytes([1, 0]),), "a"), (2, [[1, 0]], "b")])) == 1


@pytest.mark.parametrize(
    ("people", "solvers", "result"),
    [([], 0, False), ([1], 0, False), ([2], 0, True), ([2], 2, True), ([2], 3, False), ([1, 1], 0, False)],
)
def test_a_pair_is_ambiguous_if_as_many_agree_on_a_wrong_output_as_solved_it(
    people: list[int], solvers: int, result: bool
) -> None:
    wrong = [WrongOutput(GRIDS[0], number, tuple(range(number))) for number in people]
    assert ambiguous(wrong, solvers) is result


def test_one_person_who_repeats_a_wrong_output_agrees_with_nobody() -> None:
    assert not ambiguous(grouped([(1, GRIDS[0], 1), (1, GRIDS[0], 2)]), 0)
