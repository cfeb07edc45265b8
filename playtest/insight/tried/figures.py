"""The figure of clicks that did nothing."""

from collections.abc import Mapping

from playtest.insight.environment.first_frames import as_digits, first_frame
from playtest.insight.figures import Column, Figure
from playtest.insight.results.version import VersionResults
from playtest.insight.tried.reading import TriedOnLevel, tried_on
from playtest.rules.tried import dead_cells

DEAD = "dead-clicks"


def dead_figure(results: VersionResults, level: int, found: TriedOnLevel | None = None) -> Figure:
    """On the level's first frame, how many clicks on each cell changed nothing.

    `found` is from `tried_on`, if it was called already.
    """
    found = found or tried_on(results, level)
    cells, frame = dead_cells(found.people.values()), first_frame(results.version, level)
    people = sum(bool(one.cells) for one in found.people.values())
    return Figure(
        name=f"{DEAD}-{level}",
        kind="heatmap",
        title=_title(cells.total(), people),
        caption="Clicks on each cell after which the board was as before, on the first frame of the level."
        + (f" From {len(found.people)} of {found.of_people} people so far." if found.unread else ""),
        columns=(Column("x", "x"), Column("y", "y"), Column("value", "Clicks without effect")),
        rows=[(x, y, times) for (x, y), times in sorted(cells.items())] if frame is not None else [],
        empty=f"A heat map appears here when a click on level {level} has changed nothing.",
        options={
            "frame": as_digits(frame) if frame is not None else "",
            "value_label": "clicks",
            "spot": _spot(cells),
        },
    )


def _spot(cells: Mapping[tuple[int, int], int]) -> list[int] | None:
    """The cell with most clicks, the first of several."""
    if not cells:
        return None
    cell, _ = min(cells.items(), key=lambda item: (-item[1], item[0]))
    return list(cell)


def _title(clicks: int, people: int) -> str:
    if not clicks:
        return "No click was without effect"
    who = "1 person" if people == 1 else f"{people} people"
    return f"{clicks} click{'' if clicks == 1 else 's'} by {who} changed nothing, most at the mark"
