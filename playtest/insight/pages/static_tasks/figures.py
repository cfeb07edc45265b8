"""Figures of the static tasks of a study, and the people behind a bar."""

from collections.abc import Callable
from typing import NamedTuple

import polars as pl
from django.urls import reverse

from playtest.insight.figures import Figure, Row, columns, table
from playtest.insight.pages.static_tasks.files import pairs_of, people_of
from playtest.insight.pages.static_tasks.tables import TaskTables
from playtest.insight.pages.study.histograms import SOLVED, UNSOLVED, Intervals
from playtest.insight.pages.study.links import StudyLinks

_SHARES = Intervals(10, 10)
"""Percent; the last interval has 100 %."""
_MINUTES = Intervals(1, 16)


def by_minutes(found: TaskTables) -> pl.DataFrame:
    """`TaskTables.pairs` with `bar` and `group`, by the time for which the pair was shown."""
    group = pl.when("completed").then(pl.lit(SOLVED)).otherwise(pl.lit(UNSOLVED))
    return found.pairs.with_columns(bar=_MINUTES.of(pl.col("minutes")), group=group).sort(
        "minutes", "attempt"
    )


def by_pair_share(found: TaskTables) -> pl.DataFrame:
    """`TaskTables.by_pair` with `bar` and `group`."""
    return _by(found.by_pair, "share")


def by_person_share(found: TaskTables) -> pl.DataFrame:
    """`TaskTables.by_person` with `bar` and `group`, without who attempted no pair."""
    return _by(found.by_person.filter(pl.col("pair_share").is_not_null()), "pair_share")


def _by(table: pl.DataFrame, share: str) -> pl.DataFrame:
    return table.with_columns(bar=_SHARES.of(100 * pl.col(share)), group=pl.lit(""))


class Bars(NamedTuple):
    """A histogram: its intervals and their unit, the rows that it counts, and how a bar lists them.

    `nouns` name one of the rows, and several.
    """

    intervals: Intervals
    unit: str
    nouns: tuple[str, str]
    rows: Callable[[TaskTables], pl.DataFrame]
    listed: Callable[[pl.DataFrame, StudyLinks], Figure]


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
    "pair-success": Bars(_SHARES, "% solved", ("test pair", "test pairs"), by_pair_share, pairs_of),
    "person-success": Bars(_SHARES, "% solved", ("person", "people"), by_person_share, people_of),
}
"""By the name of the figure."""


def counts(found: TaskTables, name: str) -> pl.DataFrame:
    """bar, group and len of each bar that counts something; solved ones first."""
    table = BARS[name].rows(found).group_by("bar", "group").agg(pl.len())
    return table.sort("group", "bar", descending=[True, False])


def bar_address(links: StudyLinks, name: str, number: int, group: str) -> str | None:
    """The list of what a bar counts."""
    return links.bar(name, number, group, page="insight:study-tasks-bar")


def in_bar(found: TaskTables, name: str, number: int, group: str) -> pl.DataFrame:
    """The rows that one bar counts."""
    return BARS[name].rows(found).filter(pl.col("bar") == number, pl.col("group") == group)


type Builder = Callable[[TaskTables, StudyLinks], Figure]


def time_figure(found: TaskTables, links: StudyLinks) -> Figure:
    """The time on test pairs by outcome (figure 3)."""
    return Figure(
        name="time",
        kind="histogram",
        title="Time on a test pair by outcome",
        caption="Attempts at test pairs by the time for which the pair was shown; the last bar has no end.",
        columns=columns(
            "low From [minutes] | high To under [minutes] | people Attempts | group Outcome | href"
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
        columns=columns(f"low From [%] | high To under, the last to [%] | people {unit} | href"),
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
        columns=columns(
            "label Participant | x Speed [solved per minute] | y Solved [%] | tasks Attempts | href"
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
