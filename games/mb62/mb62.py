"""Tokens on a lattice that travel only by point reflection: through another piece, to its far side.

State is immutable and the rules are pure functions; the class below only draws them. NOTE.md says what the
levels are for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from arcengine import ActionInput, ARCBaseGame, Camera, GameAction, Level, Sprite
from numpy.typing import NDArray

Point = tuple[int, int]  # column, row
Pixels = NDArray[np.int8]

SIDE = 8  # lattice points a side
PITCH = 7  # pixels from one point to the next
MARGIN = 4
JUMPS = 28  # what a level allows, shown as a line under the board, two pixels a jump

CLEAR, TABLE, BOARD, DOT, POST, LIFTED, BUMP, LEFT = -1, 3, 1, 2, 4, 0, 5, 1
FADE = (1, 2, 3)
COLOURS = {"a": 12, "b": 9, "p": 15}

# a, b: a token; p: two tokens joined by a bar. Upper case: a ring for a token of that colour. o: a post.
# x: a brittle post. _: no lattice point.
LEVELS = (
    """
    ________
    ________
    ........
    .aa..AA.
    ........
    ........
    ________
    ________
    """,
    """
    ._..._..
    ._._.a..
    ._..._..
    .A..._..
    ....._a.
    ._..._a.
    ._A_....
    ._A.._..
    """,
    """
    __....__
    __....__
    .....o..
    .A.a....
    .....A..
    ..a.....
    __oa..__
    __A...__
    """,
    """
    ..bA....
    _.o...._
    __Ba..__
    ___..___
    ___..___
    __...a__
    _......_
    .A......
    """,
    """
    ..Ap.___
    ...p..__
    ......._
    ....o...
    ........
    _..P....
    __aP....
    ___a...A
    """,
    """
    ........
    ._.._._.
    .A.....a
    .._.x_..
    ........
    ._B._.._
    .A..xa..
    ....b...
    """,
    """
    ...__...
    ...__.a.
    .....o..
    PP..A...
    ....x...
    b.B..pp.
    ...__...
    ...__...
    """,
)


class Board(NamedTuple):
    """What never changes during a level."""

    points: frozenset[Point]
    posts: frozenset[Point]
    rings: tuple[tuple[Point, int], ...]
    colours: tuple[int, ...]


class State(NamedTuple):
    """Where the pieces are: one or two points each, as in `Board.colours`; brittle posts still up."""

    pieces: tuple[tuple[Point, ...], ...]
    brittle: frozenset[Point]


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state from eight rows of eight signs."""
    rows = picture.split()
    signs = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "_"}
    pieces: list[tuple[Point, ...]] = [(at,) for at, sign in signs.items() if sign in "ab"]
    pieces += [ends] if (ends := tuple(at for at, sign in signs.items() if sign == "p")) else []
    board = Board(
        points=frozenset(signs),
        posts=frozenset(at for at, sign in signs.items() if sign == "o"),
        rings=tuple((at, COLOURS[sign.lower()]) for at, sign in signs.items() if sign in "ABP"),
        colours=tuple(COLOURS[signs[piece[0]]] for piece in pieces),
    )
    return board, State(tuple(pieces), frozenset(at for at, sign in signs.items() if sign == "x"))


def piece_at(state: State, at: Point) -> int | None:
    """Which piece stands on a point."""
    return next((index for index, piece in enumerate(state.pieces) if at in piece), None)


def is_pivot(board: Board, state: State, mover: int, at: Point) -> bool:
    """Whether the mover can be sent through this point."""
    other = piece_at(state, at)
    return at in board.posts or at in state.brittle or (other is not None and other != mover)


def landing(state: State, mover: int, pivot: Point) -> tuple[Point, ...]:
    """Where the mover comes down, each of its points as far behind the pivot as it was before it."""
    return tuple((2 * pivot[0] - x, 2 * pivot[1] - y) for x, y in state.pieces[mover])


def jump(board: Board, state: State, mover: int, pivot: Point) -> State | None:
    """The state after a jump, or None where the landing is taken or off the board. Breaks a brittle pivot."""
    landed = landing(state, mover, pivot)
    taken = board.posts | state.brittle
    taken |= {at for index, piece in enumerate(state.pieces) if index != mover for at in piece}
    if any(at not in board.points or at in taken for at in landed):
        return None
    pieces = (*state.pieces[:mover], landed, *state.pieces[mover + 1 :])
    return State(pieces, state.brittle - {pivot})


def is_solved(board: Board, state: State) -> bool:
    """Every ring holds a token of its colour."""
    held = {at: colour for piece, colour in zip(state.pieces, board.colours, strict=True) for at in piece}
    return all(held.get(at) == colour for at, colour in board.rings)


def _stamp(picture: str, colour: int) -> Pixels:
    """A small picture: # in the colour, + in the colour of a lifted token's heart, anything else clear."""
    inks = {"#": colour, "+": LIFTED}
    return np.array([[inks.get(sign, CLEAR) for sign in row] for row in picture.split()], dtype=np.int8)


TOKEN = ".###. ##### ##### ##### .###."
HEART = "..... .+++. .+++. .+++. ....."
RING = "..###.. .#...#. #.....# #.....# #.....# .#...#. ..###.."
SQUARE = "##### ##### ##### ##### #####"
BRITTLE = "##.## #...# ..... #...# ##.##"
SPARK = ".#. ### .#."
SPARKS = {colour: _stamp(SPARK, colour) for colour in (*COLOURS.values(), BUMP)}
BLOOM = (
    "#",
    SPARK,
    ".#.#. #...# ..... #...# .#.#.",
    ".#...#. #.....# ....... ....... ....... #.....# .#...#.",
)


class Mb62(ARCBaseGame):
    """Clicks only: a token, then the piece to reflect it through."""

    def __init__(self) -> None:
        levels = [Level(data={"picture": picture}) for picture in LEVELS]
        super().__init__("mb62", levels, Camera(background=TABLE), available_actions=[6])

    def on_set_level(self, level: Level) -> None:
        self._board, self._position = parse(level.get_data("picture"))
        self._lifted: int | None = None
        self._left = JUMPS
        self._script: Iterator[None] | None = None
        self._sparks: list[Sprite] = []
        level.remove_all_sprites()
        level.add_sprite(Sprite(self._table(), name="board"))
        for at in self._board.posts:
            self._add(SQUARE, POST, at, layer=2, tags=["sys_click"])
        self._brittle = {at: self._add(BRITTLE, POST, at, 2, ["sys_click"]) for at in self._position.brittle}
        self._tokens = [
            [self._add(TOKEN, colour, at, layer=3, tags=["sys_click"]) for at in piece]
            for piece, colour in zip(self._position.pieces, self._board.colours, strict=True)
        ]
        self._links = [self._add("#", colour, (0, 0), layer=2) for colour in self._board.colours]
        self._heart = [self._add(HEART, LIFTED, (0, 0), layer=4) for _ in range(2)]
        self._line = Sprite([[LEFT]], name="line", x=MARGIN, y=62, layer=1)
        level.add_sprite(self._line)
        for index in range(len(self._position.pieces)):
            self._place(index)
        self._lift(None)
        self._draw_line()

    def step(self) -> None:
        """Plays one frame of the current action's script."""
        if self._script is None:
            self._script = self._click() if self.action.id == GameAction.ACTION6 else iter(())
        if next(self._script, self) is self:
            self._script = None
            self.complete_action()

    def _click(self) -> Iterator[None]:
        at = _nearest(self.action)
        lifted = self._lifted
        if lifted is not None and is_pivot(self._board, self._position, lifted, at):
            self._lift(None)
            yield from self._jump(lifted, at)
            return
        touched = piece_at(self._position, at)
        if touched != lifted or touched is not None:
            self._lift(None if touched == lifted else touched)

    def _jump(self, mover: int, pivot: Point) -> Iterator[None]:
        start, end = self._position.pieces[mover], landing(self._position, mover, pivot)
        after = jump(self._board, self._position, mover, pivot)
        self._set_visible(mover, visible=False)
        way = (0.5, 0.75) if after else (0.5, 0.8, 0.5)
        for share in way:
            self._fly(start, end, share, self._board.colours[mover] if share <= 0.75 else BUMP)
            yield
        self._fly((), (), 0, 0)
        if after:
            self._position = after
            self._left -= 1
            self._place(mover)
            for at, sprite in self._brittle.items():
                sprite.set_visible(at in after.brittle)
            self._draw_line()
        self._set_visible(mover, visible=True)
        if is_solved(self._board, self._position):
            yield from self._celebrate()
            self.next_level()
        elif self._left == 0:
            yield from self._fade()
            self.lose()

    def _celebrate(self) -> Iterator[None]:
        for picture in BLOOM:
            yield
            for at, _ in self._board.rings:
                self._sparks.append(self._add(picture, LIFTED, at, layer=5))
            yield
            self._fly((), (), 0, 0)

    def _fade(self) -> Iterator[None]:
        """Nothing is left of the line: the tokens lose their colour."""
        for grey in FADE:
            yield
            for sprite in (*self._links, *(token for piece in self._tokens for token in piece)):
                sprite.pixels = np.where(sprite.pixels == CLEAR, CLEAR, grey).astype(np.int8)

    def _fly(self, start: tuple[Point, ...], end: tuple[Point, ...], share: float, colour: int) -> None:
        """Shows sparks that have gone a share of the way; none without a start."""
        for spark in self._sparks:
            self.current_level.remove_sprite(spark)
        self._sparks = [Sprite(SPARKS[colour], name="spark", layer=5) for _ in start]
        for spark, (x, y), (to_x, to_y) in zip(self._sparks, start, end, strict=True):
            _centre(spark, x + (to_x - x) * share, y + (to_y - y) * share)
            self.current_level.add_sprite(spark)

    def _place(self, index: int) -> None:
        """Brings the sprites of a piece to its points."""
        piece = self._position.pieces[index]
        for sprite, at in zip(self._tokens[index], piece, strict=True):
            _centre(sprite, *at)
        self._links[index].set_visible(len(piece) > 1)
        if len(piece) > 1:
            _link(self._links[index], piece, self._board.colours[index])

    def _set_visible(self, index: int, *, visible: bool) -> None:
        for token in self._tokens[index]:
            token.set_visible(visible)
        self._links[index].set_visible(visible and len(self._tokens[index]) > 1)

    def _lift(self, index: int | None) -> None:
        """Lifts a piece, or none."""
        self._lifted = index
        lifted = () if index is None else self._position.pieces[index]
        for number, heart in enumerate(self._heart):
            heart.set_visible(number < len(lifted))
            if number < len(lifted):
                _centre(heart, *lifted[number])

    def _draw_line(self) -> None:
        self._line.pixels = np.full((1, 2 * self._left), LEFT, dtype=np.int8)

    def _is_sprite_clickable_now(self, sprite: Sprite) -> bool:
        return bool(sprite.is_visible)

    def _add(self, picture: str, colour: int, at: Point, layer: int, tags: list[str] | None = None) -> Sprite:
        sprite = Sprite(_stamp(picture, colour), layer=layer, tags=tags or [])
        _centre(sprite, *at)
        self.current_level.add_sprite(sprite)
        return sprite

    def _table(self) -> Pixels:
        pixels = np.full((64, 64), CLEAR, dtype=np.int8)
        for x, y in self._board.points:
            left, top = MARGIN + PITCH * x, MARGIN + PITCH * y
            pixels[top : top + PITCH, left : left + PITCH] = BOARD
            pixels[top + 3, left + 3] = DOT
        for (x, y), colour in self._board.rings:
            left, top = MARGIN + PITCH * x, MARGIN + PITCH * y
            ring = _stamp(RING, colour)
            pixels[top : top + PITCH, left : left + PITCH][ring != CLEAR] = colour
        return pixels


def _centre(sprite: Sprite, x: float, y: float) -> None:
    """Puts a sprite's middle on a lattice point, or between two."""
    height, width = sprite.pixels.shape
    sprite.set_position(
        round(MARGIN + 3 + PITCH * x) - width // 2, round(MARGIN + 3 + PITCH * y) - height // 2
    )


def _link(sprite: Sprite, ends: tuple[Point, ...], colour: int) -> None:
    """Draws a bar of three pixels between the two tokens of a piece that lie side by side."""
    (x, y), (to_x, to_y) = ends
    sprite.pixels = np.full((3, PITCH) if y == to_y else (PITCH, 3), colour, dtype=np.int8)
    _centre(sprite, (x + to_x) / 2, (y + to_y) / 2)


def _nearest(click: ActionInput) -> Point:
    """The lattice point under a click; one outside the lattice where the click missed it."""
    return (int(click.data["x"]) - MARGIN) // PITCH, (int(click.data["y"]) - MARGIN) // PITCH
