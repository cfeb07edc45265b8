"""Figures of people and agents on one environment."""

from collections.abc import Callable
from itertools import groupby
from operator import attrgetter

from django.urls import reverse

from playtest.arena.queries.side_by_side import OnLevel, SideBySide
from playtest.insight.figures import HREF, Column, Figure, Row

AGENTS, PEOPLE = "agents", "people"
_EMPTY = "Lines of people and agents appear here with their first action."


def progress_figure(found: SideBySide, *, may_watch: bool) -> Figure:
    """A stepped line for each attempt; agents' stand out and are named."""
    rows: list[Row] = []
    for group, players in ((PEOPLE, found.people), (AGENTS, found.agents)):
        for attempt, levels in groupby(players, key=attrgetter("attempt")):
            steps = list(levels)
            label = steps[0].player if group == AGENTS else None
            rows += [
                (f"{steps[0].player} #{attempt}", x, y, label, group, _replay(attempt, 1, may_watch))
                for x, y in _staircase(steps)
            ]
    return Figure(
        name="progress",
        kind="progression",
        title=_progress_title(found),
        caption=(
            "Each line is one attempt, with a step up for each level completed. Agents have bold lines with "
            "the names of their keys; people have thin ones."
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
            (row.player, group, row.level, row.actions, _replay(row.attempt, row.level, may_watch))
            for row, group in ascending
        ],
        empty="A mark appears here when a person or an agent has completed a level.",
        options={
            "x_label": "Level",
            "y_label": "Actions on the level, resets included",
            "x_ticks": list(range(1, found.version.levels + 1)),
        },
    )


FIGURES: dict[str, Callable[..., Figure]] = {"progress": progress_figure, "levels": levels_figure}
"""The figures by name; `may_watch` is whether marks lead to replays."""


def _progress_title(found: SideBySide) -> str:
    people, agents = (len({row.attempt for row in rows}) for rows in (found.people, found.agents))
    if not agents:
        return "No agent has played this version yet"
    return f"{agents} agents' play{'s' if agents != 1 else ''} among {people} of people"


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
