"""The page of a study, its progress, its bars and files."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.figures import figure_response
from playtest.insight.pages.study.comparison import comparable
from playtest.insight.pages.study.figures import FIGURES, OF_ANSWERS, TABS, drawn_for
from playtest.insight.pages.study.histograms import BARS, Bars
from playtest.insight.pages.study.lag import early_repeats
from playtest.insight.pages.study.links import StudyLinks
from playtest.insight.pages.study.order import met_last
from playtest.insight.pages.study.people import associations, breakdowns, languages, sentence, shares
from playtest.insight.pages.study.results import (
    StudyResults,
    numbers,
    progress,
    study_results,
)
from playtest.insight.paper.preregistration import newest_standing
from playtest.insight.scope import scope_within
from playtest.insight.tables.protocols import protocols_of, rule_text
from playtest.insight.tables.results import IS_TASK
from playtest.people.access import RightMissing, StaffRequest, requires
from playtest.people.refusals import refusal_as_404
from playtest.people.roles import Right
from playtest.play.models import Study
from playtest.review.queries.attempts import DECIDED
from playtest.review.queries.decisions import sessions_waiting
from playtest.rules.inference.ranks import FEWEST_TESTED, TESTS_ASSUME

_ROWS_A_PAGE = 50


@require_safe
@requires(Right.READ_BASELINES)
def study(request: StaffRequest, pk: int) -> HttpResponse:
    """The results of one study."""
    results = results_or_404(request, pk)
    links = links_of(request, results)
    tabs = {name: TABS[name] for name in drawn_for(results)}
    shown = request.GET.get("figure", next(iter(tabs)))
    if shown not in tabs:
        raise Http404(f"This study's page has no figure {shown!r}.")
    figures_at = f"{reverse('insight:study', args=[pk])}figures/"
    context = _present(request, results) | _answers(request, results)
    context |= {
        "query": results.scope.query_within_study,
        "excluded_at": links.excluded,
        "live": results.study.sessions.filter(checked_in_at__isnull=False, ended_at__isnull=True).exists(),
        "tabs": tabs,
        "drawn": FIGURES[shown](results, context["numbers"], links),
        "figure_at": figures_at + shown,
        "query_of_figure": "&".join(filter(None, [f"figure={shown}", results.scope.query_within_study])),
        "figures_at": figures_at,
        "fewest_people": results.study.protocol.smallest_group,
        "fewest_tested": FEWEST_TESTED,
        "tests_assume": TESTS_ASSUME,
        "waiting": sessions_waiting(study=pk),
        "may_review": request.user.may(Right.REVIEW_EFFORT) and not results.study.rehearsal,
        "versions": results.study.protocol_versions.order_by("-number"),
        "may_change": request.user.may(Right.MANAGE_STUDIES),
        "may_report": request.user.may(Right.READ_SURVEYS),
        "preregistered": newest_standing(results.study),
        "languages": languages(results.study),
        "met_last": met_last(results),
        "withheld": list(results.study.withheld()) if results.study.open else [],
        "early_repeats": early_repeats(results),
        "may_watch": request.user.may(Right.WATCH_ATTEMPTS),
    }
    return render(request, "insight/study/study.html", context)


@require_safe
@requires(Right.READ_BASELINES)
def now(request: StaffRequest, pk: int) -> HttpResponse:
    """The parts of the page that change while sessions run."""
    return render(request, "insight/study/now.html", _present(request, results_or_404(request, pk)))


@require_safe
@requires(Right.READ_BASELINES)
def figure(request: StaffRequest, pk: int, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """One figure as data."""
    if name not in FIGURES:
        raise Http404(f"A study has no figure {name!r}.")
    if name in OF_ANSWERS and not request.user.may(Right.READ_SURVEYS):
        raise RightMissing(Right.READ_SURVEYS)
    results = results_or_404(request, pk)
    built = FIGURES[name](results, numbers(results), links_of(request, results))
    return figure_response(request, built, format, protocols_of(results.begun), actions=results.scope.undo)


@require_safe
@requires(Right.WATCH_ATTEMPTS)
def bar(request: StaffRequest, pk: int, name: str, number: int) -> HttpResponse:
    """What one bar of a histogram counts, with the replays."""
    if name not in BARS:
        raise Http404(f"A study has no histogram {name!r}.")
    results = results_or_404(request, pk)
    return bar_page(request, results, BARS[name], results, number, of="insight:study")


def bar_page(
    request: StaffRequest, results: StudyResults, bars: Bars, found: object, number: int, *, of: str
) -> HttpResponse:
    """What one bar counts of `found`; `of` is the view with the figure."""
    group = request.GET.get("group", "")
    rows = bars.in_bar(found, number, group)
    page = Paginator(range(rows.height), _ROWS_A_PAGE).get_page(request.GET.get("page"))
    shown = rows.slice(page.start_index() - 1 if rows.height else 0, _ROWS_A_PAGE)
    context = {
        "study": results.study,
        "scope": results.scope,
        "of": of,
        "page": page,
        "table": bars.listed(shown, links_of(request, results)),
        "counted": bars.nouns[page.paginator.count != 1],
        "ends": bars.intervals.ends(number),
        "unit": bars.unit,
        "group": group,
    }
    return render(request, "insight/study/bar.html", context)


def _answers(request: StaffRequest, results: StudyResults) -> dict[str, Any]:
    """What the answers to the survey say, for those who may read them."""
    if not request.user.may(Right.READ_SURVEYS):
        return {}
    groups = breakdowns(results)
    tests = associations(results, groups)
    return {"breakdowns": groups, "associations": tests, "association_sentence": sentence(tests)}


def results_or_404(request: StaffRequest, pk: int) -> StudyResults:
    found = get_object_or_404(Study.objects.select_related("created_by"), pk=pk)
    with refusal_as_404():
        scope = scope_within(found, request.GET)
    bring_up_to_date(scope.whole.attempts)
    return study_results(scope)


def links_of(request: StaffRequest, results: StudyResults) -> StudyLinks:
    may = request.user.may
    return StudyLinks(results.study, results.scope, may(Right.WATCH_ATTEMPTS), may(Right.REVIEW_EFFORT))


def _present(request: StaffRequest, results: StudyResults) -> dict[str, Any]:
    """What both the page and its live parts show."""
    found, links = numbers(results), links_of(request, results)
    rows = progress(results)
    return {
        "study": results.study,
        "scope": results.scope,
        "population": results.population,
        "protocol": results.protocol,
        "protocols": protocols_of(results.begun),
        "rule": rule_text(results.begun, results.scope),
        "soft_minutes": f"{results.soft_minutes:g}",
        "numbers": found,
        "shares": shares(results),
        "hours": "" if results.scope.outside and not found.hours else f"{found.hours:,.1f}",
        "durations": [
            ("all", found.duration),
            ("solved", found.solved_duration),
            ("not solved", found.unsolved_duration),
            (f"not solved, under {results.soft_minutes:g} min", found.short_unsolved_duration),
        ],
        "progress": [
            (
                row,
                links.environment(row.code),
                links.attempts(environment=row.pk, outcome=DECIDED) if row.counted else None,
            )
            for row in rows
        ],
        "any_excluded": any(row.excluded for row in rows),
        "has_tasks": results.has_tasks,
        "comparable": bool(comparable(results.study)),
        "has_levels": results.has_levels,
        "at_tasks": results.counted.filter(IS_TASK).height,
    }
