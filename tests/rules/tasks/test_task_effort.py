"""Static tasks have evidence of effort of their own."""

from playtest.rules.effort import Finding, Rule, Strength, Thresholds, opens_review
from playtest.rules.tasks.effort import Submitted, TaskView, task_findings

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
