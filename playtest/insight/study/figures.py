"""The figures of a study's page, by name."""

from collections.abc import Callable

import polars as pl

from playtest.insight.figures import HREF, Column, Figure, Row
from playtest.insight.study.histograms import MINUTES, PERCENT, compared, timed
from playtest.insight.study.links import StudyLinks
from playtest.insight.study.people import breakdowns, by_person
from playtest.insight.study.results import StudyNumbers, StudyResults
from playtest.rules.proportions import share
from playtest.studio.models import Environment

type Builder = Callable[[StudyResults, StudyNumbers, StudyLinks], Figure]


def success_figure(results: StudyResults, _numbers: StudyNumbers, links: StudyLinks) -> Figure:
    """Solved attempts of each environment, the most solved first."""
    counts = results.counted.group_by("environment").agg(pl.len().alias("people"), pl.col("solved").sum())
    found = {code: share(solved, people) for code, people, solved in counts.iter_rows()}
    ids = dict(Environment.objects.filter(code__in=list(found)).values_list("code", "pk"))
    rows: list[Row] = [
        (
            code,
            100 * one.value,
            100 * one.low,
            100 * one.high,
            one.count,
            one.people,
            links.attempts(environment=ids[code]),
        )
        for code, one in sorted(found.items(), key=lambda pair: (-pair[1].value, pair[0]))
    ]
    return Figure(
        name="success",
        kind="bars",
        title=_success_title([one.value for one in found.values()]),
        caption="Attempts that completed all levels, with the 95 % interval that so few people leave.",
        columns=(
            Column("label", "Environment"),
            Column("value", "Solved", "%"),
            Column("low", "At least", "%"),
            Column("high", "At most", "%"),
            Column("solved", "Solved", "attempts"),
            Column("people", "Tried", "attempts"),
            HREF,
        ),
        rows=rows,
        empty="A bar for each environment appears here with its first attempt that counts.",
        options={"value_label": "% of attempts solved"},
    )


def _success_title(shares: list[float]) -> str:
    if not shares:
        return "Success by environment"
    most = sum(value >= 0.5 for value in shares)
    noun = "environment was" if len(shares) == 1 else "environments were"
    return f"{most} of {len(shares)} {noun} solved by half of those who tried, or more"


def time_figure(results: StudyResults, numbers: StudyNumbers, links: StudyLinks) -> Figure:
    counts = timed(results).group_by("bar", "group").agg(pl.len())
    rows: list[Row] = [
        (*MINUTES.ends(bar), count, group, links.bar("time", bar, group))
        for bar, group, count in counts.sort("group", "bar", descending=[True, False]).iter_rows()
    ]
    solved, unsolved = numbers.solved_duration.minutes, numbers.unsolved_duration.minutes
    words = [
        f"{minutes:.1f} minutes {how}"
        for minutes, how in ((solved, "when solved"), (unsolved, "when not"))
        if minutes is not None
    ]
    return Figure(
        name="time",
        kind="histogram",
        title=f"Median time: {', '.join(words)}" if words else "Time on an environment by outcome",
        caption="Attempts by their time from the first frame to the last action, in steps of two minutes.",
        columns=(
            Column("low", "From", "minutes"),
            Column("high", "To under", "minutes"),
            Column("people", "Attempts"),
            Column("group", "Outcome"),
            HREF,
        ),
        rows=rows,
        empty="A bar appears here with the first attempt of more than 30 actions and under 30 minutes.",
        options={"x_label": "Minutes on the environment", "y_label": "Attempts"},
    )


def efficiency_figure(results: StudyResults, numbers: StudyNumbers, links: StudyLinks) -> Figure:
    found = compared(results)
    rows: list[Row] = [
        (*PERCENT.ends(bar), count, links.bar("efficiency", bar))
        for bar, count in found.group_by("bar").agg(pl.len()).sort("bar").iter_rows()
    ]
    return Figure(
        name="efficiency",
        kind="histogram",
        title=_efficiency_title(found),
        caption=(
            f"{numbers.level_completions:,} level completions, each its actions over the median of everyone"
            " here who completed that level: below 100 % is fewer actions than the median person."
            f"{_open_bar(found)}"
        ),
        columns=(
            Column("low", "From", "% of the level's median"),
            Column("high", "To under", "% of the level's median"),
            Column("people", "Level completions"),
            HREF,
        ),
        rows=rows,
        empty="A bar appears here once somebody has completed a level.",
        options={
            "x_label": "Actions, in % of the level's median",
            "y_label": "Level completions",
            "lines": [{"name": "as many as the median person", "value": 100}],
        },
    )


def _open_bar(found: pl.DataFrame) -> str:
    """About the bar that has no end, where it counts anything."""
    last = PERCENT.count - 1
    if not (found["bar"] == last).any():
        return ""
    return f" The last bar is everything from {PERCENT.ends(last)[0]:.0f} % on."


def _efficiency_title(found: pl.DataFrame) -> str:
    if found.is_empty():
        return "Actions on each level relative to the level's median"
    low, high = (found["percent"].quantile(at, "linear") or 0.0 for at in (0.25, 0.75))
    return f"Half of all levels took {low:.0f} to {high:.0f} % of the median person's actions"


def people_figure(results: StudyResults, _numbers: StudyNumbers, links: StudyLinks) -> Figure:
    """Speed against accuracy, a dot a person."""
    people = by_person(results)
    rows: list[Row] = [
        (person, pace, 100 * solved, attempts, links.person(person, sessions))
        for person, pace, solved, attempts, sessions in people.select(
            "participant", "pace", "share", "attempts", "sessions"
        ).iter_rows()
    ]
    return Figure(
        name="people",
        kind="scatter",
        title=_people_title(people),
        caption=(
            "Each dot is one person: the median over their attempts of seconds an action, and the share of"
            " those attempts that completed all levels."
        ),
        columns=(
            Column("label", "Participant"),
            Column("x", "Pace", "seconds an action"),
            Column("y", "Solved", "%"),
            Column("attempts", "Attempts"),
            HREF,
        ),
        rows=rows,
        empty="A dot for each person appears here with their first attempt that counts.",
        options={"x_label": "Seconds an action (median)", "y_label": "% of attempts solved"},
    )


def _people_title(people: pl.DataFrame) -> str:
    if people.is_empty():
        return "Speed and accuracy of each person"
    pace, solved = people.select(pl.col("pace").median(), 100 * pl.col("share").median()).row(0)
    return f"The median person takes {pace:.1f} s an action and solves {solved:.0f} %"


def survey_figure(results: StudyResults, _numbers: StudyNumbers, _links: StudyLinks) -> Figure:
    """The survey as one table, for its file; groups too small to be told of have no figures."""
    rows: list[Row] = [
        (
            breakdown.question.name,
            group.answer,
            group.people,
            group.attempts,
            None if group.solved is None else 100 * group.solved,
            group.minutes,
        )
        for breakdown in breakdowns(results)
        for group in breakdown.groups
    ]
    return Figure(
        name="survey",
        kind="table",
        title="Results by what people told in the survey",
        caption="",
        columns=(
            Column("question", "Question"),
            Column("answer", "Answer"),
            Column("people", "People"),
            Column("attempts", "Attempts"),
            Column("solved", "Solved", "%"),
            Column("minutes", "Median time", "minutes"),
        ),
        rows=rows,
        empty="",
    )


DRAWN: dict[str, Builder] = {
    "success": success_figure,
    "time": time_figure,
    "efficiency": efficiency_figure,
    "people": people_figure,
}
"""In the order of the page."""
FIGURES: dict[str, Builder] = DRAWN | {"survey": survey_figure}
