"""The rules of tb46, one at a time, and what its levels ask for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.play.actions import CLICK, UNDO, Action
from engine.play.game import Game
from engine.prove.search import solve
from games.tb46.search import Flights, actions
from tests.games.plays import SEED
from tests.games.rules import one_of, rules, source


def touched(picture: str, *cells: tuple[int, int]) -> tuple[Any, Any]:
    """The board and the state after clicks on these cells; the picture's rows are separated by spaces."""
    module = rules("tb46")
    board, state = module.parse(module.Plan(picture, ""))
    for at in cells:
        state = module.touch(board, state, at)
    return board, state


@pytest.mark.parametrize(
    ("picture", "token", "pivot", "landed"),
    [
        ("a.o..", (0, 0), (2, 0), (4, 0)),
        ("a.x..", (0, 0), (2, 0), (4, 0)),
        ("a.b..", (0, 0), (2, 0), (4, 0)),
        ("a.v.. ..... .....", (0, 0), (2, 0), (4, 0)),
        ("a.... .v... .....", (0, 0), (1, 1), (2, 0)),
        ("a.... .o... .....", (0, 0), (1, 1), (2, 2)),
        ("a.... .h... .....", (0, 0), (1, 1), (0, 2)),
        ("a.... .q... .....", (0, 0), (1, 1), (2, 0)),
        (".a... .q... .....", (1, 0), (1, 1), (2, 1)),
        ("..... aq... .....", (0, 1), (1, 1), (1, 0)),
    ],
)
def test_a_piece_turns_or_mirrors_the_place_of_a_token(
    picture: str, token: tuple[int, int], pivot: tuple[int, int], landed: tuple[int, int]
) -> None:
    _, state = touched(picture, token, pivot)
    assert (landed, "a") in state.tokens
    assert (state.lit, len(state.tokens)) == (None, picture.count("a") + picture.count("b"))


@pytest.mark.parametrize("picture", ["a.o.", "a.o.b", "a.o.-", "a.o.o", "v....  a...."])
def test_a_token_stays_lit_where_it_cannot_land(picture: str) -> None:
    token, pivot = ((0, 1), (0, 0)) if picture.startswith("v") else ((0, 0), (2, 0))
    before = touched(picture, token)[1]
    assert touched(picture, token, pivot)[1] == before
    assert before.lit == token


def test_a_second_click_on_a_token_or_one_on_nothing_lets_go() -> None:
    for at in ((0, 0), (1, 0), (9, 9)):
        assert touched("a.o..", (0, 0), at)[1] == touched("a.o..")[1]


def test_a_click_on_the_place_of_landing_flies_there_and_spares_brittle_pieces() -> None:
    assert touched("a.o..", (0, 0), (4, 0)) == touched("a.o..", (0, 0), (2, 0))
    both = "..v.. a.x.. ....."
    assert touched(both, (0, 1), (4, 1))[1].brittle == {(2, 1)}
    assert touched(both, (0, 1), (2, 1))[1].brittle == frozenset()


def test_a_brittle_piece_is_good_for_one_flight_and_leaves_floor() -> None:
    board, state = touched("a.x..", (0, 0), (2, 0))
    assert rules("tb46").piece_at(board, state, (2, 0)) == ""
    assert ((2, 0), "b") in touched("a.x.. ..o.. ..b..", (0, 0), (2, 0), (2, 2), (2, 1))[1].tokens


NEEDED = {2: "o", 3: "v", 4: "vh", 5: "q", 6: "qv", 7: "qx", 8: "qxh"}


@pytest.mark.parametrize(
    ("level", "without"),
    one_of([(level, sign) for level, signs in NEEDED.items() for sign in signs], (3, "v")),
)
def test_levels_need_their_pieces(level: int, without: str) -> None:
    assert solve(Flights(rules("tb46"), level, without)) is None


def test_a_refused_flight_is_shown_and_changes_nothing() -> None:
    game, _ = Game.start(source("tb46"), SEED)
    *_, lit, refused = [game.act(action) for action in actions("23>13 13>03")]
    assert len(refused.frames) > 1
    assert refused.state_hash == lit.state_hash


def test_undo_brings_a_brittle_piece_back() -> None:
    game, turn = Game.start(source("tb46"), SEED, level=7)
    began = turn.frames[-1]
    for action in actions("03>22"):
        turn = game.act(action)
    assert not np.array_equal(turn.frames[-1], began)
    for _ in range(2):
        turn = game.act(Action(UNDO))
    assert np.array_equal(turn.frames[-1], began)


def test_places_where_a_lit_token_can_land_are_marked() -> None:
    game, turn = Game.start(source("tb46"), SEED)
    board, state = rules("tb46").parse(rules("tb46").LEVELS[0])
    token = min(at for at, _ in state.tokens)
    x, y = rules("tb46").corner(token)
    lit = game.act(Action(CLICK, x + 3, y + 3)).frames[-1]
    places = rules("tb46").landings(board, state._replace(lit=token))
    assert places
    for x, y in map(rules("tb46").corner, places):
        assert lit[y + 3, x + 3] != turn.frames[-1][y + 3, x + 3]
