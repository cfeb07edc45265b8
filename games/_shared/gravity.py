"""Gravity on a grid: what nothing bears falls, a cell at a time, until all rests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from games._shared.cells import Cell


def below(at: Cell) -> Cell:
    """The cell under a cell."""
    return at[0], at[1] + 1


def lowest_first(cells: Iterable[Cell]) -> list[Cell]:
    """Cells from the bottom row to the top one: in this order what lies below makes room first."""
    return sorted(cells, key=lambda at: (-at[1], at[0]))


def falling[Moment](moment: Moment, fall: Callable[[Moment], Moment]) -> Iterator[Moment]:
    """Every moment of a fall, the first one included; `fall` gives the next one, or the same at rest."""
    yield moment
    while (after := fall(moment)) != moment:
        yield after
        moment = after
