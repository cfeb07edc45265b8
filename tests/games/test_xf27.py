"""The rules of xf27, one at a time, and what its levels ask for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.prove.search import solve
from games.xf27.search import FEWEST, Slab
from tests.games.rules import DIRECTIONS, one_of, rules


def played(picture: str, keys: str) -> tuple[Any, Any]:
    """The board and the state after these actions; the picture's rows are separated by spaces."""
    module = rules("xf27")
    board, state = module.parse(picture)
    for key in keys:
        state = module.act(board, state, DIRECTIONS[key])
    return board, state


def balls(picture: str, keys: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where each ball is and how it moves, after these actions."""
    return [(ball.at, ball.velocity) for ball in played(picture, keys)[1].balls]


def test_a_kick_moves_the_ball_and_not_the_walker() -> None:
    _, state = played("#@a....A", "R")
    assert state.walker == (1, 0)
    assert state.balls[0].at == (3, 0)
    assert balls("#@a....A", "RL") == [((4, 0), (1, 0))]


def test_a_ball_goes_on_by_itself_bounces_and_is_caught() -> None:
    assert balls("#@a..#A", "RL") == [((4, 0), (1, 0))]
    assert balls("#@a..#A", "RLL") == [((4, 0), (-1, 0))]
    assert balls("#@a..#A", "RLLLL") == [((2, 0), (-1, 0))]
    assert balls("#@a..#A", "RLLLLL") == [((2, 0), (0, 0))]


def test_a_ball_rests_in_its_dish_and_passes_others() -> None:
    module = rules("xf27")
    board, state = played("@a.A", "RL")
    assert state.balls[0].rests
    assert module.is_solved(board, state)
    assert balls("#@a.B..A", "RLL")[0] == ((5, 0), (1, 0))
    two = "#@a.Aa.."
    assert [ball.rests for ball in played(two, "RL")[1].balls] == [True, False]


def test_a_ball_in_its_dish_is_floor_for_everything() -> None:
    board, state = played("@aA..", "RRRR")
    assert state.walker == (3, 0)
    assert not rules("xf27").is_filled(played("@aA..", "")[1], (2, 0))
    assert rules("xf27").is_filled(state, (2, 0))
    assert board.ground[2, 0] == "A"


def test_a_ball_off_the_slab_is_lost_and_nothing_happens_any_more() -> None:
    _, state = played("#@a.", "RL")
    assert state.is_lost
    assert played("#@a.", "RLRR")[1] == state
    assert not rules("xf27").is_solved(*played("#@a.", "RL"))


def test_motion_is_handed_on_to_a_ball_that_lies() -> None:
    assert balls("#@a.a..A", "R") == [((3, 0), (1, 0)), ((4, 0), (0, 0))]
    assert balls("#@a.a..A", "RL") == [((3, 0), (0, 0)), ((4, 0), (1, 0))]
    assert balls("#@a.a..A", "RLL") == [((3, 0), (0, 0)), ((5, 0), (1, 0))]


def test_two_balls_that_meet_exchange_their_motion() -> None:
    module = rules("xf27")
    board, state = module.parse("@.a.a...")
    one, other = state.balls
    state = state._replace(balls=(one._replace(velocity=(1, 0)), other._replace(velocity=(-1, 0))))
    state = module.act(board, state, DIRECTIONS["L"])
    assert [ball.at for ball in state.balls] == [(3, 0), (4, 0)]
    assert [ball.velocity for ball in state.balls] == [(-1, 0), (1, 0)]


@pytest.mark.parametrize(("slope", "turned"), [("/", (0, -1)), ("\\", (0, 1))])
def test_a_slope_turns_a_ball_and_nobody_walks_on_it(slope: str, turned: tuple[int, int]) -> None:
    picture = f"#...... #@a{slope}... #......"
    assert balls(picture, "R") == [((3, 1), turned)]
    assert balls(picture, "RL") == [((3, 1 + turned[1]), turned)]
    assert played(f"@{slope}.a", "R")[1].walker == (0, 0)


def test_a_gate_is_open_while_a_plate_or_the_gate_is_occupied() -> None:
    module = rules("xf27")
    assert not module.is_open(*played("@.P.H.a", ""))
    assert module.is_open(*played("@.P.H.a", "RR"))
    assert played("@H.P.a", "R")[1].walker == (0, 0)
    assert balls("P@a.H.A", "RL") == [((4, 0), (1, 0))]
    assert balls("#@a.H.P", "RL") == [((3, 0), (-1, 0))]


def test_a_kick_turns_a_ball_that_rolls() -> None:
    picture = "....# ....# @a..# ....# ....#"
    assert balls(picture, "RU")[0] == ((3, 2), (1, 0))
    rolling = played("#.....# #.@.a.# #.....#", "UD")[1]
    assert rolling.balls[0].velocity == (0, 0)


@pytest.mark.parametrize(
    ("level", "without"), one_of([(2, "#"), (3, "/"), (5, "P"), (7, "P"), (8, "P")], (3, "/"))
)
def test_levels_need_what_they_introduce_or_are_longer(level: int, without: str) -> None:
    found = solve(Slab(rules("xf27"), level, without))
    assert found is None or len(found) > len(FEWEST[level - 1])


def test_the_fourth_level_needs_motion_to_be_handed_on() -> None:
    found = solve(Slab(rules("xf27"), 4, handing_on=False))
    assert found is None or len(found) > len(FEWEST[3])


def test_the_first_level_cannot_be_lost() -> None:
    module = rules("xf27")
    board, state = module.parse(module.LEVELS[0])
    reached, todo = {state}, [state]
    while todo:
        one = todo.pop()
        for direction in DIRECTIONS.values():
            after = module.act(board, one, direction)
            assert not after.is_lost
            if after not in reached:
                reached.add(after)
                todo.append(after)
