"""The rules of each environment, one at a time, on boards drawn as text."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.rules import rules

DIRECTIONS = {"U": (0, -1), "D": (0, 1), "L": (-1, 0), "R": (1, 0), "I": (0, 0)}


def plate(picture: str, keys: str) -> tuple[Any, Any]:
    module = rules("tz85")
    board, state = module.parse(picture)
    for key in keys:
        state = module.turn(board, state, DIRECTIONS[key])
    return board, state


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
