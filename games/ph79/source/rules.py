"""A sheet is folded along a crease: wet ink prints on the cell that it meets, and dries with the fold.

Pure functions of immutable states. A sheet is spoilt by a print where none belongs, or when no ink on it
is wet and something is missing; then the next one is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games._shared.cells import Cell, signs_of

SHEETS = 3
WATER, MIXED = "w", "x"


class Plan(NamedTuple):
    """A level as pictures: what is on the sheet, and what belongs on it. `creases` as in `crease_of`."""

    sheet: str
    wanted: str
    creases: str


class Crease(NamedTuple):
    """A line: a cell x, y meets the cell (a x + b y + c, d x + e y + f)."""

    name: str
    across: tuple[int, int, int]
    down: tuple[int, int, int]


class Ink(NamedTuple):
    """What is on a cell: a colour's letter or water, wet or dry."""

    colour: str
    is_wet: bool


class Board(NamedTuple):
    """What never changes during a level."""

    side: int
    cells: frozenset[Cell]
    wanted: Mapping[Cell, str]
    creases: tuple[Crease, ...]
    printed: tuple[tuple[Cell, Ink], ...]  # what is on a new sheet


class State(NamedTuple):
    """The sheet that is worked on, sorted, and how many there are with it."""

    inks: tuple[tuple[Cell, Ink], ...]
    sheets: int = SHEETS


def crease_of(name: str, side: int) -> Crease:
    """v3: upright, before column 3; h3: level, before row 3; d: down to the right; u: up to the right."""
    if name == "d":
        return Crease(name, (0, 1, 0), (1, 0, 0))
    if name == "u":
        return Crease(name, (0, -1, side - 1), (-1, 0, side - 1))
    line = 2 * int(name[1:]) - 1
    if name[0] == "v":
        return Crease(name, (-1, 0, line), (0, 1, 0))
    return Crease(name, (1, 0, 0), (0, -1, line))


def met_by(crease: Crease, at: Cell) -> Cell:
    """The cell that lies on this one when the sheet is folded; it may be outside the sheet."""
    x, y = at
    (a, b, c), (d, e, f) = crease.across, crease.down
    return a * x + b * y + c, d * x + e * y + f


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs, wanted = dict(signs_of(plan.sheet)), dict(signs_of(plan.wanted))
    side = max(x for x, _ in signs) + 1
    inks = {at: Ink(sign.lower(), sign.islower()) for at, sign in signs.items() if sign.isalpha()}
    board = Board(
        side=side,
        cells=frozenset(at for at, sign in signs.items() if sign != "#"),
        wanted={at: sign for at, sign in wanted.items() if sign.isalpha()},
        creases=tuple(crease_of(name, side) for name in plan.creases.split()),
        printed=tuple(sorted(inks.items())),
    )
    return board, State(board.printed)


def fold(board: Board, state: State, crease: Crease) -> State:
    """The state after the sheet was folded there and opened again; it may be spoilt.

    Only what this fold printed or moistened is wet afterwards.
    """
    before = dict(state.inks)
    after = {at: Ink(ink.colour, ink.colour == WATER) for at, ink in before.items()}
    for at, ink in before.items():
        other = met_by(crease, at)
        if not ink.is_wet or other == at or other not in board.cells:
            continue
        found = before.get(other)
        if ink.colour == WATER:
            if found is not None and not found.is_wet:
                after[other] = Ink(found.colour, True)
                del after[at]
        elif found is None:
            after[other] = ink
        elif found.colour != WATER:
            after[other] = Ink(ink.colour if ink.colour == found.colour else MIXED, True)
    return state._replace(inks=tuple(sorted(after.items())))


def is_spoilt(board: Board, state: State) -> bool:
    """Ink is where none of its colour belongs, or something is missing and nothing can print any more."""
    inks = {at: ink for at, ink in state.inks if ink.colour != WATER}
    if any(board.wanted.get(at) != ink.colour for at, ink in inks.items()):
        return True
    is_dry = not any(ink.is_wet for ink in inks.values())
    return is_dry and not is_solved(board, state) and not _can_be_moistened(board, state)


def _can_be_moistened(board: Board, state: State) -> bool:
    inks = dict(state.inks)
    places = (
        inks.get(met_by(crease, at), ink)
        for at, ink in inks.items()
        if ink.colour == WATER
        for crease in board.creases
    )
    return any(place.colour != WATER for place in places)


def is_solved(board: Board, state: State) -> bool:
    """Every colour is where it belongs, and nowhere else."""
    return {at: ink.colour for at, ink in state.inks if ink.colour != WATER} == board.wanted


def turn(board: Board, state: State, crease: Crease) -> State:
    """The state after a fold; a spoilt sheet gives way to the next one, if there is one."""
    after = fold(board, state, crease)
    if not is_spoilt(board, after):
        return after
    return State(board.printed, state.sheets - 1)
