"""The rules of qd41, one at a time, and what each of its levels asks for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.play.game import Game
from tests.games.known.qd41 import Plates, actions
from tests.games.plays import SEED
from tests.games.rules import DIRECTIONS, rules, source
from tests.games.solver import solve


def play(picture: str, keys: str = "") -> tuple[Any, Any]:
    """A board and its state after some steps."""
    module = rules("qd41")
    board, state = module.parse(picture)
    for key in keys:
        state = module.handle(board, state) if key == "I" else module.move(board, state, DIRECTIONS[key])
    return board, state


def light(picture: str, cell: tuple[int, int]) -> int:
    board, state = play(picture)
    number: int = rules("qd41").light_at(board, state, cell)
    return number


@pytest.mark.parametrize(("plate", "bearing"), [("d", ""), ("w", "W"), ("c", "C"), ("m", "WC")])
@pytest.mark.parametrize("lamps", ["", "W", "C", "WC"])
def test_a_plate_bears_in_its_own_light_alone(plate: str, bearing: str, lamps: str) -> None:
    _, state = play(f"O.@{plate}. {lamps}", "R")
    assert (state.walker, state.fallen) == ((3, 0), lamps != bearing)


@pytest.mark.parametrize(
    ("pillar", "warm", "cold"), [("#", 0, 0), ("%", 1, 0), ("&", 0, 2), ("S", 0, 0), (".", 1, 2)]
)
def test_a_pillar_stops_light_unless_it_is_glass_of_its_colour(pillar: str, warm: int, cold: int) -> None:
    assert light(f"W.{pillar}.d @O...", (4, 0)) == warm
    assert light(f"C.{pillar}.d @O...", (4, 0)) == cold


def test_a_shadow_ends_where_a_line_only_touches_a_corner() -> None:
    picture = "W#... ..... @.O.."
    assert [light(picture, cell) for cell in ((2, 0), (2, 1), (2, 2), (1, 1))] == [0, 0, 1, 1]


def test_a_screen_is_dark_where_it_stands_and_a_lamp_is_not() -> None:
    assert light("W..S. @O...", (3, 0)) == 0
    assert light("W..C. @O...", (3, 0)) == 3


def test_with_a_screen_dark_plates_bear_in_any_light_and_with_a_lamp_none() -> None:
    assert not play("W.@Sdd. ..O....", "RIRR")[1].fallen
    assert play("..@Wdd. ..O....", "RIR")[1].fallen
    assert play("W.@Sww. ..O....", "RIR")[1].fallen


def test_things_are_taken_and_put_on_rock_one_at_a_time() -> None:
    _, state = play("@WCw O...", "RIRI")
    assert (state.walker, state.things, state.held) == ((1, 0), ((1, 0), (2, 0)), None)
    board, state = play("@WCw O...", "RRIR")
    assert (state.walker, state.fallen) == ((3, 0), True)
    board, state = play("@Www O...", "RIR")
    assert rules("qd41").handle(board, state) == state


def test_nobody_walks_where_there_is_nothing_or_a_pillar() -> None:
    assert play("@~. O..", "R")[1] == play("@#. O..", "R")[1] == play("@.. O..", "U")[1]


def test_a_fall_begins_the_level_anew_and_shows_it() -> None:
    game, before = Game.start(source("qd41"), SEED, level=2)
    *_, fall = [game.act(action) for action in actions("RRRRR")]
    assert len(fall.frames) > 5
    assert fall.state_hash == before.state_hash
    assert fall.state == "NOT_FINISHED"


@pytest.mark.parametrize(("written", "frames"), [("I", 1), ("L", 1), ("RDR", 2)])
def test_what_is_refused_changes_nothing(written: str, frames: int) -> None:
    game, _ = Game.start(source("qd41"), SEED, level=4)
    *_, turn = [game.act(action) for action in actions(written)]
    assert (turn.changed, len(turn.frames)) == (False, frames)


@pytest.mark.parametrize(
    ("level", "without"),
    [
        *[(1, "take warm"), (2, "put warm"), (3, "put warm"), (3, "take screen"), (4, "put screen")],
        *[(4, "put warm"), (5, "take screen"), (5, "take warm"), (6, "take cold"), (6, "take warm")],
        *[(7, "take warm"), (7, "take cold"), (8, "take warm"), (8, "take cold"), (8, "put screen")],
    ],
)
def test_a_level_cannot_be_won_without_what_it_introduces(level: int, without: str) -> None:
    assert solve(Plates(level, frozenset({without}))) is None


@pytest.mark.parametrize(("level", "gone"), [(2, "#"), (3, "#"), (5, "Y"), (6, "#"), (7, "%"), (7, "&")])
def test_a_level_cannot_be_won_without_what_throws_its_shadow(level: int, gone: str) -> None:
    puzzle = Plates(level)
    puzzle.lay(rules("qd41").LEVELS[level - 1].replace(gone, "~"))
    assert solve(puzzle) is None


@pytest.mark.parametrize("level", [7, 8])
def test_stone_in_place_of_cold_glass_does_not_do(level: int) -> None:
    puzzle = Plates(level)
    puzzle.lay(rules("qd41").LEVELS[level - 1].replace("&", "#"))
    assert solve(puzzle) is None
