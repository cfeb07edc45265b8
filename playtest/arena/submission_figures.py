"""The figures of the board of static tasks: its table, score against cost, and the tasks of one file."""

from collections.abc import Sequence

from django.urls import reverse

from playtest.arena.queries.submissions import FileStanding, TaskRow, frontier
from playtest.insight.figures import HREF, Column, Figure


def task_scores(found: Sequence[FileStanding]) -> Figure:
    """A row a file, the best first: shares in percent."""
    return Figure(
        name="scores",
        kind="table",
        title="Programs and people on static tasks",
        caption="",
        columns=(
            Column("program", "Program"),
            Column("kind", "Kind"),
            Column("set", "Set"),
            Column("tasks", "Tasks"),
            Column("answered", "Tasks answered"),
            Column("tasks_solved", "Tasks solved"),
            Column("tasks_solved_percent", "Tasks solved", "%"),
            Column("low_percent", "Lower bound", "%"),
            Column("high_percent", "Upper bound", "%"),
            Column("pairs", "Pairs"),
            Column("pairs_solved", "Pairs solved"),
            Column("partial_percent", "Partial credit", "%"),
            Column("tasks_people_tried", "Tasks that people tried"),
            Column("people_percent", "People: tasks solved", "%"),
            Column("people_partial_percent", "People: partial credit", "%"),
            Column("program_on_same_percent", "Program on the tasks that people tried", "%"),
            Column("cost", "Cost", "$"),
            Column("cost_a_task", "Cost a task", "$"),
            Column("digest", "Digest of the file"),
            Column("imported_at", "Imported"),
        ),
        rows=[
            (
                one.file.program,
                "submission file",
                one.file.release_set,
                one.score.tasks,
                one.answered,
                one.score.solved_tasks,
                one.percent,
                100 * one.solved.low,
                100 * one.solved.high,
                one.score.pairs,
                one.score.solved_pairs,
                one.partial_percent,
                one.tested,
                _percent(one.people),
                _percent(one.people_partial),
                _percent(one.on_same),
                one.file.cost,
                one.cost_a_task,
                one.file.digest,
                one.file.imported_at.isoformat(),
            )
            for one in found
        ],
        empty="",
    )


def task_costs(found: Sequence[FileStanding]) -> Figure:
    """A mark for each file by its cost and the tasks solved; the frontier has the best up to each cost."""
    known = [one for one in found if one.file.cost is not None]
    best = {one.file.pk for one in frontier(known)}
    unknown = len(found) - len(known)
    title = f"{len(best)} of {len(known)} files on the frontier of tasks solved and cost"
    return Figure(
        name="cost",
        kind="scatter",
        title=title if known else "Tasks solved against cost",
        caption="Each mark is a file of answers. Cost is what whoever brought the file says of all its tasks."
        + (f" Left out because nobody says a cost: {unknown}." if unknown else ""),
        columns=(
            Column("label", "Program"),
            Column("group", "Set"),
            Column("x", "Cost", "$"),
            Column("y", "Tasks solved", "%"),
            Column("frontier", "On the frontier"),
            HREF,
        ),
        rows=[
            (
                one.file.program,
                one.file.get_release_set_display(),
                one.file.cost,
                one.percent,
                one.file.pk in best,
                reverse("arena:submission", args=[one.file.pk]),
            )
            for one in known
        ],
        empty="A mark for each file with a cost appears here.",
        options={"x_label": "Cost in $", "y_label": "Tasks solved (%)", "x_log": True},
    )


def tasks_of_file(rows: Sequence[TaskRow]) -> Figure:
    """A row a test input of each task: which answer solved it, and how many people solved the task."""
    return Figure(
        name="tasks",
        kind="table",
        title="Test inputs of each task",
        caption="",
        columns=(
            Column("task", "Task"),
            Column("version", "Version"),
            Column("test_input", "Test input"),
            Column("answered", "Answered"),
            Column("solved_at", "Solved by answer"),
            Column("people", "People"),
            Column("people_who_solved_the_task", "People who solved the task"),
        ),
        rows=[
            (
                row.task.version.environment.code,
                row.task.version.digest,
                number,
                bool(row.task.right[number - 1]),
                solved,
                row.people.people if row.people else 0,
                row.people.solved if row.people else 0,
            )
            for row in rows
            for number, solved in enumerate(row.solved_at, start=1)
        ],
        empty="",
    )


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value
