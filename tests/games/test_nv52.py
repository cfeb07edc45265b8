"""The rules of nv52, one at a time, and what its levels ask for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.prove.search import solve
from games.nv52.search import Garden
from tests.games.rules import DIRECTIONS, one_of, rules


def after(picture: str, keys: str) -> Any:
    """The state after these steps; the picture's rows are separated by spaces."""
    module = rules("nv52")
    board, state = module.parse(picture)
    for key in keys:
        state = module.step(board, state, DIRECTIONS[key])
    return state


def hunters(picture: str, keys: str) -> list[tuple[str, tuple[int, int]]]:
    return [tuple(hunter) for hunter in after(picture, keys).hunters]


def test_a_follower_comes_along_the_longer_side_first_and_across_when_both_are_alike() -> None:
    assert hunters("@......G ........ ........ .....a..", "R") == [("a", (4, 3))]
    assert hunters("@...G ..... ..... .a...", "R") == [("a", (1, 2))]
    assert hunters("@....G ...... ...... ....a.", "R") == [("a", (3, 3))]


def test_water_turns_a_follower_to_the_other_side_or_stops_it() -> None:
    assert hunters("@.....G ....... ...#a..", "R") == [("a", (4, 1))]
    assert hunters("@.#a..G", "R") == [("a", (3, 0))]


def test_a_follower_eats_one_hedge_before_it_goes_on() -> None:
    state = after("..@.*a.G", "L")
    assert (state.hedges, state.hunters[0].at) == (frozenset(), (5, 0))
    assert hunters("..@.*a.G", "LL") == [("a", (4, 0))]


def test_hedges_water_and_holes_stop_the_walker_and_nobody_acts() -> None:
    for sign in "*#o":
        picture = f"@{sign}..a..G"
        assert after(picture, "RUL") == after(picture, "")


def test_a_hole_swallows_one_hunter_and_is_floor_then() -> None:
    state = after("@..oa.a.G", "RLRLR")
    assert state.holes == frozenset()
    assert [hunter.kind for hunter in state.hunters] == ["a"]
    assert state.hunters[0].at[0] < 6


def test_hunters_are_in_each_others_way() -> None:
    assert [at for _, at in hunters("@.#aa..G", "R")] == [(3, 0), (4, 0)]


def test_a_charger_runs_in_a_straight_line_as_far_as_a_hedge() -> None:
    assert hunters("@....... ......c. G.......", "R") == [("c", (6, 1))]
    state = after("....@... ..*...c. G.......", "LL")
    assert state.hunters[0].at == (6, 1)
    state = after("..@..... ........ .*....c. G.......", "L" + "DD")
    assert state.is_caught or state.hedges == frozenset({(1, 2)})
    state = after("........ @....... ..*...c. G.......", "D")
    assert (state.hunters[0].at, state.hedges, state.is_caught) == ((3, 2), frozenset(), False)
    assert after("........ @....... ......c. G.......", "D").is_caught


def test_water_between_keeps_a_charger_where_it_is() -> None:
    assert hunters("@....... ..#...c. G.......", "D") == [("c", (6, 1))]


def test_a_planter_flees_when_the_walker_is_near_and_leaves_a_hedge() -> None:
    assert hunters("@.....p.G", "RLR") == [("p", (6, 0))]
    state = after("@..p...G", "R")
    assert (state.hunters[0].at, state.hedges) == ((4, 0), frozenset({(3, 0)}))
    assert hunters("@..p*..G", "R") == [("p", (3, 0))]


def test_walking_into_a_hunter_is_being_caught() -> None:
    assert after("@p....G", "R").is_caught
    assert after("@a....G", "R").is_caught


@pytest.mark.parametrize(
    ("level", "without"),
    one_of(
        [(2, "a"), (3, "a"), (4, "c"), (5, "a"), (5, "c"), (6, "p"), (6, "a"), (7, "p"), (7, "c"), (8, "p")],
        (4, "c"),
    ),
)
def test_levels_need_their_hunters(level: int, without: str) -> None:
    assert solve(Garden(rules("nv52"), level, without)) is None


@pytest.mark.parametrize("level", one_of([3, 5, 8], 3))
def test_levels_with_a_hole_need_it(level: int) -> None:
    assert solve(Garden(rules("nv52"), level, is_filled=True)) is None
