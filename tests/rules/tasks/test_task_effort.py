"""Static tasks have evidence of effort of their own."""

from playtest.rules.tasks.effort import Submitted, TaskSign, TaskView, evidence

GRID, EMPTY = ((1, 0),), ((0, 0),)


def signs(*views: TaskView) -> list[TaskSign]:
    return [each.sign for each in evidence(views, 5)]


def submitted(*grids: tuple[tuple[int, ...], ...], test_input: int = 1) -> TaskView:
    found = tuple(Submitted(seq, test_input, grid) for seq, grid in enumerate(grids, start=1))
    return TaskView(1, 60, 3, found)


def test_who_edits_and_submits_different_grids_shows_no_sign() -> None:
    assert signs(submitted(GRID, ((2, 0),)), TaskView(2, 60, 1)) == []
    assert signs() == []


def test_two_tasks_viewed_without_an_edit_are_a_sign_and_one_is_none() -> None:
    assert signs(TaskView(1, 5.001, 0)) == []
    assert signs(TaskView(1, 5.001, 0), TaskView(2, 5.0, 0)) == []
    found = evidence([TaskView(1, 60, 0), TaskView(2, 90, 0), TaskView(3, 60, 1)], 5)
    assert [each.sentence for each in found] == [
        "2 of 3 tasks were viewed, for 2:30 min in all, and nothing was edited."
    ]
    assert found[0].shown == ((1, 0), (2, 0))


def test_a_task_that_is_edited_later_was_tried() -> None:
    assert signs(TaskView(1, 60, 0), TaskView(2, 60, 0), TaskView(2, 60, 4)) == []


def test_the_same_grid_again_is_a_sign_for_the_same_test_input_only() -> None:
    found = evidence([submitted(GRID, GRID)], 5)
    assert [(each.sign, each.shown) for each in found] == [(TaskSign.IDENTICAL, ((1, 2),))]
    assert signs(submitted(GRID), submitted(GRID, test_input=2)) == []
    assert signs(submitted(GRID), submitted(GRID)) == [TaskSign.IDENTICAL]


def test_an_empty_grid_is_a_sign() -> None:
    assert signs(submitted(EMPTY)) == [TaskSign.EMPTY]


def test_three_returns_without_an_edit_are_cycling() -> None:
    views = [TaskView(attempt, 3, edits) for attempt, edits in [(1, 2), (2, 2), (1, 0), (2, 0), (1, 0)]]
    assert signs(*views[:4]) == []
    assert signs(*views) == [TaskSign.CYCLING]
    assert signs(*views[:4], TaskView(1, 3, 1)) == []


def test_two_views_of_one_task_in_a_row_are_no_return() -> None:
    assert signs(TaskView(1, 3, 1), *[TaskView(1, 3, 0)] * 4) == []
