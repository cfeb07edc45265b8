"""Two places: in one somebody walks, in the other an echo repeats the last steps when it is called.

Pure functions of immutable states. Directions are numbers: up, right, down, left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games._shared.cells import Cell, beside, signs_of

MEMORY = 4  # steps that are repeated
WAYS: tuple[Cell, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))


class Plan(NamedTuple):
    """A level as pictures. `turns`: quarters to the right by which each echo stands turned at first."""

    room: str
    field: str
    turns: tuple[int, ...] = (0,)


class Echo(NamedTuple):
    """Who repeats: where, turned by so many quarters to the right, and mirrored or not."""

    at: Cell
    turn: int
    mirrored: bool = False


class Board(NamedTuple):
    """What never changes during a level. `bridges` are there while the walker stands on a pad."""

    room: frozenset[Cell]
    pads: frozenset[Cell]
    tiles: frozenset[Cell]
    bridges: frozenset[Cell]
    turners: frozenset[Cell]
    mirrors: frozenset[Cell]
    goals: tuple[Cell, ...]
    starts: tuple[Echo, ...]


class State(NamedTuple):
    """`memory`: the last steps of the walker, the latest one at the end."""

    walker: Cell
    memory: tuple[int, ...]
    echoes: tuple[Echo, ...]


def parse(plan: Plan) -> tuple[Board, State]:
    """The board and its first state. The signs are explained with the levels."""
    room, field = dict(signs_of(plan.room)), dict(signs_of(plan.field))
    starts = sorted((sign, at) for at, sign in field.items() if sign in "ab")
    board = Board(
        room=frozenset(at for at, sign in room.items() if sign != "-"),
        pads=frozenset(at for at, sign in room.items() if sign == "p"),
        tiles=frozenset(at for at, sign in field.items() if sign != "-"),
        bridges=_places(field, "p"),
        turners=_places(field, "t"),
        mirrors=_places(field, "m"),
        goals=tuple(at for _, at in sorted((sign, at) for at, sign in field.items() if sign in "AB")),
        starts=tuple(Echo(at, turn) for (_, at), turn in zip(starts, plan.turns, strict=True)),
    )
    walker = next(at for at, sign in room.items() if sign == "@")
    return board, State(walker, (), board.starts)


def _places(signs: dict[Cell, str], wanted: str) -> frozenset[Cell]:
    return frozenset(at for at, sign in signs.items() if sign == wanted)


def walk(board: Board, state: State, way: int) -> State:
    """The state after a step of the walker; without room for it, the same state."""
    to = beside(state.walker, WAYS[way])
    if to not in board.room:
        return state
    return state._replace(walker=to, memory=(*state.memory, way)[-MEMORY:])


def call(board: Board, state: State) -> State:
    """The state after all echoes have repeated what is remembered."""
    last = [list(repeated(board, state, number))[-1:] for number in range(len(state.echoes))]
    after = (found[0] if found else echo for echo, found in zip(state.echoes, last, strict=True))
    return state._replace(echoes=tuple(after))


def repeated(board: Board, state: State, number: int) -> Iterator[Echo]:
    """Where one echo is after each step that it takes: none, as long as too few are remembered.

    One that falls is back at its start, and stays there; so does one at its goal.
    """
    echo, start = state.echoes[number], board.starts[number]
    if len(state.memory) < MEMORY:
        return
    for way in state.memory:
        if echo.at == board.goals[number]:
            return
        to = beside(echo.at, WAYS[seen_by(echo, way)])
        if to not in board.tiles or (to in board.bridges and state.walker not in board.pads):
            yield start
            return
        turn = (echo.turn + (to in board.turners)) % len(WAYS)
        echo = Echo(to, turn, echo.mirrored != (to in board.mirrors))
        yield echo


def seen_by(echo: Echo, way: int) -> int:
    """The direction in which an echo takes a step of the walker."""
    return ((-way if echo.mirrored else way) + echo.turn) % len(WAYS)


def is_solved(board: Board, state: State) -> bool:
    """Every echo is at its goal."""
    return all(echo.at == goal for echo, goal in zip(state.echoes, board.goals, strict=True))
