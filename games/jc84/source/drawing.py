"""Draws the islands, the bridges with their hollows, the flock and those who were left."""

from __future__ import annotations

from typing import NamedTuple

from games._shared.cells import Cell
from games._shared.pictures import BOARD, Pixels, box, canvas, frame, paste, stamp
from games.jc84.source.rules import NEST, SPRING, TWIN, Board, Bridge, State

SIDE, GAP, EDGE = 14, 8, 4  # of an island and of a bridge's length, in pixels; who fit on an edge
PITCH = SIDE + GAP
DICE = {
    1: "11",
    2: "10 12",
    3: "10 11 12",
    4: "00 20 02 22",
    5: "00 20 11 02 22",
    6: "00 20 01 21 02 22",
    7: "00 20 01 11 21 02 22",
    8: "00 10 20 01 21 02 12 22",
    9: "00 10 20 01 11 21 02 12 22",
}  # where so many stand: columns and rows of three

SEA, WAVE = 15, 6
LAND, SHORE = 11, 12
PLANK, HOLLOW = 12, 13
ONE = 5
NEST_HOLLOW = 7
WATER, DRY = 10, 12
LINK = 8
WALKER = stamp("xxx xxx xxx", x=ONE)


class Scene(NamedTuple):
    """A moment. `shift`: how far the flock is from its island, in pixels; `fallen`: how deep it has sunk."""

    state: State
    shift: Cell = (0, 0)
    fallen: int = 0
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = canvas(BOARD, BOARD, SEA)
    for n in range(12):
        box(picture, (n * 23) % 60, (n * 17 + 5) % 62, 3, 1, WAVE)
    for at, bridge in board.bridges.items():
        if at not in scene.state.gone:
            _draw_bridge(picture, board, at, bridge)
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
    wide, high = (max(cell[axis] for cell in board.islands) // 2 * PITCH + SIDE for axis in (0, 1))
    return (BOARD - wide) // 2 + at[0] // 2 * PITCH, (BOARD - high) // 2 + at[1] // 2 * PITCH


def places(count: int) -> list[Cell]:
    """The columns and rows of so many, as on a die."""
    return [(int(place[0]), int(place[1])) for place in DICE[count].split()]


def _draw_waiting(picture: Pixels, x: int, y: int, number: int) -> None:
    """One who was left: along the lower edge, then along the right one."""
    if number < EDGE:
        box(picture, x + 1 + 3 * number, y + SIDE - 2, 2, 2, ONE)
    else:
        box(picture, x + SIDE - 2, y + 1 + 3 * (number - EDGE), 2, 2, ONE)


def _draw_island(picture: Pixels, board: Board, scene: Scene, x: int, y: int, sign: str, at: Cell) -> None:
    box(picture, x + 1, y, SIDE - 2, SIDE + 2, SHORE)
    box(picture, x, y + 1, SIDE, SIDE, SHORE)
    box(picture, x + 1, y, SIDE - 2, SIDE, LAND)
    box(picture, x, y + 1, SIDE, SIDE - 2, LAND)
    if sign == NEST:
        for across, down in places(board.wanted):
            box(picture, x + 1 + 4 * across, y + 1 + 4 * down, 3, 3, NEST_HOLLOW)
        frame(picture, x - 1 - scene.glow, y - 1 - scene.glow, SIDE + 2 + 2 * scene.glow, NEST_HOLLOW)
    elif sign == SPRING:
        colour = DRY if at in scene.state.gone else WATER
        frame(picture, x, y, SIDE, colour, 2)
    elif sign == TWIN:
        frame(picture, x, y, SIDE, LINK)
        for across, down in ((6, -1), (6, SIDE - 1), (-1, 6), (SIDE - 1, 6)):
            box(picture, x + across, y + down, 2, 2, LINK)


def _draw_bridge(picture: Pixels, board: Board, at: Cell, bridge: Bridge) -> None:
    """Planks with a hollow for each that it bears; a weak one has gaps."""
    is_level = at[0] % 2 == 1
    before = (at[0] - 1, at[1]) if is_level else (at[0], at[1] - 1)
    x, y = corner(board, before)
    x, y = (x + SIDE, y + 1) if is_level else (x + 1, y + SIDE)
    wide, high = (GAP, SIDE - 2) if is_level else (SIDE - 2, GAP)
    box(picture, x, y, wide, high, PLANK)
    if bridge.is_weak:
        for n in range(0, SIDE, 3):
            if is_level:
                box(picture, x, y + n, 2, 1, SEA)
                box(picture, x + GAP - 2, y + n + 1, 2, 1, SEA)
            else:
                box(picture, x + n, y, 1, 2, SEA)
                box(picture, x + n + 1, y + GAP - 2, 1, 2, SEA)
    for short, long in places(bridge.hollows):
        across, down = (1 + 2 * short, 1 + 4 * long) if is_level else (1 + 4 * long, 1 + 2 * short)
        box(picture, x + across, y + down, 2, 2, HOLLOW)


def _draw_flock(picture: Pixels, scene: Scene, x: int, y: int) -> None:
    for column, row in places(scene.state.flock):
        across, down = x + 1 + 4 * column, y + 1 + 4 * row
        if scene.fallen == 0:
            paste(picture, WALKER, across, down)
        elif scene.fallen == 1:
            box(picture, across, down + 1, 2, 2, ONE)
        else:
            box(picture, across - 1, down + 1, 4, 1, WAVE)
