"""Agents that go for something: the directions that lead them nearer."""

from __future__ import annotations

from games._shared.cells import Cell

Direction = tuple[int, int]  # one step: columns, rows


def towards(at: Cell, goal: Cell) -> list[Direction]:
    """The directions that lead nearer to a goal: along the longer side first, across before down."""
    across, down = goal[0] - at[0], goal[1] - at[1]
    headings = [(abs(across), ((across > 0) - (across < 0), 0)), (abs(down), (0, (down > 0) - (down < 0)))]
    headings.sort(key=lambda heading: -heading[0])
    return [direction for length, direction in headings if length]
