"""The figures of split results: a curve for each group."""

from collections.abc import Sequence
from dataclasses import replace

from playtest.insight.environment.survival import ACTIONS, COLUMNS, survival_figure
from playtest.insight.figures import Column, Figure, Row
from playtest.insight.split.groups import Group


def survival_of_groups(groups: Sequence[Group]) -> Figure:
    """The share of each group that has not given up, over actions."""
    made = [(group, survival_figure(group.results, ACTIONS)) for group in groups if group.results is not None]
    rows: list[Row] = [(group.label, *row[1:]) for group, figure in made for row in figure.rows]
    if not made:
        return replace(_empty(), rows=rows)
    first = made[0][1]
    title = f"Who has not given up, in {len(made)} group{'' if len(made) == 1 else 's'}"
    return replace(first, name="survival", title=title, rows=rows)


def levels_of_groups(groups: Sequence[Group]) -> Figure:
    """The table of the page, a row for each group and level."""
    rows: list[Row] = [
        (
            group.label,
            number,
            level.reached,
            level.baseline.completers,
            level.baseline.upper_median,
        )
        for group in groups
        for number, level in enumerate(group.levels, start=1)
    ]
    return replace(
        _empty(),
        name="levels",
        kind="table",
        title="Levels by group",
        columns=(
            Column("group", "Group"),
            Column("level", "Level"),
            Column("reached", "Reached", "people"),
            Column("completed", "Completed", "people"),
            Column("baseline", "Baseline", "actions"),
        ),
        rows=rows,
    )


def pairs_of_groups(groups: Sequence[Group]) -> Figure:
    """The table of a static task's page, a row for each group and test pair."""
    return replace(
        _empty(),
        name="levels",
        kind="table",
        title="Test pairs by group",
        columns=(
            Column("group", "Group"),
            Column("pair", "Test pair"),
            Column("shown", "Shown to", "people"),
            Column("solved", "Solved", "people"),
        ),
        rows=[row[:4] for row in levels_of_groups(groups).rows],
    )


def _empty() -> Figure:
    return Figure(
        name="survival",
        kind="survival",
        title="Who has not given up",
        caption="",
        columns=COLUMNS,
        rows=[],
        empty="A curve appears here when a group has enough people.",
    )


FIGURES = {"survival": survival_of_groups, "levels": levels_of_groups}
FIGURES_OF_TASKS = {"levels": pairs_of_groups}
