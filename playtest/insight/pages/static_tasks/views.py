"""The page of a study's static tasks: the numbers of the ARC-AGI-2 paper, and files of them."""

from collections.abc import Callable

import polars as pl
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.insight.figures import Figure, Row, columns, figure_response, table
from playtest.insight.pages.environment.distributions import DOUBTED
from playtest.insight.pages.static_tasks import files
from playtest.insight.pages.static_tasks.numbers import sections
from playtest.insight.pages.static_tasks.tables import TaskTables, redundancy, tables_of
from playtest.insight.pages.study.histograms import SOLVED, UNSOLVED, Bars, Intervals
from playtest.insight.pages.study.links import StudyLinks
from playtest.insight.pages.study.results import StudyResults
from playtest.insight.pages.study.views import (
    bar_page,
    links_of,
    results_or_404,
)
from playtest.insight.tables.protocols import protocols_of, rule_text
from playtest.insight.tables.results import IS_CUT_SHORT
from playtest.people.access import RightMissing, StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.inference.ranks import FEWEST_TESTED, TESTS_ASSUME
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
            "low From [minutes] | high To under [minutes] | "
            f"people Attempts [attempts]{DOUBTED} [attempts] | "
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


_BUILDERS = DRAWN | files.FILES | files.OF_ANSWERS


@require_safe
@requires(Right.READ_BASELINES)
def static_tasks(request: StaffRequest, pk: int) -> HttpResponse:
    """How people did on a study's static tasks."""
    results, found = _found(request, pk)
    links = links_of(request, results)
    address = reverse("insight:study-tasks", args=[pk])
    redundant = redundancy(results.study)
    context = {
        "study": results.study,
        "scope": results.scope,
        "population": found.results.population,
        "query": results.scope.query_within_study,
        "excluded_at": links.excluded,
        "protocols": protocols_of(found.results.begun),
        "rule": rule_text(found.results.begun, results.scope),
        "has_tasks": results.has_tasks,
        "heading": heading(found),
        "mixed": len(results.kinds) > 1,
        "sections": sections(found, redundant),
        "figures": [(f"{address}figures/{name}", build(found, links)) for name, build in DRAWN.items()],
        "tables": [files.on_page(files.FILES[name](found, links)) for name in ("tasks", "people")],
        "files_at": f"{address}figures/",
        "files": files.NAMES.items(),
        "redundancy": redundant,
        "fewest_people": results.study.protocol.smallest_group,
        "fewest_tested": FEWEST_TESTED,
        "tests_assume": TESTS_ASSUME,
    }
    if request.user.may(Right.READ_SURVEYS):
        context["answers"] = files.answers_of(found)
    return render(request, "insight/static_tasks/static_tasks.html", context)


@require_safe
@requires(Right.READ_BASELINES)
def figure(request: StaffRequest, pk: int, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """One figure or table as data."""
    if name not in _BUILDERS:
        raise Http404(f"The static tasks of a study have no figure {name!r}.")
    if name in files.OF_ANSWERS and not request.user.may(Right.READ_SURVEYS):
        raise RightMissing(Right.READ_SURVEYS)
    results, found = _found(request, pk)
    built = _BUILDERS[name](found, links_of(request, results))
    return figure_response(request, built, format, protocols_of(found.results.begun))


@require_safe
@requires(Right.WATCH_ATTEMPTS)
def bar(request: StaffRequest, pk: int, name: str, number: int) -> HttpResponse:
    """What one bar of a histogram of static tasks counts."""
    if name not in BARS:
        raise Http404(f"The static tasks of a study have no histogram {name!r}.")
    results, found = _found(request, pk)
    return bar_page(request, results, BARS[name], found, number, of="insight:study-tasks")


def heading(found: TaskTables) -> str:
    """How much was solved of what was attempted."""
    if found.pairs.is_empty():
        return "Nobody has attempted a test pair yet"
    judged = found.pairs.filter(~IS_CUT_SHORT)
    attempts, solved = judged.height, int(judged["completed"].sum())
    if not attempts:
        return "Every attempt at a test pair was cut short"
    noun = "attempt" if attempts == 1 else "attempts"
    return f"{100 * solved / attempts:.0f} % of {attempts:,} {noun} at test pairs solved them"


def _found(request: StaffRequest, pk: int) -> tuple[StudyResults, TaskTables]:
    """The study's results, and the tables of its static tasks."""
    results = results_or_404(request, pk)
    return results, tables_of(results)
