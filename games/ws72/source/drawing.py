"""Draws the rooms with walls, blocks and marks, and who goes through the marks."""

from __future__ import annotations

from typing import NamedTuple

from games._shared.cells import Cell, beside
from games._shared.pictures import BOARD, Pixels, box, canvas, frame, paste, stamp
from games.ws72.source.rules import Board, Mark, State, joined

SIZE = 8  # pixels a cell

FLOOR, SPOT = 4, 3
WALL, WALL_SIDE = 2, 3
PLAIN, PLAIN_SIDE = 12, 13
TINT, TINT_SIDE = 9, 10
WALKER = 11
MARK, BACKWARDS, JOINED = 0, 15, (7, 14)  # of marks alone, of the bar of mirrored ones, of two pairs

FIGURE = ".xxxx. xxxxxx xxxxxx xxxxxx xxxxxx .xxxx."
SMALL = "...... ...... ..xx.. ..xx.. ...... ......"
BAR = 3  # pixels: how wide the bar of a mark is


class Scene(NamedTuple):
    """A moment. `walker`: its top left pixel; `block`: one that moves, whether tinted, and its pixel."""

    state: State
    walker: Cell
    block: tuple[bool, Cell] | None = None
    through: tuple[Cell, ...] = ()
    """The marks that somebody or something goes through now."""
    ring: int = 0
    is_small: bool = False
    glow: int = 0


def corner(at: Cell) -> Cell:
    """The top left pixel of a cell."""
    return SIZE * at[0], SIZE * at[1]


def half(one: Cell, other: Cell) -> Cell:
    """The top left pixel half way between two cells."""
    return SIZE * (one[0] + other[0]) // 2, SIZE * (one[1] + other[1]) // 2


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = canvas(BOARD, BOARD, FLOOR)
    for x in range(SIZE, BOARD, SIZE):
        for y in range(SIZE, BOARD, SIZE):
            box(picture, x, y, 1, 1, SPOT)
    _draw_walls(picture, board)
    _draw_goal(picture, board.goal, scene.glow)
    pairs = _pairs(board, scene.state)
    for mark in board.marks:
        _draw_mark(picture, mark, pairs.get(mark.at, MARK), is_joined=mark.at in pairs)
    for at in sorted(scene.state.blocks | scene.state.tinted):
        _draw_block(picture, corner(at), is_tinted=at in scene.state.tinted)
    if scene.block is not None:
        _draw_block(picture, scene.block[1], is_tinted=scene.block[0])
    figure = stamp(SMALL if scene.is_small else FIGURE, x=WALKER)
    paste(picture, figure, scene.walker[0] + 1, scene.walker[1] + 1)
    for at in scene.through:
        x, y = corner(at)
        frame(picture, x - scene.ring, y - scene.ring, SIZE + 2 * scene.ring, pairs.get(at, JOINED[0]))
    return picture


def _pairs(board: Board, state: State) -> dict[Cell, int]:
    """The colour of each mark that is joined to another one."""
    twins = joined(board, state)
    colours: dict[Cell, int] = {}
    for mark in board.marks:
        if mark.at in twins and mark.at not in colours:
            colours[mark.at] = colours[twins[mark.at]] = JOINED[len(colours) // 2]
    return colours


def _draw_walls(picture: Pixels, board: Board) -> None:
    for at in sorted(board.walls):
        x, y = corner(at)
        box(picture, x, y, SIZE, SIZE, TINT if at in board.tinted else WALL)
        if beside(at, (0, 1)) not in board.walls:
            box(picture, x, y + SIZE - 2, SIZE, 2, TINT_SIDE if at in board.tinted else WALL_SIDE)


def _draw_goal(picture: Pixels, at: Cell, glow: int) -> None:
    x, y = corner(at)
    frame(picture, x + 1, y + 1, SIZE - 2, WALKER)
    box(picture, x + 3, y + 3, 2, 2, WALKER)
    if glow:
        frame(picture, x - glow, y - glow, SIZE + 2 * glow, WALKER)


def _draw_mark(picture: Pixels, mark: Mark, colour: int, *, is_joined: bool) -> None:
    """A square, full where the mark is joined, with a bar along its first side; purple if read backwards."""
    x, y = corner(mark.at)
    frame(picture, x, y, SIZE, colour)
    if is_joined:
        box(picture, x + 1, y + 1, SIZE - 2, SIZE - 2, colour)
    across, down = ((0, 0), (SIZE - BAR, 0), (0, SIZE - BAR), (0, 0))[mark.corner]
    wide, high = (SIZE, BAR) if mark.corner % 2 == 0 else (BAR, SIZE)
    box(picture, x + across, y + down, wide, high, BACKWARDS if mark.is_mirrored else MARK)


def _draw_block(picture: Pixels, at: Cell, *, is_tinted: bool) -> None:
    top, side = (TINT, TINT_SIDE) if is_tinted else (PLAIN, PLAIN_SIDE)
    box(picture, at[0], at[1], SIZE, SIZE, side)
    box(picture, at[0] + 1, at[1] + 1, SIZE - 2, SIZE - 3, top)
