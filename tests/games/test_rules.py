"""The rules of each environment, one at a time, on boards drawn as text."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Game
from tests.games.known import known
from tests.games.plays import SEED
from tests.games.rules import rules, source

DIRECTIONS = {"U": (0, -1), "D": (0, 1), "L": (-1, 0), "R": (1, 0), "I": (0, 0)}


def plate(picture: str, keys: str) -> tuple[Any, Any]:
    module = rules("tz85")
    board, state = module.parse(picture)
    for key in keys:
        state = module.turn(board, state, DIRECTIONS[key])
    return board, state


@pytest.mark.parametrize(
    ("picture", "pivot", "landed"),
    [
        ("a.o..", (2, 0), ((4, 0),)),
        ("a.o.", (2, 0), None),
        ("a.o.b", (2, 0), None),
        ("a.o._", (2, 0), None),
        ("pp.o....", (3, 0), ((6, 0), (5, 0))),
    ],
)
def test_a_token_lands_at_the_same_distance_behind_the_pivot_if_the_cell_is_free(
    picture: str, pivot: tuple[int, int], landed: object
) -> None:
    module = rules("mb62")
    board, state = module.parse(picture)
    after = module.jump(board, state, 0, pivot)
    assert (after and after.pieces[0]) == landed


def test_a_brittle_post_breaks_after_one_flight() -> None:
    module = rules("mb62")
    board, state = module.parse("a.x..")
    after = module.jump(board, state, 0, (2, 0))
    assert after.brittle == frozenset()
    assert not module.is_pivot(board, after, 0, (2, 0))


def test_a_refused_jump_is_shown_and_changes_nothing() -> None:
    game, _ = Game.start(source("mb62"), SEED)
    before, *_, refused = [game.act(action) for action in known("mb62").actions("23>13 13>03")][1:]
    assert len(refused.frames) > 1
    assert refused.state_hash == before.state_hash


MIDDLE = "\n".join(["........."] * 4)


@pytest.mark.parametrize(
    ("row", "keys", "lean"),
    [
        ("....w....", "", (0, 0)),
        ("....w....", "R", (0, 0)),
        ("....w....", "RR", (1, 0)),
        (".s..w....", "RR", (0, 0)),
        (".s..w....", "RRRRR", (0, 0)),
        (".s.......", "", (-1, 0)),
        ("....w..h.", "", (1, 0)),
    ],
)
def test_the_plate_leans_to_the_heavier_moment(row: str, keys: str, lean: tuple[int, int]) -> None:
    drawn = row if "w" in row else row[:4] + "w" + row[5:]
    board, state = plate(f"{MIDDLE}\n{drawn}\n{MIDDLE}", "")
    for key in keys:
        state = rules("tz85").act(board, state, DIRECTIONS[key])
    assert rules("tz85").lean(board, state) == lean


def test_balls_roll_until_stopped_and_fall_off_an_open_edge() -> None:
    _, state = plate(f"{MIDDLE}\n....w..a#\n{MIDDLE}", "RRII")
    assert state.balls == (((7, 4), "a"),)
    _, state = plate(f"{MIDDLE}\n....w..a.\n{MIDDLE}", "RRII")
    assert state.fallen == (((9, 4), "a"),)


def test_a_ball_fills_its_own_cup_and_stops_at_another() -> None:
    _, state = plate(f"{MIDDLE}\n....w.aA.\n{MIDDLE}", "RR")
    assert (state.filled, state.balls) == (frozenset(), (((6, 4), "a"),))
    _, state = plate(f"{MIDDLE}\n....w..aA\n{MIDDLE}", "RR")
    assert (state.filled, state.balls) == (frozenset({(8, 4)}), ())
    _, state = plate(f"{MIDDLE}\n....w..aB\n{MIDDLE}", "RR")
    assert state.balls == (((7, 4), "a"),)


def test_a_stone_is_lifted_carried_and_put_down() -> None:
    _, state = plate(f"{MIDDLE}\n....ws...\n{MIDDLE}", "RI")
    assert (state.carries, state.stones) == (True, frozenset())
    _, state = plate(f"{MIDDLE}\n....ws...\n{MIDDLE}", "RIUI")
    assert (state.carries, state.stones) == (False, frozenset({(5, 3)}))
