"""The page of the action patterns of people on a level."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.insight.pages.action_patterns.page import MOST_ROWS, PatternsPage, patterns_heading
from playtest.insight.pages.action_patterns.reading import patterns_on
from playtest.insight.pages.environment.views import find_played, level_or_404, page_context
from playtest.insight.requests import shows_demonstration
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.action_patterns import FIRST, LONGEST_PATTERN, REPEATED
from playtest.studio.models import SightingKind
from playtest.studio.shown import environment_of_address, of_programs, shows


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows_demonstration
@shows(SightingKind.FRAMES, environment_of_address)
def page(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """What people tried on a level: first actions, repeated failing patterns, clicks that did nothing."""
    return render(request, "insight/action_patterns/page.html", _context(request, code, number))


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows(SightingKind.FRAMES, environment_of_address)
def now(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """The same without the page around it, after more journals were read."""
    return render(request, "insight/action_patterns/parts.html", _context(request, code, number))


def _context(request: StaffRequest, code: str, number: int) -> dict[str, Any]:
    found = find_played(request, code)
    level_or_404(found, number)
    on_level = patterns_on(found, number)
    page = PatternsPage(found, number, on_level)
    branches = page.branches()
    return page_context(found, request) | {
        "number": number,
        "levels": range(1, found.version.levels + 1),
        "heading": patterns_heading(number, branches, on_level),
        "found": on_level,
        "summary": page,
        "branches": branches,
        "patterns": page.patterns(),
        "dead": page.dead(),
        "first": FIRST,
        "longest": LONGEST_PATTERN,
        "repeated": REPEATED,
        "most_rows": MOST_ROWS,
    }
