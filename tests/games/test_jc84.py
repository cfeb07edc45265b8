"""The rules of jc84, one at a time, and what its levels ask for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.prove.search import solve
from games.jc84.search import Flock
from tests.games.rules import DIRECTIONS, one_of, rules


def after(picture: str, keys: str, flock: int = 1, wanted: int = 1) -> Any:
    """The state after these actions; the picture's rows are separated by spaces."""
    module = rules("jc84")
    board, state = module.parse(module.Plan(picture, flock, wanted))
    for key in keys:
        state = module.leave(board, state) if key == "I" else module.go(board, state, DIRECTIONS[key])
    return state


@pytest.mark.parametrize(("flock", "lost"), [(1, True), (2, False), (3, True)])
def test_a_bridge_bears_exactly_as_many_as_it_has_hollows(flock: int, lost: bool) -> None:
    state = after("@2.", "R", flock)
    assert (state.is_lost, state.at) == (lost, (0, 0) if lost else (2, 0))


def test_without_a_bridge_nothing_happens() -> None:
    assert after("@-.", "RUDL") == after("@-.", "")


def test_who_waits_on_an_island_joins_and_who_is_left_waits() -> None:
    assert after("@12", "R").flock == 3
    state = after("@2.", "RII", 2)
    assert (state.flock, state.left) == (1, (((2, 0), 1),))
    state = after(".1@2.", "ILR", 2)
    assert (state.flock, state.left) == (2, ())


def test_a_weak_bridge_breaks_behind_them() -> None:
    state = after("@a.", "R")
    assert state.gone == {(1, 0)}
    assert after("@a.", "RL") == state


def test_a_spring_doubles_the_flock_once_and_an_island_has_room_for_nine() -> None:
    assert after("@1S2.", "R").flock == 2
    assert after("@1S2.2.", "RRL").flock == 2
    assert after("@4S", "R", 4).flock == 8
    assert after("@5S", "R", 5).is_lost


def test_who_is_left_on_a_twin_waits_on_the_other_one() -> None:
    state = after("@2V-V", "RI", 2)
    assert state.left == (((4, 0), 1),)


@pytest.mark.parametrize(("flock", "solved"), [(1, False), (2, True)])
def test_the_nest_asks_for_an_exact_number(flock: int, solved: bool) -> None:
    module = rules("jc84")
    board, state = module.parse(module.Plan(f"@{flock}G", flock, 2))
    assert module.is_solved(board, module.go(board, state, (1, 0))) == solved


@pytest.mark.parametrize("level", one_of(range(2, 9), 3))
def test_from_the_second_level_on_some_have_to_be_left(level: int) -> None:
    assert solve(Flock(rules("jc84"), level, may_leave=False)) is None


@pytest.mark.parametrize(
    ("level", "without"), one_of([(5, "S"), (6, "V"), (7, "S"), (7, "V"), (8, "S"), (8, "V")], (7, "V"))
)
def test_levels_need_their_springs_and_twins(level: int, without: str) -> None:
    assert solve(Flock(rules("jc84"), level, without)) is None
