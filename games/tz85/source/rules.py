"""What happens on the plate, as pure functions of immutable states."""

from __future__ import annotations

from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of

SIDE = 9  # cells a side
CENTRE = SIDE // 2
STEADY = 1  # the plate stays level up to this moment (weight times cells from the centre)
STAY: Cell = (0, 0)
KINDS = "abh"  # of balls
HEAVY = "h"


class Board(NamedTuple):
    """What never changes during a level."""

    plate: frozenset[Cell]
    walls: frozenset[Cell]
    cups: tuple[tuple[Cell, str], ...]


class State(NamedTuple):
    """Where things are. `balls` are those still rolling, `fallen` those that fell off the plate."""

    walker: Cell
    carries: bool
    stones: frozenset[Cell]
    balls: tuple[tuple[Cell, str], ...]
    filled: frozenset[Cell]
    fallen: tuple[tuple[Cell, str], ...]


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state from nine rows of nine signs."""
    signs = dict(signs_of(picture))
    board = Board(
        plate=frozenset(signs),
        walls=frozenset(at for at, sign in signs.items() if sign == "#"),
        cups=tuple((at, sign.lower()) for at, sign in signs.items() if sign.isupper()),
    )
    state = State(
        walker=next(at for at, sign in signs.items() if sign == "w"),
        carries=False,
        stones=frozenset(at for at, sign in signs.items() if sign == "s"),
        balls=tuple((at, sign) for at, sign in signs.items() if sign in KINDS),
        filled=frozenset(),
        fallen=(),
    )
    return board, state


def lean(board: Board, state: State) -> Cell:
    """The direction of the low side: the one the moment about the centre points to, if one clearly wins."""
    weights = [(state.walker, 2 if state.carries else 1), *((at, 1) for at in state.stones)]
    weights += [(at, 1) for at, kind in state.balls if kind == HEAVY]
    weights += [(at, 1) for at, kind in board.cups if kind == HEAVY and at in state.filled]
    across = sum(weight * (at[0] - CENTRE) for at, weight in weights)
    down = sum(weight * (at[1] - CENTRE) for at, weight in weights)
    if max(abs(across), abs(down)) <= STEADY or abs(across) == abs(down):
        return STAY
    if abs(across) > abs(down):
        return (1 if across > 0 else -1), 0
    return 0, (1 if down > 0 else -1)


def act(board: Board, state: State, direction: Cell) -> State:
    """The state after the walker has stepped in a direction, or with STAY has lifted or put down a stone."""
    if direction == STAY:
        return _handle(board, state)
    to = beside(state.walker, direction)
    free = to in board.plate and to not in board.walls and all(at != to for at, _ in state.balls)
    free = free and all(at != to or at in state.filled for at, _ in board.cups)
    return state._replace(walker=to) if free else state


def _handle(board: Board, state: State) -> State:
    here = frozenset({state.walker})
    if not state.carries and here <= state.stones:
        return state._replace(carries=True, stones=state.stones - here)
    if state.carries and not here <= state.stones and all(at != state.walker for at, _ in board.cups):
        return state._replace(carries=False, stones=state.stones | here)
    return state


def roll(board: Board, state: State) -> State:
    """The state after every ball has rolled one cell towards the low side, those in front first."""
    way = lean(board, state)
    if way == STAY:
        return state
    for ball in sorted(state.balls, key=lambda ball: -(ball[0][0] * way[0] + ball[0][1] * way[1])):
        state = _roll_one(board, state, ball, beside(ball[0], way))
    return state


def _roll_one(board: Board, state: State, ball: tuple[Cell, str], to: Cell) -> State:
    index = state.balls.index(ball)
    others = (*state.balls[:index], *state.balls[index + 1 :])
    blocked = board.walls | state.stones | {state.walker} | {at for at, _ in others}
    blocked |= {at for at, kind in board.cups if kind != ball[1] and at not in state.filled}
    if to in blocked:
        return state
    if to not in board.plate:
        return state._replace(balls=others, fallen=(*state.fallen, (to, ball[1])))
    if (to, ball[1]) in board.cups and to not in state.filled:
        return state._replace(balls=others, filled=state.filled | {to})
    return state._replace(balls=(*state.balls[:index], (to, ball[1]), *state.balls[index + 1 :]))


def turn(board: Board, state: State, direction: Cell) -> State:
    """The state after one action of the walker and the roll that follows it."""
    return roll(board, act(board, state, direction))


def is_solved(board: Board, state: State) -> bool:
    """Every cup is filled."""
    return not state.fallen and len(state.filled) == len(board.cups)
