"""A slab with balls that never stop by themselves: kicked, caught, handed on, turned, dropped into dishes.

Pure functions of immutable states. Time passes with each action: the walker steps or kicks, then every ball
that moves goes on by one cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of

STILL = (0, 0)
BLOCK, RISING, FALLING, GATE, PLATE = "#/\\HP"
WARM, COLD = "ab"
DISHES = {"A": WARM, "B": COLD}
SOLID = BLOCK + RISING + FALLING  # what nobody walks on


class Ball(NamedTuple):
    """`velocity` in cells an action; `rests` in its dish for good."""

    kind: str
    at: Cell
    velocity: Cell = STILL
    rests: bool = False


class Board(NamedTuple):
    """What never changes during a level: the sign of every cell of the slab."""

    ground: Mapping[Cell, str]


class State(NamedTuple):
    """The walker, and the balls in the order of the picture; `is_lost` once one has left the slab."""

    walker: Cell
    balls: tuple[Ball, ...]
    is_lost: bool = False


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = {at: sign for at, sign in signs_of(picture) if sign != "-"}
    balls = tuple(Ball(sign, at) for at, sign in signs.items() if sign in (WARM, COLD))
    walker = next(at for at, sign in signs.items() if sign == "@")
    ground = {at: "." if sign in ("@", WARM, COLD) else sign for at, sign in signs.items()}
    return Board(ground), State(walker, balls)


def act(board: Board, state: State, direction: Cell) -> State:
    """The state after an action: a step, a kick or, against what is solid, a moment's wait."""
    if state.is_lost:
        return state
    to = beside(state.walker, direction)
    kicked = ball_at(state, to)
    if kicked is not None:
        state = _with(state, kicked, state.balls[kicked]._replace(velocity=direction))
    elif is_walkable(board, state, to):
        state = state._replace(walker=to)
    began = state.balls
    for number, ball in enumerate(began):
        if ball.velocity != STILL and state.balls[number] == ball:  # else it was hit in this moment
            state = _rolled(board, state, number)
    return state


def _rolled(board: Board, state: State, number: int) -> State:
    """The state after one moving ball has gone on by one cell, or met something."""
    ball = state.balls[number]
    across, down = ball.velocity
    to = beside(ball.at, ball.velocity)
    if to == state.walker:
        return _with(state, number, ball._replace(velocity=STILL))
    met = ball_at(state, to)
    if met is not None:
        other = state.balls[met]
        state = _with(state, met, other._replace(velocity=ball.velocity))
        return _with(state, number, ball._replace(velocity=other.velocity))
    sign = board.ground.get(to, "")
    if sign == BLOCK or (sign == GATE and not is_open(board, state)):
        return _with(state, number, ball._replace(velocity=(-across, -down)))
    if sign == RISING:
        return _with(state, number, ball._replace(at=to, velocity=(-down, -across)))
    if sign == FALLING:
        return _with(state, number, ball._replace(at=to, velocity=(down, across)))
    if DISHES.get(sign) == ball.kind and not is_filled(state, to):
        return _with(state, number, ball._replace(at=to, velocity=STILL, rests=True))
    moved = _with(state, number, ball._replace(at=to))
    return moved if sign else moved._replace(is_lost=True)


def ball_at(state: State, at: Cell) -> int | None:
    """The number of the ball that lies or rolls at a cell, not of one in its dish."""
    return next((n for n, ball in enumerate(state.balls) if ball.at == at and not ball.rests), None)


def is_filled(state: State, at: Cell) -> bool:
    """Whether the dish at a cell has its ball."""
    return any(ball.rests and ball.at == at for ball in state.balls)


def is_open(board: Board, state: State) -> bool:
    """Whether the gates are open: something is on a plate, or stands between their posts."""
    occupied = [state.walker, *(ball.at for ball in state.balls)]
    return any(board.ground.get(at, "") in (PLATE, GATE) for at in occupied)


def is_walkable(board: Board, state: State, at: Cell) -> bool:
    """Whether the walker can step there, as far as there is no ball."""
    sign = board.ground.get(at, "")
    return bool(sign) and sign not in SOLID and (sign != GATE or is_open(board, state))


def is_solved(board: Board, state: State) -> bool:
    """Every ball rests in its dish."""
    return not state.is_lost and all(ball.rests for ball in state.balls)


def _with(state: State, number: int, ball: Ball) -> State:
    return state._replace(balls=(*state.balls[:number], ball, *state.balls[number + 1 :]))
