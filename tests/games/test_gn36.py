"""The rules of gn36, one at a time, and what each of its levels asks for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.play.game import Game
from engine.prove.search import solve
from games.gn36.search import Stones, actions
from tests.games.plays import SEED
from tests.games.rules import DIRECTIONS, rules, source

GREY, WARM, COLD, BOTH = range(4)


def play(picture: str, keys: str = "") -> tuple[Any, Any]:
    """A board and its state after some steps."""
    module = rules("gn36")
    board, state = module.parse(picture)
    for key in keys:
        state = module.handle(board, state) if key == "I" else module.move(board, state, DIRECTIONS[key])
    return board, state


def owners(picture: str) -> list[int]:
    """Whose the cells of the first row are."""
    board, state = play(picture)
    return [rules("gn36").owner(board, state.stones, (x, 0)) for x in range(len(picture.split()[0]))]


def test_a_cell_belongs_to_the_nearest_stone_and_between_two_colours_to_both() -> None:
    assert owners("W...C @O...") == [WARM, WARM, BOTH, COLD, COLD]
    assert owners("Y..Z @O..") == [WARM, WARM, COLD, COLD]
    assert owners("..... W.C.@ ..O..")[:4] == [WARM, BOTH, COLD, COLD]


def test_what_is_as_near_to_a_grey_stone_is_nobodys() -> None:
    assert owners("W...S @O...") == [WARM, WARM, GREY, GREY, GREY]
    assert owners("W...X @O...") == [WARM, WARM, GREY, GREY, GREY]


def test_a_strong_stone_counts_as_half_as_far_away() -> None:
    assert owners("V.....C @O.....") == [WARM] * 4 + [BOTH, COLD, COLD]
    assert owners("W.....D @O.....") == [WARM, WARM, BOTH] + [COLD] * 4


@pytest.mark.parametrize(("plate", "colour"), [("d", "S"), ("w", "W"), ("c", "C")])
@pytest.mark.parametrize("nearest", ["S", "W", "C"])
def test_a_plate_bears_where_its_own_stone_is_nearest(plate: str, colour: str, nearest: str) -> None:
    _, state = play(f"O.@{plate}.{nearest}", "R")
    assert (state.walker, state.fallen) == ((3, 0), colour != nearest)


def test_a_white_plate_bears_where_two_colours_are_equally_near() -> None:
    assert not play("W@m.C O....", "R")[1].fallen
    assert play("WC@m. O....", "R")[1].fallen


def test_the_stone_in_hand_is_the_nearest_everywhere() -> None:
    assert not play("C.@Www. ..O....", "RIRR")[1].fallen
    assert play("C.@Wcc. ..O....", "RIR")[1].fallen


def test_stones_are_taken_and_put_on_rock_one_at_a_time() -> None:
    _, state = play("@WCw O...", "RIRI")
    assert (state.walker, state.stones, state.held) == ((1, 0), ((1, 0), (2, 0)), None)
    board, state = play("@Www O...", "RIR")
    assert rules("gn36").handle(board, state) == state


def test_a_fall_begins_the_level_anew_and_shows_it() -> None:
    game, before = Game.start(source("gn36"), SEED, level=2)
    *_, fall = [game.act(action) for action in actions("RRRRR")]
    assert len(fall.frames) > 4
    assert fall.state_hash == before.state_hash
    assert fall.state == "NOT_FINISHED"


@pytest.mark.parametrize(("level", "stone"), [(1, 0), (2, 0), (2, 1), (4, 0), (4, 1), (5, 0), (7, 0), (7, 1)])
def test_a_level_cannot_be_won_unless_its_stones_are_carried(level: int, stone: int) -> None:
    assert solve(Stones(rules("gn36"), level, frozenset({stone}))) is None


def test_the_way_past_a_strong_stone_is_much_longer_than_past_one_that_looks_the_same() -> None:
    found = [solve(Stones(rules("gn36"), 5, changed=("V", sign))) for sign in "VW"]
    assert [len(steps or "") for steps in found] == [35, 15]
