"""The rules of bh93, one at a time, and what its levels ask for."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from engine.prove.search import solve
from games.bh93.search import Lake
from tests.games.rules import DIRECTIONS, one_of, rules


def walked(picture: str, keys: str, reach: int = 9) -> tuple[Any, Any]:
    """The board and the state after these steps; the picture's rows are separated by spaces."""
    module = rules("bh93")
    board, state = module.parse(module.Plan(picture, reach))
    for key in keys:
        state = module.step(board, state, DIRECTIONS[key])
    return board, state


def field(picture: str, keys: str) -> str:
    """What the pads of the field are after these steps, row by row."""
    module = rules("bh93")
    board, state = walked(picture, keys)
    left, top, side = board.field
    rows = ([module.pad_at(board, state, (left + x, top + y)) for x in range(side)] for y in range(side))
    return " ".join(map("".join, rows))


@pytest.mark.parametrize(("pad", "lost"), [("o", False), ("x", True), ("a", False), ("b", False)])
def test_a_pad_bears_or_sinks(pad: str, lost: bool) -> None:
    _, state = walked(f"@{pad}.G", "R")
    assert (state.is_lost, state.walker) == (lost, (1, 0))


def test_where_nothing_is_there_is_no_step() -> None:
    assert walked("@-oG", "RUDL")[1].walker == (0, 0)


def test_two_pads_of_one_colour_in_a_row_sink_and_plain_ones_and_land_do_not_count() -> None:
    assert not walked("@abaG ....-", "RRR")[1].is_lost
    assert walked("@aa.G", "RR")[1].is_lost
    assert walked("@aoaG", "RRR")[1].is_lost
    assert not walked("@a.aG", "RRR")[1].is_lost
    assert not walked("@aobG", "RRR")[1].is_lost


def test_the_field_turns_to_the_right_or_is_mirrored() -> None:
    square = "-TM.G -abx- -xox- -oob-"
    at_first = "abx xox oob"
    assert field("@" + square[1:], "") == at_first
    assert field("@" + square[1:], "R") == "oxa oob bxx"
    assert field("@" + square[1:], "RR") == "axo boo xxb"
    assert field("@TT.G -abx- -xox- -oob-", "RR") == "boo xox xba"


def test_turning_and_mirroring_agree_with_numpy_in_any_order() -> None:
    for keys in map("".join, product("TM", repeat=5)):
        cells = np.array([list("abx"), list("xoo"), list("oab")])
        picture = f"@{keys}G -abx--- -xoo--- -oab---"
        for key in keys:
            cells = np.rot90(cells, -1) if key == "T" else np.fliplr(cells)
        assert field(picture, "R" * 5) == " ".join("".join(row) for row in cells)


def test_a_lookout_shows_pads_within_its_reach() -> None:
    module = rules("bh93")
    for reach, seen in ((9, 4), (2, 2)):
        board, state = walked("@Loxo x---.".replace(" x---.", " G----"), "R", reach)
        shown = sum(module.is_seen(board, state, at) for at in board.pads)
        assert shown == min(seen, 3)
        assert not any(module.is_seen(board, walked("@Loxo G----", "")[1], at) for at in board.pads)


@pytest.mark.parametrize(("level", "without"), one_of([(4, "T"), (5, "M"), (7, "T"), (8, "T")], (5, "M")))
def test_levels_need_what_turns_and_mirrors(level: int, without: str) -> None:
    assert solve(Lake(rules("bh93"), level, without)) is None


@pytest.mark.parametrize("level", range(1, 9))
def test_a_lookout_can_be_reached_over_land(level: int) -> None:
    module = rules("bh93")
    board, state = module.parse(module.LEVELS[level - 1])
    reached = {state.walker}
    while (
        more := {
            (x + across, y + down)
            for x, y in reached
            for across, down in DIRECTIONS.values()
            if (x + across, y + down) in board.land
        }
        - reached
    ):
        reached |= more
    assert "L" in {board.land[at] for at in reached}
