"""Cups of two sizes on ledges: a cup rolls or slides, holds what is in it, and what nothing bears falls.

Pure functions of immutable states. Only an outermost cup is moved; what it holds moves and turns with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of
from games._shared.gravity import below, falling, lowest_first

WALL, SMOOTH = "#="
GROUND = WALL + SMOOTH
BALL, SMALL, LARGE = range(3)
SIZES = {"S": SMALL, "L": LARGE}
OPENINGS = "^>v<"  # clockwise
UP, RIGHT, DOWN, LEFT = range(4)
SIDE = 8  # cells across and down


class Plan(NamedTuple):
    """A level as a picture. Capital letters are `things`, small ones the ground under a place.

    `goals` has for these what the ground is and what belongs on it: `=La`.
    """

    picture: str
    things: Mapping[str, str]
    goals: Mapping[str, str]


class Thing(NamedTuple):
    """A ball of a colour, or a cup with an opening and perhaps something in it."""

    size: int
    colour: str = ""
    opening: int = UP
    inside: Thing | None = None


class Board(NamedTuple):
    """What never changes. `goals`: at a cell, what has to rest there, as `shape` writes it."""

    ground: Mapping[Cell, str]
    goals: Mapping[Cell, str]


State = tuple[tuple[Cell, Thing], ...]  # sorted by cell


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = dict(signs_of(plan.picture))
    ground = {at: plan.goals.get(sign, sign)[0] for at, sign in signs.items() if sign in GROUND + "wxyz"}
    goals = {beside(at, (0, -1)): plan.goals[sign][1:] for at, sign in signs.items() if sign in plan.goals}
    things = {at: thing(plan.things[sign]) for at, sign in signs.items() if sign in plan.things}
    return Board(ground, goals), _state(things)


def thing(written: str) -> Thing:
    """Reads `L^S>a`: a large cup that opens up, and in it a small one with a ball."""
    if written[0] not in SIZES:
        return Thing(BALL, written)
    inside = thing(written[2:]) if written[2:] else None
    return Thing(SIZES[written[0]], "", OPENINGS.index(written[1]), inside)


def shape(one: Thing | None) -> str:
    """What holds what, without openings: `LSa`."""
    if one is None:
        return ""
    return one.colour or " SL"[one.size] + shape(one.inside)


def move(board: Board, state: State, at: Cell, side: int) -> list[State]:
    """Every moment after the cup at a cell was moved to a side (1 right, -1 left); none if it cannot be.

    The first moment is that of the move itself, the last one is at rest.
    """
    moved = _moved(board, dict(state), at, side)
    return [] if moved is None else list(falling(moved, lambda moment: fall(board, moment)))


def slides(board: Board, at: Cell) -> bool:
    """Whether a cup at this cell stands on smooth ground, so that it is moved without a turn."""
    return board.ground.get(below(at)) == SMOOTH


def _moved(board: Board, things: dict[Cell, Thing], at: Cell, side: int) -> State | None:
    to = beside(at, (side, 0))
    cup = things.pop(at, None)
    if cup is None or cup.size == BALL or not _has_room(board, to):
        return None
    found, facing = things.get(to), RIGHT if side == 1 else LEFT
    turns = not slides(board, at)
    if turns and cup.opening == DOWN and cup.inside:
        things[at] = cup.inside
        cup = cup._replace(inside=None)
    after = turned(cup, side) if turns else cup
    if found:
        entered = put_in(found, after, (facing + 2) % 4)
        if entered is None and cup.opening == facing:
            entered = put_in(after, found, after.opening)
        if entered is None:
            return None
        after = entered
    return _state({**things, to: after})


def turned(one: Thing, quarters: int) -> Thing:
    """A thing and all that it holds, turned clockwise."""
    inside = turned(one.inside, quarters) if one.inside else None
    return one._replace(opening=(one.opening + quarters) % 4 if one.size else UP, inside=inside)


def put_in(cup: Thing, one: Thing, opening: int) -> Thing | None:
    """The cup with something more in it or in what it holds, through this opening, if there is room."""
    if cup.size <= one.size or cup.opening != opening:
        return None
    inside = put_in(cup.inside, one, opening) if cup.inside else one
    return inside and cup._replace(inside=inside)


def fall(board: Board, state: State) -> State:
    """All that nothing bears, a cell lower; the same state when all rests."""
    things = dict(state)
    for at in lowest_first(things):
        one = things.pop(at)
        lower = _lowered(board, things, at, one)
        if lower:
            things[below(at)] = lower
            continue
        things[at] = one
        while one.opening == DOWN and one.inside:
            one = one.inside
            lower = _lowered(board, things, at, one)
            if lower:
                things[at] = _without(things[at], one)
                things[below(at)] = lower
                break
    return _state(things)


def _lowered(board: Board, things: Mapping[Cell, Thing], at: Cell, one: Thing) -> Thing | None:
    """What is in the cell below once this has come down, or None if it cannot."""
    if not _has_room(board, below(at)):
        return None
    found = things.get(below(at))
    if found is None:
        return one
    return put_in(found, one, UP) or put_in(one, found, DOWN)


def _without(cup: Thing, one: Thing) -> Thing:
    inside = cup.inside
    return cup._replace(inside=None if inside is None or inside == one else _without(inside, one))


def _has_room(board: Board, at: Cell) -> bool:
    """Whether there is no ground in a cell. There is nothing under the last row."""
    return 0 <= at[0] < SIDE and 0 <= at[1] <= SIDE and at not in board.ground


def is_lost(state: State) -> bool:
    """Whether something has fallen out at the bottom."""
    return any(at[1] >= SIDE for at, _ in state)


def is_solved(board: Board, state: State) -> bool:
    """Every goal has what belongs there, neither more nor less enclosed."""
    things = dict(state)
    return all(shape(things.get(at)) == wanted for at, wanted in board.goals.items())


def _state(things: Mapping[Cell, Thing]) -> State:
    return tuple(sorted(things.items()))
