"""The rules of rv64, one at a time, and what its levels ask for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.play.actions import Action
from engine.play.game import Game
from engine.prove.search import solve
from games.rv64.search import SecondWalker
from tests.games.plays import SEED
from tests.games.rules import one_of, rules, source

ROOM = "..... ..... ..@.p ..... ....."


def after(field: str, keys: str, room: str = ROOM, turn: int = 0) -> Any:
    """The first echo after these actions; the field's rows are separated by spaces."""
    module = rules("rv64")
    board, state = module.parse(module.Plan(room, field, (turn,)))
    for key in keys:
        state = module.call(board, state) if key == "I" else module.walk(board, state, "URDL".index(key))
    return state.echoes[0]


@pytest.mark.parametrize(
    ("keys", "column"),
    [
        ("RLRI", 0),  # three steps are too few
        ("LRLRI", 0),  # the first one falls
        ("LLRRRRI", 4),
        ("RLRRI", 2),
        ("RLRRII", 4),
        ("RLRRIII", 6),
    ],
)
def test_the_last_four_steps_are_repeated_as_often_as_called(keys: str, column: int) -> None:
    assert after("a.....A", keys).at == (column, 0)


def test_a_step_against_the_edge_is_not_remembered() -> None:
    assert after("a....A", "RRRRRI").at == (0, 0)
    assert after("a....A", "RRRRLLI").at == (0, 0)


@pytest.mark.parametrize(
    ("turn", "field", "at"), [(1, "a . . . . A", (0, 4)), (2, "A....a", (1, 0)), (3, "A . . . . a", (0, 1))]
)
def test_a_turned_echo_takes_steps_turned(turn: int, field: str, at: tuple[int, int]) -> None:
    assert after(field, "LLRRRRI", turn=turn).at == at


def test_tiles_turn_and_mirror_from_the_next_step_on() -> None:
    found = after("at -. -. -. -A", "LLRRRRI")
    assert (found.at, found.turn) == ((1, 3), 1)
    found = after("am..A", "RLLRI")
    assert (found.at, found.mirrored) == ((2, 0), True)


def test_a_bridge_is_there_while_the_walker_ends_on_the_pad() -> None:
    assert after("a.p..A", "LLRRRRI").at == (4, 0)
    assert after("a.p..A", "LLRRRRI", ROOM.replace("p", ".")).at == (0, 0)


def test_an_echo_stays_at_its_goal_and_solves_the_level_when_all_are_there() -> None:
    assert after("a.A..", "LLRRRRI").at == (2, 0)


@pytest.mark.parametrize("level", one_of([5, 7, 8], 7))
def test_levels_with_a_green_square_need_it(level: int) -> None:
    puzzle = SecondWalker(rules("rv64"), level)
    assert solve(puzzle) is not None
    assert solve(SecondWalker(rules("rv64"), level, without="p")) is None


def test_too_few_steps_light_the_empty_places_and_change_nothing() -> None:
    game, before = Game.start(source("rv64"), SEED)
    turn = game.act(Action(5))
    assert len(turn.frames) == 2
    assert turn.state_hash == before.state_hash
