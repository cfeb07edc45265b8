"""Draws the wall with its ledges, the cups with what is in them, and what belongs where."""

from __future__ import annotations

from typing import NamedTuple

from games._shared.cells import Cell
from games._shared.gravity import below
from games._shared.pictures import BOARD, Pixels, box, canvas, paste
from games.kr68.source.rules import (
    BALL,
    DOWN,
    LARGE,
    LEFT,
    RIGHT,
    SMALL,
    SMOOTH,
    UP,
    Board,
    State,
    Thing,
)

SIZE = 8  # pixels a cell

BACK = 10
LEDGE, TOP, DEEP = 15, 6, 13
GLAZE = 0
LARGE_CUP, SMALL_CUP = 5, 8
INSIDE = {LARGE: 2, SMALL: 7}
INK = {"a": 11, "b": 14}

WIDTH = {LARGE: 8, SMALL: 6, BALL: 4}


class Scene(NamedTuple):
    """A moment. What is at the cell `moving` is drawn `shift` pixels off; `glow` grows after a win."""

    state: State
    shift: Cell = (0, 0)
    moving: Cell | None = None
    glow: int = 0


def draw(board: Board, scene: Scene) -> Pixels:
    """The whole frame."""
    picture = canvas(BOARD, BOARD, BACK)
    for at, sign in board.ground.items():
        _draw_ground(picture, at, sign)
    for at, wanted in board.goals.items():
        _draw_goal(picture, at, wanted, scene.glow)
    for at, one in scene.state:
        across, down = scene.shift if at == scene.moving else (0, 0)
        _draw_thing(picture, SIZE * at[0] + across, SIZE * at[1] + down, one)
    return picture


def cell_at(x: int, y: int) -> tuple[Cell, int]:
    """The cell at a pixel, and which of its sides is nearer: 1 the right one, -1 the left one."""
    return (x // SIZE, y // SIZE), 1 if x % SIZE >= SIZE // 2 else -1


def _draw_ground(picture: Pixels, at: Cell, sign: str) -> None:
    x, y = SIZE * at[0], SIZE * at[1]
    box(picture, x, y, SIZE, SIZE, LEDGE)
    box(picture, x, y + SIZE - 2, SIZE, 2, DEEP)
    box(picture, x, y, SIZE, 2 if sign == SMOOTH else 1, GLAZE if sign == SMOOTH else TOP)


def _draw_goal(picture: Pixels, at: Cell, wanted: str, glow: int) -> None:
    """On the ledge under the place: what belongs there as a band, the outermost outside."""
    x, y = SIZE * at[0], SIZE * below(at)[1]
    box(picture, x, y, SIZE, 3, GLAZE)
    for sign in wanted:
        size = {"L": LARGE, "S": SMALL}.get(sign, BALL)
        colour = {"L": LARGE_CUP, "S": SMALL_CUP}.get(sign, INK.get(sign, GLAZE))
        box(picture, x + (SIZE - WIDTH[size]) // 2, y, WIDTH[size], 3, colour)
        if size != BALL:
            box(picture, x + (SIZE - WIDTH[size]) // 2 + 1, y, WIDTH[size] - 2, 3, INSIDE[size])
    for n in range(glow):
        box(picture, x + 1, y - SIZE - 3 * n - 2, SIZE - 2, 1, GLAZE)


def _draw_thing(picture: Pixels, x: int, y: int, one: Thing) -> None:
    """A thing in the cell whose top left pixel is at x, y; it rests on the cell's lower edge."""
    drawn = _picture(one)
    side = len(drawn)
    left, top = x + (SIZE - side) // 2, y + SIZE - side
    across, down = max(-left, 0), max(-top, 0)
    shown = drawn[down : max(BOARD - top, 0), across : max(BOARD - left, 0)]
    if shown.size:
        paste(picture, shown, left + across, top + down)


def _picture(one: Thing) -> Pixels:
    width = WIDTH[one.size]
    if one.size == BALL:
        return canvas(width, width, INK[one.colour])
    drawn = canvas(width, width, LARGE_CUP if one.size == LARGE else SMALL_CUP)
    inner = width - 2
    across, down = {UP: (1, 0), RIGHT: (2, 1), DOWN: (1, 2), LEFT: (0, 1)}[one.opening]
    box(drawn, 1, 1, inner, inner, INSIDE[one.size])
    box(drawn, across, down, inner, inner, INSIDE[one.size])
    if one.inside:
        inner = WIDTH[one.inside.size]
        gap = width - 1 - inner
        across = {RIGHT: 1, LEFT: gap}.get(one.opening, (width - inner) // 2)
        down = {UP: gap, DOWN: gap + 1}.get(one.opening, width - 1 - inner)
        paste(drawn, _picture(one.inside), across, down)
    return drawn
