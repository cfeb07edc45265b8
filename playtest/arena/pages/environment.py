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
from playtest.arena.scores.baselines import baseline_of
from playtest.arena.scores.side_by_side import (
    OnLevel,
    SideBySide,
    StuckLevel,
    deepest,
    side_by_side,
    stuck_levels,
)
from playtest.insight.figures import HREF, Column, Figure, Row, figure_response
from playtest.insight.requests import version_or_404
from playtest.insight.tables.protocols import Protocols
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right

AGENTS, PEOPLE = "agents", "people"
MOST_STUCK = 6
"""Of the levels where people got stuck, those that lost most are shown."""
_EMPTY = "Lines of people and agents appear here with their first action."


def progress_figure(found: SideBySide, *, may_watch: bool) -> Figure:
    """A stepped line for each attempt; agents' stand out and are named."""
    rows: list[Row] = []
    for group, players in ((PEOPLE, found.people), (AGENTS, found.agents)):
        for attempt, levels in groupby(players, key=attrgetter("attempt")):
            steps = list(levels)
            label = steps[0].player if group == AGENTS else None
            rows += [
                (
                    f"{steps[0].player} #{attempt}",
                    x,
                    y,
                    label,
                    group,
                    _replay(attempt, 1, may_watch or group == AGENTS),
                )
                for x, y in _staircase(steps)
            ]
    return Figure(
        name="progress",
        kind="progression",
        title=_progress_title(found),
        caption=(
            "Each line is one attempt, with a step up for each level completed. Agents have bold lines, with "
            "the names of their keys where there is room; people have thin ones."
        ),
        columns=(
            Column("series", "Attempt"),
            Column("x", "Actions so far", "actions"),
            Column("y", "Levels completed", "levels"),
            Column("label", "Agent"),
            Column("group", "Group"),
            HREF,
        ),
        rows=rows,
        empty=_EMPTY,
        options={"x_label": "Actions so far, resets included", "y_label": "Levels completed"},
    )


def levels_figure(found: SideBySide, *, may_watch: bool) -> Figure:
    """The actions on each level of all who completed it, sorted."""
    completed = [
        (row, group)
        for group, players in ((PEOPLE, found.people), (AGENTS, found.agents))
        for row in players
        if row.completed
    ]
    ascending = sorted(completed, key=lambda one: (one[0].level, one[0].actions, one[1], one[0].attempt))
    return Figure(
        name="levels",
        kind="scatter",
        title="Actions on each level by those who completed it",
        caption="Each mark is an attempt that completed the level. The table is sorted by level and actions.",
        columns=(
            Column("label", "Who"),
            Column("group", "Group"),
            Column("x", "Level"),
            Column("y", "Actions", "actions"),
            HREF,
        ),
        rows=[
            (
                row.player,
                group,
                row.level,
                row.actions,
                _replay(row.attempt, row.level, may_watch or group == AGENTS),
            )
            for row, group in ascending
        ],
        empty="A mark appears here when a person or an agent has completed a level.",
        options={
            "x_label": "Level",
            "y_label": "Actions on the level, resets included",
            "x_ticks": list(range(1, found.version.levels + 1)),
        },
    )


def stuck_figure(found: SideBySide, *, may_watch: bool) -> Figure:
    """The actions of people and agents on the levels where people got stuck, and who stopped there."""
    levels = stuck_levels(found, MOST_STUCK)
    baseline = baseline_of(found.version)
    groups = {
        (level.level, fate.who): f"Level {level.level} {fate.who}" for level in levels for fate in level.fates
    }
    return Figure(
        name="stuck",
        kind="strip",
        title=_stuck_title(levels),
        caption=(
            "Each mark is one attempt at the level, at the number of actions it spent there; it leads to the "
            "replay at that level. The levels that lost most people come first."
        ),
        columns=(
            Column("group", "Level"),
            Column("label", "Who"),
            Column("mark", "Fate"),
            Column("value", "Actions", "actions"),
            Column("ended", "Ended"),
            Column("no_ops", "No-ops", "actions"),
            Column("repeated", "Repeated states", "actions"),
            Column("first_change", "First change", "action"),
            HREF,
        ),
        rows=[
            (
                groups[level.level, fate.who],
                row.player,
                "completed it" if row.completed else "stopped there",
                row.actions,
                "" if row.completed else ended[row.attempt],
                row.no_ops,
                row.repeated_states,
                row.first_change,
                _replay(row.attempt, row.level, may_watch or fate.who == AGENTS),
            )
            for level in levels
            for fate in level.fates
            for ended in [{stop.row.attempt: stop.ended for stop in fate.stops}]
            for row in sorted(fate.rows, key=lambda row: not row.completed)
        ],
        empty=(
            "People completed every level that they reached."
            if found.people
            else "Levels where people got stuck appear here when people were tested."
        ),
        options={
            "log": True,
            "value_label": "Actions on the level, resets included",
            "lines": [
                {"name": "baseline", "group": name, "value": baseline.of(level)}
                for (level, _), name in groups.items()
            ],
        },
    )


FIGURES: dict[str, Callable[..., Figure]] = {
    "progress": progress_figure,
    "levels": levels_figure,
    "stuck": stuck_figure,
}
"""The figures by name; `may_watch` is whether marks of people lead to replays, too."""


def _progress_title(found: SideBySide) -> str:
    people, agents = (len({row.attempt for row in rows}) for rows in (found.people, found.agents))
    if not agents:
        return "No agent has played this version yet"
    return f"{agents} agents' play{'s' if agents != 1 else ''} among {people} of people"


def _stuck_title(levels: list[StuckLevel]) -> str:
    if not levels:
        return "Nobody got stuck"
    people, agents = levels[0].people.on, levels[0].agents.on
    stopped = f"Level {levels[0].level} stopped {people.lost} of {people.reached} people"
    if not agents.reached:
        return f"{stopped}; no agent came so far"
    return f"{stopped} and {agents.lost} of {agents.reached} plays of agents"


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
def environment(request: StaffRequest, code: str) -> HttpResponse:
    """What agents and people did on an environment: actions, rates, and where people got stuck."""
    found = _find(request, code)
    may_watch = request.user.may(Right.WATCH_ATTEMPTS)
    version = found.version
    baseline = baseline_of(version)
    context = {
        "environment": version.environment,
        "version": version,
        "versions": version.environment.versions.filter(is_draft=False).order_by("-imported_at", "-pk"),
        "baseline": baseline,
        "rows": [
            {"level": level.level, "who": who, "on": on, "baseline": baseline.of(level.level)}
            for level in found.levels
            for who, on in ((PEOPLE, level.people), (AGENTS, level.agents))
            if level.people.reached or level.agents.reached
        ],
        "people": len({row.attempt for row in found.people}),
        "agents": len({row.attempt for row in found.agents}),
        "deepest_people": deepest(found.people),
        "deepest_agents": deepest(found.agents),
        "figures": {name: build(found, may_watch=may_watch) for name, build in FIGURES.items()},
        "stuck": stuck_levels(found, MOST_STUCK),
        "may_watch": may_watch,
        "figures_at": f"{reverse('arena:environment', args=[code])}figures/",
        "query": f"version={version.digest}",
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
    built = FIGURES[name](_find(request, code), may_watch=request.user.may(Right.WATCH_ATTEMPTS))
    return figure_response(request, built, format, Protocols())


def _find(request: StaffRequest, code: str) -> SideBySide:
    return side_by_side(version_or_404(request, code))
