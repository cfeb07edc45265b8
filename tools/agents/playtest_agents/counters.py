"""Learns which cells count actions: a line on the board that is used up as one acts, whatever one does.

Such a line makes every state new. Its cells are left out when states are compared.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from playtest_agents.game import SIZE, Frame

TURNS = 6
MOVES = 3


@dataclass
class Sweep:
    """Cells of one line that changed one after another from one colour to another, since the level's start.

    They are the positions from `low` to `high`. `moves` are those that have made it longer, in `turns` turns.
    """

    low: int
    high: int
    turns: int = 0
    moves: set[Hashable] = field(default_factory=set)


type Line = tuple[int, int]
"""The axis, 0 for a row and 1 for a column, and its number."""


class Counters:
    """What is known of one environment's counters, from turn to turn.

    A sweep is a counter once TURNS turns have made it longer after MOVES different moves, each time at its
    end, and no cell of it has changed again. The rest of the line that has its colours belongs to it. What a
    player moves does not sweep: it leaves the cells that it has entered.
    """

    def __init__(self) -> None:
        self._mask: npt.NDArray[np.bool_] = np.zeros((SIZE, SIZE), dtype=bool)
        self._full: list[tuple[npt.NDArray[np.bool_], int, int]] = []
        self._sweeps: dict[tuple[Line, int, int], Sweep | None] = {}

    def masked(self, frame: Frame) -> Frame:
        """The frame with 0 in every cell that counts."""
        return np.where(self._mask, np.uint8(0), frame) if self._full else frame

    def spent(self, frame: Frame) -> bool:
        """Whether a counter is used up, but for what one turn uses."""
        return any(int((frame[cells] == colour).sum()) <= most for cells, colour, most in self._full)

    def start(self) -> None:
        """The level starts, also after a RESET: sweeps begin anew. What is known to count remains so."""
        self._sweeps.clear()

    def observe(self, before: Frame, move: Hashable, after: Frame, offered: int) -> bool:
        """Learn from one turn, in which `offered` moves were possible; whether a counter was found."""
        found = False
        changed = (before != after) & ~self._mask
        for line in _lines(changed):
            old, new, moved = (_along(grid, line) for grid in (before, after, changed))
            positions = np.flatnonzero(moved)
            pairs = {(int(old[at]), int(new[at])) for at in positions}
            for pair in pairs:
                at = positions[(old[positions] == pair[0]) & (new[positions] == pair[1])]
                sweep = self._extended(line, pair, (int(at[0]), int(at[-1])), len(at), new)
                if sweep is None:
                    continue
                sweep.turns, sweep.moves = sweep.turns + 1, sweep.moves | {move}
                if sweep.turns >= TURNS and len(sweep.moves) >= min(MOVES, offered):
                    self._learn(line, pair, sweep, new)
                    found = True
        return found

    def _extended(
        self, line: Line, pair: tuple[int, int], ends: tuple[int, int], count: int, now: npt.NDArray[np.uint8]
    ) -> Sweep | None:
        """The line's sweep with these cells at one of its ends; None if they are no part of one."""
        key, (first, last) = (line, *pair), ends
        together = last - first + 1 == count
        if key not in self._sweeps:
            self._sweeps[key] = Sweep(first, last) if together else None
            return self._sweeps[key]
        sweep = self._sweeps[key]
        if sweep is None:
            return None
        stays = bool((now[sweep.low : sweep.high + 1] == pair[1]).all())
        if not (together and stays and (first == sweep.high + 1 or last == sweep.low - 1)):
            self._sweeps[key] = None
            return None
        sweep.low, sweep.high = min(sweep.low, first), max(sweep.high, last)
        return sweep

    def _learn(self, line: Line, pair: tuple[int, int], sweep: Sweep, now: npt.NDArray[np.uint8]) -> None:
        low, high = sweep.low, sweep.high
        while low > 0 and now[low - 1] in pair:
            low -= 1
        while high < SIZE - 1 and now[high + 1] in pair:
            high += 1
        cells = np.zeros((SIZE, SIZE), dtype=bool)
        _along(cells, line)[low : high + 1] = True
        self._mask |= cells
        a_turn = -(-(sweep.high - sweep.low + 1) // sweep.turns)
        self._full.append((cells, pair[0], a_turn))


def _lines(changed: npt.NDArray[np.bool_]) -> Iterator[Line]:
    """The rows and the columns in which anything has changed."""
    for axis in (0, 1):
        for number in np.flatnonzero(changed.any(axis=1 - axis)):
            yield axis, int(number)


def _along[Cell: np.generic](grid: npt.NDArray[Cell], line: Line) -> npt.NDArray[Cell]:
    axis, number = line
    return grid[number] if axis == 0 else grid[:, number]
