"""The page of a study's static tasks: the numbers of the ARC-AGI-2 paper, and files of them."""

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.insight.figures import figure_response
from playtest.insight.pages.static_tasks import files
from playtest.insight.pages.static_tasks.figures import BARS, DRAWN
from playtest.insight.pages.static_tasks.numbers import sections
from playtest.insight.pages.static_tasks.tables import TaskTables, redundancy, tables_of
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
