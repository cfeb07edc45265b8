"""Tokens fly through pieces: a piece says how a place is turned or mirrored into the place of landing.

Pure functions of immutable states.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games._shared.cells import Cell, signs_of

HALF, BRITTLE, ACROSS, UPWARD, QUARTER = "oxvhq"
PIVOTS = HALF + BRITTLE + ACROSS + UPWARD + QUARTER
COLOURS = "ab"

IMAGES = {  # of the way from a piece to the token: across from across and down, down from across and down
    HALF: (-1, 0, 0, -1),
    BRITTLE: (-1, 0, 0, -1),
    ACROSS: (-1, 0, 0, 1),
    UPWARD: (1, 0, 0, -1),
    QUARTER: (0, -1, 1, 0),
}


class Plan(NamedTuple):
    """A level as two pictures: what stands where at first, and the rings."""

    picture: str
    rings: str


class Board(NamedTuple):
    """What never changes during a level. `pivots` has the brittle ones too."""

    cells: frozenset[Cell]
    pivots: Mapping[Cell, str]
    rings: frozenset[tuple[Cell, str]]


class State(NamedTuple):
    """Tokens with their colours, brittle pivots that are whole, and the token that is lit."""

    tokens: frozenset[tuple[Cell, str]]
    brittle: frozenset[Cell]
    lit: Cell | None = None


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = dict(signs_of(plan.picture))
    pivots = {at: sign for at, sign in signs.items() if sign in PIVOTS}
    rings = frozenset((at, sign) for at, sign in signs_of(plan.rings) if sign in COLOURS)
    tokens = frozenset((at, sign) for at, sign in signs.items() if sign in COLOURS)
    brittle = frozenset(at for at, sign in pivots.items() if sign == BRITTLE)
    return Board(frozenset(at for at, sign in signs.items() if sign != "-"), pivots, rings), State(
        tokens, brittle
    )


def piece_at(board: Board, state: State, at: Cell) -> str:
    """The kind of pivot that stands at a cell, as which a token counts too; nothing where none stands."""
    if any(at == token for token, _ in state.tokens):
        return HALF
    sign = board.pivots.get(at, "")
    return "" if sign == BRITTLE and at not in state.brittle else sign


def image(kind: str, pivot: Cell, at: Cell) -> Cell:
    """Where a token at a cell comes to through a pivot of this kind."""
    across, down = at[0] - pivot[0], at[1] - pivot[1]
    a, b, c, d = IMAGES[kind]
    return pivot[0] + a * across + b * down, pivot[1] + c * across + d * down


def landing(board: Board, state: State, token: Cell, pivot: Cell) -> Cell | None:
    """Where a token lands through a piece; None if there is no piece or no free place."""
    kind = piece_at(board, state, pivot)
    if not kind or pivot == token:
        return None
    to = image(kind, pivot, token)
    return to if to in board.cells and not piece_at(board, state, to) else None


def landings(board: Board, state: State) -> dict[Cell, Cell]:
    """Where the lit token can land, and through which piece; a brittle one only if no other leads there."""
    if state.lit is None:
        return {}
    pieces = {*board.pivots, *(at for at, _ in state.tokens)}
    through = sorted(pieces, key=lambda at: (at not in state.brittle, at))
    found = {landing(board, state, state.lit, pivot): pivot for pivot in through}
    return {to: pivot for to, pivot in found.items() if to is not None}


def jump(board: Board, state: State, token: Cell, pivot: Cell) -> State | None:
    """The state after a token flew through a piece; None if it cannot."""
    to = landing(board, state, token, pivot)
    if to is None:
        return None
    colour = dict(state.tokens)[token]
    tokens = state.tokens - {(token, colour)} | {(to, colour)}
    return State(tokens, state.brittle - {pivot})


def pivot_of(board: Board, state: State, at: Cell) -> Cell | None:
    """The piece that a click means while a token is lit: the one there, or the one that leads there."""
    if piece_at(board, state, at):
        return at if at != state.lit else None
    return landings(board, state).get(at)


def touch(board: Board, state: State, at: Cell) -> State:
    """The state after a click on a cell: a token is lit, let go, or flies."""
    if state.lit is None:
        return state._replace(lit=at) if any(at == token for token, _ in state.tokens) else state
    pivot = pivot_of(board, state, at)
    if pivot is None:
        return state._replace(lit=None)
    return jump(board, state, state.lit, pivot) or state


def is_solved(board: Board, state: State) -> bool:
    """Every ring has a token of its colour."""
    return board.rings <= state.tokens
