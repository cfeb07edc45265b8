"""The drawn figures of a study's static tasks, by name."""

from collections.abc import Callable

import polars as pl

from playtest.insight.figures import HREF, Column, Figure, Row
from playtest.insight.static_tasks.bars import BARS, bar_address, counts
from playtest.insight.static_tasks.tables import TaskTables
from playtest.insight.study.links import StudyLinks

type Builder = Callable[[TaskTables, StudyLinks], Figure]


def time_figure(found: TaskTables, links: StudyLinks) -> Figure:
    """The time on test pairs by outcome (figure 3)."""
    return Figure(
        name="time",
        kind="histogram",
        title="Time on a test pair by outcome",
        caption="Attempts at test pairs by the time for which the pair was shown; the last bar has no end.",
        columns=(
            Column("low", "From", "minutes"),
            Column("high", "To under", "minutes"),
            Column("people", "Attempts"),
            Column("group", "Outcome"),
            HREF,
        ),
        rows=[
            (*BARS["time"].intervals.ends(bar), count, group, bar_address(links, "time", bar, group))
            for bar, group, count in counts(found, "time").iter_rows()
        ],
        empty="A bar appears here with the first attempt that counts.",
        options={"x_label": "Minutes on the test pair", "y_label": "Attempts"},
    )


def pair_success_figure(found: TaskTables, links: StudyLinks) -> Figure:
    """How success is distributed over pairs."""
    title = "How many people solve a test pair"
    caption = "Test pairs by the share of the people who attempted them that solved them."
    return _shares(found, links, "pair-success", title, caption, "Test pairs")


def person_success_figure(found: TaskTables, links: StudyLinks) -> Figure:
    """How success is distributed over people."""
    title = "How many test pairs a person solves"
    caption = "People by the share of the test pairs they attempted that they solved."
    return _shares(found, links, "person-success", title, caption, "People")


def _shares(found: TaskTables, links: StudyLinks, name: str, title: str, caption: str, unit: str) -> Figure:
    width = BARS[name].intervals.width
    return Figure(
        name=name,
        kind="histogram",
        title=title,
        caption=caption,
        columns=(
            Column("low", "From", "%"),
            Column("high", "To under, the last to", "%"),
            Column("people", unit),
            HREF,
        ),
        rows=[
            (bar * width, (bar + 1) * width, count, bar_address(links, name, bar, group))
            for bar, group, count in counts(found, name).iter_rows()
        ],
        empty="A bar appears here with the first attempt that counts.",
        options={"x_label": "% solved", "y_label": unit},
    )


def speed_figure(found: TaskTables, links: StudyLinks) -> Figure:
    """Accuracy against speed, one dot for each person (figure 4)."""
    people = found.by_person.filter(pl.col("speed").is_not_null())
    rows: list[Row] = [
        (person, speed, 100 * share, tasks, links.person(person, sessions))
        for person, speed, share, tasks, sessions in people.select(
            "participant", "speed", "share", "tasks", "sessions"
        ).iter_rows()
    ]
    return Figure(
        name="speed",
        kind="scatter",
        title=_speed_title(found),
        caption=(
            "Each dot is one person: tasks solved per minute of their counted attempts (speed), and the "
            "share of these attempts that solved all pairs (accuracy)."
        ),
        columns=(
            Column("label", "Participant"),
            Column("x", "Speed", "solved per minute"),
            Column("y", "Solved", "%"),
            Column("tasks", "Attempts"),
            HREF,
        ),
        rows=rows,
        empty="A dot for each person appears here with their first attempt that counts.",
        options={"x_label": "Tasks solved per minute", "y_label": "% of attempts solved"},
    )


def _speed_title(found: TaskTables) -> str:
    test = found.speed_and_accuracy
    if test is None:
        return "Speed and accuracy of each person"
    p = "p < 0.001" if test.p < 0.001 else f"p = {test.p:.3f}"
    return f"Speed and accuracy correlate by {test.statistic:.2f} ({test.people} people, {p})"


DRAWN: dict[str, Builder] = {
    "time": time_figure,
    "pair-success": pair_success_figure,
    "person-success": person_success_figure,
    "speed": speed_figure,
}
"""In the order of the page."""
