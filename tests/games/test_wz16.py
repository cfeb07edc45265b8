"""The rules of wz16, one at a time, and what its levels ask for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.prove.search import solve
from games.wz16.search import Pond
from tests.games.rules import DIRECTIONS, one_of, rules


def after(picture: str, written: str) -> Any:
    """The state after these actions (a digit lights that lantern, counted by columns, then rows)."""
    module = rules("wz16")
    board, state = module.parse(picture)
    for sign in written:
        if sign.isdigit():
            state = module.switch(board, state, board.lanterns[int(sign)])
        else:
            state = module.step(board, state, DIRECTIONS[sign])
    return state


def fliers(picture: str, written: str) -> list[tuple[int, int]]:
    return [flier.at for flier in after(picture, written).fliers]


def test_in_the_dark_a_moth_flies_to_the_walker_over_land_and_water() -> None:
    assert fliers("@.--.mG", "R") == [(4, 0)]
    assert fliers("@.--.mG", "RL") == [(3, 0)]
    assert after("@m....G", "R").is_caught
    assert after("@.m...G", "R").is_caught


def test_a_moth_flies_to_the_lantern_that_shines_and_stays_beside_it() -> None:
    assert fliers("@..m--i G------", "0") == [(4, 0)]
    assert fliers("@..m--i G------", "0RLRL") == [(5, 0)]
    assert fliers("@..m--i G------", "0R0") == [(4, 0)]
    assert fliers("@..m--I G------", "R") == [(4, 0)]


def test_a_moth_goes_the_longer_side_first_and_around_what_is_taken() -> None:
    assert fliers("@.....G ------- ------- -M-----", "R") == [(1, 2)]
    assert fliers("@--MM--.G", "U") == [(3, 0), (4, 0)]


def test_a_bud_bears_once_a_moth_was_over_it() -> None:
    assert after("@*-M--G i------", "R").walker == (0, 0)
    picture = "--M---- @.*...G ------- --i----"
    state = after(picture, "0RLR")
    assert (state.opened, state.walker) == (frozenset({(2, 1)}), (1, 1))
    assert after(picture, "0RLRR").walker == (2, 1)


def test_a_web_holds_the_moth_that_flies_into_it() -> None:
    assert fliers("@.wM--G", "R") == []


def test_a_beetle_flies_away_from_the_light_and_closes_buds() -> None:
    assert fliers("@.-B---G", "R") == [(4, 0)]
    assert fliers("iB----- @.....G", "0") == [(2, 0)]
    module = rules("wz16")
    board, state = module.parse("iB*---- @.....G")
    state = state._replace(opened=frozenset({(2, 0)}))
    assert module.switch(board, state, (0, 0)).opened == frozenset()
    assert module.switch(board, state._replace(walker=(2, 0)), (0, 0)).is_caught


def test_who_is_caught_stays_caught_when_others_fly() -> None:
    assert after("-----M @.m..G i-----", "R").is_caught


@pytest.mark.parametrize("level", one_of(range(1, 8), 2))
def test_levels_need_the_lanterns(level: int) -> None:
    assert solve(Pond(rules("wz16"), level, lanterns=False)) is None


@pytest.mark.parametrize(("level", "without"), one_of([(4, "w"), (5, "B"), (7, "B")], (7, "B")))
def test_levels_need_the_web_and_the_beetle(level: int, without: str) -> None:
    assert solve(Pond(rules("wz16"), level, without)) is None
