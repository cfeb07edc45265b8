"""The page of where people are among the states of a level, the lists of states, the page of one state."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.insight.pages.environment.views import find_played, level_or_404, page_context
from playtest.insight.pages.states.figures import OUTLOOK_LABELS, figures_of, sides_of, states_heading
from playtest.insight.pages.states.layout import states_between
from playtest.insight.pages.states.level import LevelStates, level_states
from playtest.insight.pages.states.page import MOST_ENDS, MOST_NAMED, MOST_ROWS, StatesPage
from playtest.insight.requests import shows_demonstration
from playtest.insight.tables.version import VersionResults
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.state_space.locating import Outlook
from playtest.rules.text import counted, whole_number
from playtest.studio.models import SightingKind
from playtest.studio.shown import environment_of_address, of_programs, shows

AT_ONCE = 50
"""States on one page of a list."""


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows_demonstration
@shows(SightingKind.FRAMES, environment_of_address)
def states(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """Where people are among the states of a level: where they stop, loop and give a win away."""
    results = _results(request, code, number)
    sides = sides_of(results, number)
    found, *before = sides
    context, page = _context(request, found), StatesPage(found)
    figures = figures_of(sides)
    context |= {
        "heading": states_heading(found),
        "page": page,
        "figures": [(figure, f"{context['figures_at']}{name}") for name, figure in figures.items()],
        "facts": page.facts(),
        "facts_before": [(one.results.version, StatesPage(one).facts()) for one in before],
        "ends": page.ends(),
        "falls": page.falls(),
        "loops": page.loops(),
        "people": page.people(),
        "most_ends": MOST_ENDS,
        "most_rows": MOST_ROWS,
        "most_named": MOST_NAMED,
    }
    return render(request, "insight/states/states.html", context)


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows_demonstration
@shows(SightingKind.FRAMES, environment_of_address)
def state(request: StaffRequest, code: str, number: int, key: str) -> HttpResponse:
    """One state of a level: its frame, and who was in it."""
    found, context = _found(request, code, number)
    page = StatesPage(found)
    place = page.names.find(key)
    if place is None:
        raise Http404(
            f"state_unknown: nobody was in a state {key!r} of this level, in this version and scope"
        )
    context |= {
        "page": page,
        "state": page.link(place),
        "use": found.uses[place],
        "explored": place < found.located.explored,
        "unclear": place in found.located.unclear,
        "visitors": page.visitors(place),
    }
    return render(request, "insight/states/state.html", context)


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows_demonstration
@shows(SightingKind.FRAMES, environment_of_address)
def states_list(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """The states of people in some columns of the figure, as a list."""
    found, context = _found(request, code, number)
    page = StatesPage(found)
    name, begin, end = (request.GET.get(part, "") for part in ("outlook", "from", "until"))
    first, last = whole_number(begin), whole_number(end)
    if name.upper() not in Outlook.__members__ or first is None or last is None:
        raise Http404("states_unknown: the address names an outlook and two numbers of actions")
    outlook = Outlook[name.upper()]
    wanted = states_between(found, outlook, first, last)
    listed = Paginator(wanted, AT_ONCE).get_page(request.GET.get("page"))
    context |= {
        "heading": f"{counted(len(wanted), 'state')} of people: {OUTLOOK_LABELS[outlook]}",
        "first": first,
        "last": last - 1,
        "page": listed,
        "rows": [(page.link(one), found.uses[one]) for one in listed],
    }
    return render(request, "insight/states/list.html", context)


def _found(request: StaffRequest, code: str, number: int) -> tuple[LevelStates, dict[str, Any]]:
    found = level_states(_results(request, code, number), number)
    return found, _context(request, found)


def _results(request: StaffRequest, code: str, number: int) -> VersionResults:
    """The results of the address. Http404 if the version has no such level."""
    results = find_played(request, code)
    level_or_404(results, number)
    return results


def _context(request: StaffRequest, found: LevelStates) -> dict[str, Any]:
    results = found.results
    return page_context(results, request) | {
        "number": found.level,
        "levels": range(1, results.version.levels + 1),
        "found": found,
    }
