"""Threads that all obey the same key: each grows at its tip, and draws itself in when told to go back.

State is immutable and the rules are pure functions; the class below only draws them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from arcengine import ARCBaseGame, Camera, GameAction, Level, Sprite
from numpy.typing import NDArray

Cell = tuple[int, int]  # column, row
Path = tuple[Cell, ...]  # from the root to the tip
State = tuple[Path, ...]
Pixels = NDArray[np.int8]

SIDE = 12  # cells a side
SIZE = 5  # pixels a cell
LINE = 36  # pixels of the line at the start
MARGIN = 2
PRESSES = 72  # what a level allows, shown as a line under the board that shortens

CLEAR, ROCK, FLOOR, GRAIN, EYE, GLOW, LEFT = -1, 4, 5, 3, 5, 0, 1
FADE = (1, 2, 3)
DIRECTIONS: dict[GameAction, Cell] = {
    GameAction.ACTION1: (0, -1),
    GameAction.ACTION2: (0, 1),
    GameAction.ACTION3: (-1, 0),
    GameAction.ACTION4: (1, 0),
}

# A lower-case letter is the root of a thread, the same letter in upper case its ring. Digits are beads for
# the first, second and third thread in the order of THREADS. #: rock.
THREADS = {"y": 11, "s": 10, "m": 7}
MIRRORED = "m"
LEVELS = (
    """
    ############
    ############
    ############
    ###......###
    ###.#.##.###
    ###.#.##.###
    ###.#..#.###
    ###y##.#Y###
    ############
    ############
    ############
    ############
    """,
    """
    ############
    ############
    ##1.......##
    ##.##1##.###
    ##.......1##
    ###Y##.##.##
    ##...1....##
    ##.##.##.###
    ##.1..1...##
    ##y.##.##.##
    ############
    ############
    """,
    """
    ############
    ############
    ##.2......##
    ##S##..##.##
    ##........##
    ##..#Y2#..##
    ##........##
    ##.##1.##.##
    ##y.11.2.s##
    ############
    ############
    ############
    """,
    """
    ############
    #..S.......#
    #.##.##.##.#
    #..........#
    #.#..##..#.#
    #.#..Y..2#.#
    #....##....#
    #.#......#.#
    #..........#
    #.##.##.##.#
    #.y..1...s.#
    ############
    """,
    """
    ############
    ############
    ##........##
    ##.##3.#..##
    ##...1....##
    ##M.#.##..##
    ##....1...##
    ##.#...##.##
    ##..Y##.3.##
    ##..y..m..##
    ############
    ############
    """,
    """
    ############
    #......1...#
    #.##.#..##.#
    #......#...#
    #.#.##...#.#
    #.#...##.#.#
    #...#3.....#
    #.#.#.##.#.#
    #.#......#.#
    #...##.#..Y#
    #.y.....Mm.#
    ############
    """,
    """
    ############
    ##......1Y##
    ##.#.##.#.##
    #.....S....#
    #.##.##.##.#
    #...2...M.3#
    #.##.##.##.#
    #...2......#
    ##.#.##.#.##
    ##........##
    ##.y.sm...##
    ############
    """,
    """
    ############
    #.....#...S#
    #.###Y#.##M#
    #.#......#.#
    #...#.##...#
    ###.#....###
    #...##.#...#
    #1#......#.#
    #.##.#.###.#
    #....#2....#
    #y...s..3.m#
    ############
    """,
)


class Board(NamedTuple):
    """What never changes during a level; per thread, in the order of `names`."""

    names: str
    floor: frozenset[Cell]
    rings: tuple[Cell, ...]
    beads: tuple[frozenset[Cell], ...]


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state from twelve rows of twelve signs."""
    rows = picture.split()
    signs = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
    where = {sign: at for at, sign in signs.items()}
    names = "".join(name for name in THREADS if name in where)
    digits = {name: str(number) for number, name in enumerate(THREADS, 1)}
    board = Board(
        names=names,
        floor=frozenset(at for at, sign in signs.items() if sign != "#"),
        rings=tuple(where[name.upper()] for name in names),
        beads=tuple(frozenset(at for at, sign in signs.items() if sign == digits[name]) for name in names),
    )
    return board, tuple((where[name],) for name in names)


def press(board: Board, state: State, direction: Cell) -> State:
    """The state after one key. A thread told to turn back on itself draws in by one cell; the others grow by
    one unless something is in the way. Threads draw in before others grow; two that want one cell both wait.
    """
    wanted = [_wanted(name, path, direction) for name, path in zip(board.names, state, strict=True)]
    drawn = [path[:-1] if path[-2:-1] == (goal,) else path for path, goal in zip(state, wanted, strict=True)]
    taken = {at for path in drawn for at in path}
    after = []
    for index, (path, goal) in enumerate(zip(drawn, wanted, strict=True)):
        grows = (
            path is state[index]
            and goal not in taken
            and wanted.count(goal) == 1
            and _is_open(board, index, goal)
        )
        after.append((*path, goal) if grows else path)
    return tuple(after)


def _wanted(name: str, path: Path, direction: Cell) -> Cell:
    x, y = path[-1]
    return x + (-direction[0] if name in MIRRORED else direction[0]), y + direction[1]


def _is_open(board: Board, index: int, cell: Cell) -> bool:
    """Rock stops every thread, a bead every thread but its own."""
    return cell in board.floor and all(
        cell not in beads for other, beads in enumerate(board.beads) if other != index
    )


def is_solved(board: Board, state: State) -> bool:
    """Every tip is in its ring and every bead on its thread."""
    return all(
        path[-1] == ring and beads <= set(path)
        for path, ring, beads in zip(state, board.rings, board.beads, strict=True)
    )


def _stamp(picture: str) -> NDArray[np.bool_]:
    return np.array([[sign == "#" for sign in row] for row in picture.split()])


ROOT = _stamp("##### ##### ##### ##### #####")
RING = _stamp(".###. #...# #...# #...# .###.")
BEAD = _stamp("..... ..#.. .#.#. ..#.. .....")
DOT = _stamp("..... ..... ..#.. ..... .....")
BULGE = _stamp(".###. ##### ##### ##### .###.")


class Vq37(ARCBaseGame):
    """Directions only."""

    def __init__(self) -> None:
        levels = [Level(data={"picture": picture}) for picture in LEVELS]
        super().__init__("vq37", levels, Camera(background=ROCK), available_actions=[1, 2, 3, 4])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(level.get_data("picture"))
        self._left = PRESSES
        self._script: Iterator[None] | None = None
        self._colours = [THREADS[name] for name in self._board.names]
        self._weave = Sprite(np.full((64, 64), CLEAR, dtype=np.int8), name="threads", layer=1)
        self._eyes = [Sprite([[EYE]], name="tip", layer=2) for _ in self._position]
        level.remove_all_sprites()
        self._line = Sprite([[GRAIN]], name="line", layer=1)
        for sprite in (Sprite(self._ground(), name="ground"), self._line, self._weave, *self._eyes):
            level.add_sprite(sprite)
        self._show()

    def _get_hidden_state(self) -> Pixels:
        """The line shows two presses as one pixel; this tells them apart."""
        return np.array([[self._left % 2]], dtype=np.int8)

    def step(self) -> None:
        """Plays one frame of the current action's script."""
        if self._script is None:
            direction = DIRECTIONS.get(self.action.id)
            self._script = self._press(direction) if direction else iter(())
        if next(self._script, self) is self:
            self._script = None
            self.complete_action()

    def _press(self, direction: Cell) -> Iterator[None]:
        before, self._position = self._position, press(self._board, self._position, direction)
        self._left -= 1
        self._show()
        if is_solved(self._board, self._position):
            yield from self._celebrate()
            self.next_level()
            return
        if blocked := [index for index, path in enumerate(self._position) if path is before[index]]:
            yield from self._nudge(blocked, direction)
        if self._left == 0:
            yield from self._fade()
            self.lose()

    def _nudge(self, blocked: list[int], direction: Cell) -> Iterator[None]:
        """The tips that could not move look where they were sent."""
        for index in blocked:
            x, y = _wanted(self._board.names[index], self._position[index], direction)
            tip = self._position[index][-1]
            self._eyes[index].move(x - tip[0], y - tip[1])
        yield
        self._show_eyes()

    def _celebrate(self) -> Iterator[None]:
        """A light runs along every thread from its root to its ring."""
        lit = 8
        for number in range(lit):
            yield
            light = self._weave.pixels.copy()
            for path in self._position:
                for at in path[: -(-len(path) * (number + 1) // lit)]:
                    _fill(light, at, GLOW, BULGE & (light[_window(at)] != CLEAR))
            self._weave.pixels = light

    def _fade(self) -> Iterator[None]:
        """Nothing is left of the line: the threads lose their colour."""
        for grey in FADE:
            yield
            self._weave.pixels = np.where(self._weave.pixels == CLEAR, CLEAR, grey).astype(np.int8)

    def _show(self) -> None:
        pixels = np.full((64, 64), CLEAR, dtype=np.int8)
        for path, beads, colour in zip(self._position, self._board.beads, self._colours, strict=True):
            for (x, y), (to_x, to_y) in pairwise(path):
                left, top = MARGIN + SIZE * min(x, to_x) + 1, MARGIN + SIZE * min(y, to_y) + 1
                pixels[top : top + 3 + SIZE * abs(to_y - y), left : left + 3 + SIZE * abs(to_x - x)] = colour
            for at in beads & set(path):
                _fill(pixels, at, colour, BULGE)
        self._weave.pixels = pixels
        self._show_eyes()
        length = -(-self._left * LINE // PRESSES)
        self._line.pixels = np.full((1, length), LEFT, dtype=np.int8)
        self._line.set_position((64 - LINE) // 2, 63)

    def _show_eyes(self) -> None:
        for eye, path in zip(self._eyes, self._position, strict=True):
            x, y = path[-1]
            eye.set_position(MARGIN + SIZE * x + 2, MARGIN + SIZE * y + 2)

    def _ground(self) -> Pixels:
        pixels = np.full((64, 64), ROCK, dtype=np.int8)
        for at in self._board.floor:
            _fill(pixels, at, FLOOR, ROOT)
            _fill(pixels, at, GRAIN, DOT)
        for index, colour in enumerate(self._colours):
            _fill(pixels, self._position[index][0], colour, ROOT)
            _fill(pixels, self._board.rings[index], colour, RING)
            for at in self._board.beads[index]:
                _fill(pixels, at, colour, BEAD)
        return pixels


def _window(at: Cell) -> tuple[slice, slice]:
    left, top = MARGIN + SIZE * at[0], MARGIN + SIZE * at[1]
    return slice(top, top + SIZE), slice(left, left + SIZE)


def _fill(pixels: Pixels, at: Cell, colour: int, shape: NDArray[np.bool_]) -> None:
    pixels[_window(at)][shape] = colour
