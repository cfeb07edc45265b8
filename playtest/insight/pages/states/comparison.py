"""The page that compares the states of a level in two versions, drawn on one scale."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.insight.figures import Figure
from playtest.insight.pages.environment.version_views import TwoVersions, two_versions
from playtest.insight.pages.environment.versions import name_of
from playtest.insight.pages.states.figures import STATES, away, states_figure, who_stopped
from playtest.insight.pages.states.layout import scale_of
from playtest.insight.pages.states.level import LevelStates, level_states
from playtest.insight.requests import shows_demonstration
from playtest.insight.tables.version import VersionResults
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.state_space.locating import HOPELESS, Outlook
from playtest.rules.text import persons
from playtest.studio.shown import of_programs

EARLIER, LATER = "earlier", "later"
_DASH = "–"  # noqa: RUF001


@dataclass(frozen=True)
class Comparison:
    """A level of two versions; None where a version does not have it."""

    level: int
    earlier: LevelStates | None
    later: LevelStates | None

    @property
    def sides(self) -> tuple[LevelStates | None, LevelStates | None]:
        return self.earlier, self.later

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """The figure of each version that has the level, by name."""
        sides = [one for one in self.sides if one is not None]
        scales = [scale_of(one) for one in sides]
        scale = scales[0] if len(scales) == 1 else scales[0].joined(scales[1])
        made = {}
        for which, side in ((EARLIER, self.earlier), (LATER, self.later)):
            if side is not None:
                title = f"{which.capitalize()} version {name_of(side.results.version)}: {_stops(side)}"
                figure = states_figure(side, scale, name=f"{STATES}-{which}", title=title)
                made[figure.name] = figure
        return made

    @property
    def heading(self) -> str:
        """Where people stop now, and where they stopped before."""
        if self.earlier is None or self.later is None:
            return f"Only the {LATER if self.earlier is None else EARLIER} version has level {self.level}"
        stopped = len(self.earlier.stopped)
        if not self.later.stays:
            return f"Nobody has reached level {self.level} of the later version yet"
        if not self.later.stopped:
            return f"Nobody stopped on level {self.level}; {stopped} before"
        now, before = _hopeless(self.later), _hopeless(self.earlier)
        if now or before:
            who = who_stopped(now, len(self.later.stopped))
            return f"Level {self.level}: {who} could no longer win; {before} of {stopped} before"
        if away(self.later) and away(self.earlier):
            return f"People stopped {away(self.later)} from a win; {away(self.earlier)} before"
        return f"{persons(len(self.later.stopped))} stopped on level {self.level}; {stopped} before"

    def rows(self) -> list[tuple[str, list[str]]]:
        """What is counted, in the earlier and the later version."""
        return [
            (label, [_DASH if side is None else count(side) for side in self.sides])
            for label, count in _COUNTS.items()
        ]


def compare_states(earlier: VersionResults, later: VersionResults, level: int) -> Comparison:
    """The people of both on a level (from 1)."""
    sides = [level_states(one, level) if level <= one.version.levels else None for one in (earlier, later)]
    return Comparison(level, sides[0], sides[1])


def _hopeless(side: LevelStates) -> int:
    among = side.by_outlook()
    return sum(among[one] for one in HOPELESS)


def _stops(side: LevelStates) -> str:
    return f"{len(side.stopped)} of {persons(len(side.stays))} stopped"


def _of_stopped(side: LevelStates, *wanted: Outlook) -> str:
    if not side.stopped:
        return _DASH
    among = side.by_outlook()
    return f"{sum(among[one] for one in wanted)} of {len(side.stopped)}"


_COUNTS: dict[str, Callable[[LevelStates], str]] = {
    "Reached the level": lambda side: str(len(side.stays)),
    "Stopped on it": lambda side: str(len(side.stopped)),
    "Stopped in a dead end": lambda side: _of_stopped(side, Outlook.DEAD_END),
    "Stopped on a lost level": lambda side: _of_stopped(side, Outlook.LOST),
    "Stopped with a win in reach": lambda side: _of_stopped(side, Outlook.OPEN),
    "How far from a win these stopped": lambda side: away(side) or _DASH,
    "Stopped where no win is known": lambda side: _of_stopped(side, Outlook.UNKNOWN),
    "Gave a win away": lambda side: str(len({one for fall in side.falls.values() for one in fall.people})),
    "Came back to a state": lambda side: str(sum(bool(stay.returns) for stay in side.stays.values())),
    "States of people": lambda side: str(len(side.uses)),
    "Level explored completely": lambda side: "yes" if side.explored.complete else "no",
}


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
@shows_demonstration
def states_versions(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """Where people are among the states of a level, in an earlier and a later version on one scale."""
    found, compared = _compared(request, code, number)
    address = reverse("insight:states-versions", args=[code, number])
    context = found.context(compared.figures if compared else {}, address)
    context |= {"number": number, "levels": range(1, _most_levels(found) + 1)}
    if compared:
        context |= {"heading": compared.heading, "rows": compared.rows()}
    return render(request, "insight/states/versions.html", context)


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
def figure(request: StaffRequest, code: str, number: int, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """One of both figures as data."""
    found, compared = _compared(request, code, number)
    return found.response(request, compared.figures if compared else {}, name, format)


def _compared(request: StaffRequest, code: str, number: int) -> tuple[TwoVersions, Comparison | None]:
    found = two_versions(request, code)
    if not 1 <= number <= _most_levels(found):
        raise Http404(f"{code} has levels 1 to {_most_levels(found)}.")
    return found, compare_states(*found.sides, number) if found.sides else None


def _most_levels(found: TwoVersions) -> int:
    return max(one.version.levels for one in found.known)
