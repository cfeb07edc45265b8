"""Moths fly to the lantern that is lit, or to the walker if none is; buds that they pass over open.

Pure functions of immutable states. After each action every moth flies one cell, over water too; an open bud
is a stone to step on. A beetle flies away from what moths fly to, and closes what it passes over.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of
from games._shared.pursuit import towards

MOTH, BEETLE = "mb"


class Flier(NamedTuple):
    """Its kind, and where it is."""

    kind: str
    at: Cell


class Board(NamedTuple):
    """What never changes during a level. Webs hold what flies into them."""

    land: frozenset[Cell]
    water: frozenset[Cell]
    buds: frozenset[Cell]
    lanterns: tuple[Cell, ...]
    webs: frozenset[Cell]
    goal: Cell


class State(NamedTuple):
    """`lit`: the lantern that shines, if one does; `opened`: buds that are open."""

    walker: Cell
    fliers: tuple[Flier, ...]
    lit: Cell | None = None
    opened: frozenset[Cell] = frozenset()
    is_caught: bool = False


def parse(picture: str) -> tuple[Board, State]:
    """The board and its first state; `levels.py` says how a level is drawn."""
    signs = dict(signs_of(picture))
    fliers = tuple(Flier(sign.lower(), at) for at, sign in signs.items() if sign.lower() in (MOTH, BEETLE))
    water = frozenset(at for at, sign in signs.items() if sign in "-*wMB")
    board = Board(
        land=frozenset(at for at, sign in signs.items() if sign in ".@Gmb"),
        water=water,
        buds=frozenset(at for at, sign in signs.items() if sign == "*"),
        lanterns=tuple(sorted(at for at, sign in signs.items() if sign in "iI")),
        webs=frozenset(at for at, sign in signs.items() if sign == "w"),
        goal=next(at for at, sign in signs.items() if sign == "G"),
    )
    walker = next(at for at, sign in signs.items() if sign == "@")
    return board, State(walker, fliers, next((at for at, sign in signs.items() if sign == "I"), None))


def step(board: Board, state: State, direction: Cell) -> State:
    """The state after a step and the flight after it; the same state if there is nothing to step on."""
    to = beside(state.walker, direction)
    if state.is_caught or not (to in board.land or to in state.opened):
        return state
    moved = state._replace(walker=to, is_caught=any(flier.at == to for flier in state.fliers))
    return moved if moved.is_caught or is_solved(board, moved) else fly(board, moved)


def switch(board: Board, state: State, lantern: Cell) -> State:
    """The state after a lantern was lit, or put out if it shone, and the flight after it."""
    if state.is_caught:
        return state
    return fly(board, state._replace(lit=None if state.lit == lantern else lantern))


def fly(board: Board, state: State) -> State:
    """The state after every flier flew one cell, one after the other."""
    for number in range(len(state.fliers) - 1, -1, -1):
        state = _fly(board, state, number)
    return state


def _fly(board: Board, state: State, number: int) -> State:
    kind, at = state.fliers[number]
    heading = heading_of(board, state, number)
    if heading is None:
        return state
    to = beside(at, heading)
    others = (*state.fliers[:number], *state.fliers[number + 1 :])
    if to in board.webs:
        return state._replace(fliers=others)
    opened = state.opened
    if to in board.buds:
        opened = opened | {to} if kind == MOTH else opened - {to}
    has_sunk = state.walker in board.buds and state.walker not in opened
    is_caught = state.is_caught or to == state.walker or has_sunk
    fliers = (*state.fliers[:number], Flier(kind, to), *state.fliers[number + 1 :])
    return state._replace(fliers=fliers, opened=opened, is_caught=is_caught)


def heading_of(board: Board, state: State, number: int) -> Cell | None:
    """The direction in which a flier flies next, if it has room; a lantern is flown to, not over."""
    kind, at = state.fliers[number]
    headings = towards(at, state.walker if state.lit is None else state.lit)
    if kind == BEETLE:
        headings = [(-across, -down) for across, down in headings]
    return _first(board, state, at, headings)


def _first(board: Board, state: State, at: Cell, headings: Iterable[Cell]) -> Cell | None:
    taken = {flier.at for flier in state.fliers}
    for heading in headings:
        to = beside(at, heading)
        if to in board.lanterns:
            return None
        if to not in taken and (to in board.land or to in board.water):
            return heading
    return None


def is_solved(board: Board, state: State) -> bool:
    """The walker is at the goal."""
    return state.walker == board.goal and not state.is_caught
