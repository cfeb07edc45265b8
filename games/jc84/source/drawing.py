"""Draws the islands, the bridges with their hollows, the flock and those who were left."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games._shared.cells import Cell
from games._shared.pictures import BOARD, Pixels, box, canvas, finished, frame, paste, stamp
from games.jc84.source.rules import NEST, SPRING, TWIN, Board, Bridge, State

SIDE, GAP, EDGE = 14, 8, 4  # of an island and of a bridge's length, in pixels; who fit on an edge
PITCH = SIDE + GAP
SEA, WAVE = 15, 6
LAND = 11
PLANK, HOLLOW = 12, 13
ONE = 5
NEST_HOLLOW = 7
WATER, DRY = 10, 12
LINK = 8
MARKS = ("..x .xx xxx", "xxx xx. x..")  # large ones, in turns
SMALL_MARKS = (".x xx", "xx x.")


class Scene(NamedTuple):
    """A moment. `shift`: how far the flock is from its island, in pixels; `fallen`: how deep it has sunk."""

    state: State
    shift: Cell = (0, 0)
    fallen: int = 0
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    whole = tuple((at, bridge) for at, bridge in board.bridges.items() if at not in scene.state.gone)
    picture = _sea(_margins(tuple(board.islands)), whole).copy()
    left = dict(scene.state.left)
    for at, sign in board.islands.items():
        x, y = corner(board, at)
        _draw_island(picture, board, scene, x, y, sign, at)
        for number in range(left.get(at, 0)):
            _draw_waiting(picture, x, y, number)
    x, y = corner(board, scene.state.at)
    _draw_flock(picture, scene, x + scene.shift[0], y + scene.shift[1])
    return picture


def corner(board: Board, at: Cell) -> Cell:
    """The top left pixel of an island, so that all of them lie in the middle of the frame."""
    return _corner(_margins(tuple(board.islands)), at)


def _corner(margins: Cell, at: Cell) -> Cell:
    return margins[0] + at[0] // 2 * PITCH, margins[1] + at[1] // 2 * PITCH


@lru_cache(maxsize=16)
def _margins(islands: tuple[Cell, ...]) -> Cell:
    wide, high = (max(cell[axis] for cell in islands) // 2 * PITCH + SIDE for axis in (0, 1))
    return (BOARD - wide) // 2, (BOARD - high) // 2


def _mark(number: int, colour: int, marks: tuple[str, str] = MARKS) -> Pixels:
    """The picture of one of several."""
    return stamp(marks[number % 2], x=colour)


def _place(x: int, y: int, number: int) -> Cell:
    """Where one of a flock stands on an island: rows of three from its upper left."""
    return x + 1 + 4 * (number % 3), y + 1 + 4 * (number // 3)


def _draw_waiting(picture: Pixels, x: int, y: int, number: int) -> None:
    """One who was left: along the lower edge, then along the right one."""
    mark = _mark(number, ONE, SMALL_MARKS)
    if number < EDGE:
        paste(picture, mark, x + 1 + 3 * number, y + SIDE - 2)
    else:
        paste(picture, mark, x + SIDE - 2, y + 1 + 3 * (number - EDGE))


def _draw_island(picture: Pixels, board: Board, scene: Scene, x: int, y: int, sign: str, at: Cell) -> None:
    box(picture, x, y, SIDE, SIDE, LAND)
    if sign == NEST:
        for number in range(board.wanted):
            paste(picture, _mark(number, NEST_HOLLOW), *_place(x, y, number))
        frame(picture, x - 1 - scene.glow, y - 1 - scene.glow, SIDE + 2 + 2 * scene.glow, NEST_HOLLOW)
    elif sign == SPRING:
        colour = DRY if at in scene.state.gone else WATER
        frame(picture, x, y, SIDE, colour, 2)
    elif sign == TWIN:
        frame(picture, x, y, SIDE, LINK)
        for across, down in ((6, -1), (6, SIDE - 1), (-1, 6), (SIDE - 1, 6)):
            box(picture, x + across, y + down, 2, 2, LINK)


@lru_cache(maxsize=64)
def _sea(margins: Cell, bridges: tuple[tuple[Cell, Bridge], ...]) -> Pixels:
    """The sea with its bridges; drawn once, because everything else is drawn on it."""
    picture = canvas(BOARD, BOARD, SEA)
    for n in range(12):
        box(picture, (n * 23) % 60, (n * 17 + 5) % 62, 3, 1, WAVE)
    for at, bridge in bridges:
        _draw_bridge(picture, margins, at, bridge)
    return finished(picture)


def _draw_bridge(picture: Pixels, margins: Cell, at: Cell, bridge: Bridge) -> None:
    """Planks with a hollow for each that it bears, five at most; a weak one has gaps."""
    is_level = at[0] % 2 == 1
    before = (at[0] - 1, at[1]) if is_level else (at[0], at[1] - 1)
    x, y = _corner(margins, before)
    x, y = (x + SIDE, y + 1) if is_level else (x + 1, y + SIDE)
    wide, high = (GAP, SIDE - 2) if is_level else (SIDE - 2, GAP)
    box(picture, x, y, wide, high, PLANK)
    if bridge.is_weak:
        for n in range(0, SIDE - 2, 3):
            across, down = (GAP // 2 - 1, n) if is_level else (n, GAP // 2 - 1)
            box(picture, x + across, y + down, 2, 2, SEA)
    for number in range(bridge.hollows):
        row, place = divmod(number, 3)
        short, long = 1 + 4 * row, 1 + 4 * place + 2 * row
        across, down = (short, long) if is_level else (long, short)
        paste(picture, _mark(number, HOLLOW, SMALL_MARKS), x + across, y + down)


def _draw_flock(picture: Pixels, scene: Scene, x: int, y: int) -> None:
    for number in range(scene.state.flock):
        across, down = _place(x, y, number)
        if scene.fallen == 0:
            paste(picture, _mark(number, ONE), across, down)
        elif scene.fallen == 1:
            paste(picture, _mark(number, ONE, SMALL_MARKS), across, down + 1)
        else:
            box(picture, across - 1, down + 1, 4, 1, WAVE)
