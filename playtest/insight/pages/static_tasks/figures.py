"""Figures of the static tasks of a study, and the people behind a bar."""

from collections.abc import Callable

import polars as pl
from django.urls import reverse

from playtest.insight.figures import Figure, Row, columns, table
from playtest.insight.pages.environment.distributions import DOUBTED
from playtest.insight.pages.static_tasks.tables import TaskTables
from playtest.insight.pages.study.histograms import SOLVED, UNSOLVED, Bars, Intervals
from playtest.insight.pages.study.links import StudyLinks
from playtest.rules.text import persons

_MINUTES = Intervals(1, 16)


def by_minutes(found: TaskTables) -> pl.DataFrame:
    """`TaskTables.pairs` with `bar` and `group`, by the time for which the pair was shown."""
    group = pl.when("completed").then(pl.lit(SOLVED)).otherwise(pl.lit(UNSOLVED))
    return found.pairs.with_columns(bar=_MINUTES.of(pl.col("minutes")), group=group).sort(
        "minutes", "attempt"
    )


def attempts_of(rows: pl.DataFrame, _links: StudyLinks) -> Figure:
    """Attempts at pairs, each with its replay."""
    chosen = rows.select("participant", "environment", "level", "solved_at", "minutes", "attempt")
    listed: list[Row] = [
        (who, task, pair, solved_at, minutes, f"{reverse('review:attempt', args=[attempt])}#level={pair}")
        for who, task, pair, solved_at, minutes, attempt in chosen.iter_rows()
    ]
    written = (
        "label Replay | task Task | pair Test pair | solved_at Solved at try | minutes Time [minutes] | href"
    )
    return table("attempts", "Attempts at test pairs", written, listed)


BARS: dict[str, Bars] = {
    "time": Bars(
        _MINUTES, "min", ("attempt at a test pair", "attempts at test pairs"), by_minutes, attempts_of
    ),
}
"""By the name of the figure."""


type Builder = Callable[[TaskTables, StudyLinks], Figure]


def time_figure(found: TaskTables, links: StudyLinks) -> Figure:
    """The time on test pairs by outcome (figure 3)."""
    page = "insight:study-tasks-bar"
    return Figure(
        name="time",
        kind="histogram",
        title=f"Time on a test pair by outcome (n = {found.pairs.height:,} attempts)",
        caption="Attempts at test pairs by the time for which the pair was shown; the last bar has no end.",
        columns=columns(
            f"low From [minutes] | high To under [minutes] | people Attempts{DOUBTED} [attempts] | "
            "group Outcome | href"
        ),
        rows=[
            (*_MINUTES.ends(bar), count, waiting, group, links.bar("time", bar, group, page))
            for bar, group, count, waiting in BARS["time"].counts(found).iter_rows()
        ],
        empty="A bar appears here with the first attempt that counts.",
        options={"x_label": "Minutes on the test pair", "y_label": "Attempts"},
    )


def speed_figure(found: TaskTables, links: StudyLinks) -> Figure:
    """Accuracy against speed, one dot for each person (figure 4)."""
    people = found.by_person.filter(pl.col("speed").is_not_null())
    rows: list[Row] = [
        (person, speed, 100 * share, tasks, waiting, links.person(person, sessions))
        for person, speed, share, tasks, waiting, sessions in people.select(
            "participant", "speed", "share", "tasks", "under_review", "sessions"
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
        columns=columns(
            f"label Participant | x Speed [solved per minute] | y Solved [%] | tasks Attempts{DOUBTED} | href"
        ),
        rows=rows,
        empty="A dot for each person appears here with their first attempt that counts.",
        options={"x_label": "Tasks solved per minute", "y_label": "% of attempts solved"},
    )


def _speed_title(found: TaskTables) -> str:
    test = found.speed_and_accuracy
    if test is None:
        return f"Speed and accuracy of {persons(found.by_person.height)}"
    p = "p < 0.001" if test.p < 0.001 else f"p = {test.p:.3f}"
    return f"Speed and accuracy correlate by {test.statistic:.2f} ({persons(test.people)}, {p})"


DRAWN: dict[str, Builder] = {
    "time": time_figure,
    "speed": speed_figure,
}
"""In the order of the page."""
