"""People and agents on one environment, side by side, with the figures of both."""

from collections.abc import Callable
from itertools import groupby
from operator import attrgetter

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.arena.pages.cards import FilesForm
from playtest.arena.scores.baselines import baseline_of, compared_with
from playtest.arena.scores.side_by_side import (
    AGENTS,
    PEOPLE,
    Level,
    OnLevel,
    SideBySide,
    deepest,
    side_by_side,
)
from playtest.insight.figures import Figure, Row, columns, figure_response
from playtest.insight.requests import scope_or_404, shows_demonstration, version_or_404
from playtest.insight.scope import Scope
from playtest.insight.tables.protocols import protocols_of
from playtest.insight.tables.results import attempts
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.score import Reading, Variant

MOST_STUCK = 6
"""Of the levels where people got stuck, those that lost most are shown."""


def progress_figure(found: SideBySide, *, may_watch: bool) -> Figure:
    """A stepped line for each attempt; agents' stand out and are named."""
    rows: list[Row] = []
    for group, players in ((PEOPLE, found.people), (AGENTS, found.agents)):
        for attempt, levels in groupby(players, key=attrgetter("attempt")):
            steps = list(levels)
            name, address = steps[0].player, _replay(attempt, 1, may_watch or group == AGENTS)
            label = name if group == AGENTS else None
            rows += [(f"{name} #{attempt}", x, y, label, group, address) for x, y in _staircase(steps)]
    return Figure(
        name="progress",
        kind="progression",
        title=_progress_title(found),
        caption="Each line is one attempt, with a step up for each level completed. Agents have bold lines, "
        "with the names of their keys where there is room; people have thin ones.",
        columns=columns(
            "series Attempt | x Actions so far [actions] | y Levels completed [levels] | label Agent"
            " | group Group | href"
        ),
        rows=rows,
        empty="Lines of people and agents appear here with their first action.",
        options={"x_label": "Actions so far, resets included", "y_label": "Levels completed"},
    )


def stuck_figure(found: SideBySide, *, may_watch: bool) -> Figure:
    """The actions of people and agents on the levels where people got stuck, and who stopped there."""
    levels = found.stuck(MOST_STUCK)
    baseline = baseline_of(found.version)
    fates = [
        (f"Level {level.level} {fate.who}", level.level, fate) for level in levels for fate in level.fates
    ]
    return Figure(
        name="stuck",
        kind="strip",
        title=_stuck_title(levels),
        caption="Each mark is one attempt at the level, at the number of actions it spent there; it leads to "
        "the replay at that level. The levels that lost most people come first.",
        columns=columns(
            "group Level | label Who | mark Fate | value Actions [actions] | ended Ended"
            " | no_ops No-ops [actions] | repeated Repeated states [actions]"
            " | first_change First change [action] | href"
        ),
        rows=[
            (
                name,
                row.player,
                "completed it" if row.completed else "stopped there",
                row.actions,
                ended,
                row.no_ops,
                row.repeated_states,
                row.first_change,
                _replay(row.attempt, level, may_watch or fate.who == AGENTS),
            )
            for name, level, fate in fates
            for row, ended in [
                *((row, "") for row in fate.completed),
                *((stop.row, stop.ended) for stop in reversed(fate.stops)),
            ]
        ],
        empty=(
            "People completed every level that they reached."
            if found.people
            else "Levels where people got stuck appear here when people were tested."
        ),
        options={
            "value_label": "Actions on the level, resets included",
            "lines": [
                {"name": "baseline", "group": name, "value": baseline.of(level)} for name, level, _ in fates
            ],
        },
    )


FIGURES: dict[str, Callable[..., Figure]] = {
    "progress": progress_figure,
    "stuck": stuck_figure,
}
"""The figures by name; `may_watch` is whether marks of people lead to replays, too."""


def _progress_title(found: SideBySide) -> str:
    people, agents = (len({row.attempt for row in rows}) for rows in (found.people, found.agents))
    if not agents:
        return "No agent has played this version yet"
    return f"{agents} agents' play{'s' if agents != 1 else ''} among {people} of people"


def _stuck_title(levels: list[Level]) -> str:
    if not levels:
        return "Nobody got stuck"
    people, agents = levels[0].fates
    stopped = f"Level {levels[0].level} stopped {len(people.stops)} of {people.reached} people"
    if not agents.reached:
        return f"{stopped}; no agent came so far"
    return f"{stopped} and {len(agents.stops)} of {agents.reached} plays of agents"


def _staircase(levels: list[OnLevel]) -> list[tuple[int, int]]:
    """Points from (0, 0) to the last action, with a step up where a level is completed."""
    points, actions, completed = [(0, 0)], 0, 0
    for row in levels:
        actions += row.actions
        if row.completed:
            points.append((actions, completed))
            completed = row.level
        points.append((actions, completed))
    return list(dict.fromkeys(points))


def _replay(attempt: int, level: int, may_watch: bool) -> str | None:
    return f"{reverse('review:attempt', args=[attempt])}#level={level}" if may_watch else None


@require_safe
@requires(Right.READ_BOARDS)
@shows_demonstration
def environment(request: StaffRequest, code: str) -> HttpResponse:
    """What agents and people did on an environment: actions, rates, and where people got stuck."""
    found, scope = _find(request, code)
    may_watch = request.user.may(Right.WATCH_ATTEMPTS)
    version = found.version
    baseline = baseline_of(version)
    if scope.rehearsal and not baseline.actions:
        simulated = Reading(variant=Variant.SIMULATED_REFERENCE)
        baseline = compared_with([version], simulated)[version.pk]
    context = {
        "scope": scope,
        "environment": version.environment,
        "version": version,
        "versions": version.environment.versions.filter(is_draft=False).order_by("-imported_at", "-pk"),
        "baseline": baseline,
        "levels": [
            (level, baseline.of(level.level))
            for level in found.levels
            if level.people.reached or level.agents.reached
        ],
        "people": len({row.attempt for row in found.people}),
        "agents": len({row.attempt for row in found.agents}),
        "deepest_people": deepest(found.people),
        "deepest_agents": deepest(found.agents),
        "figures": {name: build(found, may_watch=may_watch) for name, build in FIGURES.items()},
        "stuck": found.stuck(MOST_STUCK),
        "may_watch": may_watch,
        "figures_at": f"{reverse('arena:environment', args=[code])}figures/",
        "query": "&".join(filter(None, [f"version={version.digest}", scope.query])),
        "files_form": FilesForm(),
        "may_read": request.user.may(Right.READ_BASELINES),
    }
    return render(request, "arena/environment.html", context)


@require_safe
@requires(Right.READ_BOARDS)
def figure(request: StaffRequest, code: str, name: str, format: str) -> HttpResponseBase:  # noqa: A002
    """One figure of people and agents as data."""
    if name not in FIGURES:
        raise Http404(f"There is no figure {name!r} of people and agents.")
    found, scope = _find(request, code)
    built = FIGURES[name](found, may_watch=request.user.may(Right.WATCH_ATTEMPTS))
    protocols = protocols_of(attempts(scope, [found.version.environment]))
    return figure_response(request, built, format, protocols, actions=scope.undo)


def _find(request: StaffRequest, code: str) -> tuple[SideBySide, Scope]:
    scope = scope_or_404(request)
    return side_by_side(version_or_404(request, code), scope), scope
