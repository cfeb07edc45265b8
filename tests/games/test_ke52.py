"""The rules of ke52, one at a time, and what each of its levels asks for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.play.actions import CLICK, Action
from engine.play.game import Game
from tests.games.known.ke52 import FEWEST, ModelRoom, actions
from tests.games.plays import SEED
from tests.games.rules import DIRECTIONS, rules, source
from tests.games.solver import solve


def room(picture: str, keys: str, **plan: Any) -> tuple[Any, Any]:
    """A room drawn with a space between squares, X where it has no mat of its own, after some steps."""
    module = rules("ke52")
    board, state = module.parse(module.Plan(picture, **plan))
    for key in keys:
        state = module.act(board, state, DIRECTIONS[key])
    return board, state


ROOM = """
    X,.,.,.,.,.
    ,+,+,+,+,+,
    .,@,.,.,.,.
    ,+,+,+,+,+,
    .,T,T,T,.,.
    ,+,+,+,+,+,
    .,T,T,T,.,.
    ,+,+,+,+,+,
    .,T,T,T,.,.
    ,+,+,+,+,+,
    .,.,.,.,.,.
"""


def with_block(square: tuple[int, int], sign: str = "o", picture: str = ROOM) -> str:
    rows = [list(row) for row in picture.split()]
    rows[2 * square[1]][2 * square[0]] = sign
    return "\n".join("".join(row) for row in rows)


@pytest.mark.parametrize(
    ("plan", "square", "after"),
    [
        ({}, (0, 0), (0, 1)),
        ({"turns": 1}, (0, 5), (1, 5)),
        ({"turns": 2}, (5, 5), (5, 4)),
        ({"turns": 3}, (5, 0), (4, 0)),
        ({"mirrored": True}, (5, 0), (5, 1)),
    ],
)
def test_a_figure_pushed_down_moves_its_block_as_the_model_lies(
    plan: dict[str, Any], square: tuple[int, int], after: tuple[int, int]
) -> None:
    _, state = room(with_block(square, "o", with_block((3, 5), "X")), "DD", **plan)
    assert state.blocks == {after}
    assert state.walker == (2, 4)


def test_a_block_itself_is_too_heavy() -> None:
    before = room(with_block((2, 1)), "")[1]
    assert room(with_block((2, 1)), "RR")[1] == before._replace(walker=(3, 2))


@pytest.mark.parametrize("edge", ["-", "a"])
def test_what_stops_a_block_in_the_room_stops_its_figure(edge: str) -> None:
    rows = with_block((0, 0), "o", with_block((3, 5), "X", with_block((5, 5), "A"))).split("\n")
    rows[1] = edge + rows[1][1:]
    picture = "\n".join(rows)
    assert room(picture, "DD")[1].blocks == {(0, 0)}
    covered = picture.replace("A", "a")
    assert ((0, 1) in room(covered, "DD")[1].blocks) == (edge == "a")


def test_a_figure_pushed_off_the_table_is_a_pebble_and_its_block_is_gone() -> None:
    _, state = room(with_block((0, 1)), "RDDDL")
    assert (state.blocks, state.pebbles) == (frozenset(), frozenset({(1, 5)}))


def test_a_pebble_pushed_on_the_table_is_a_block_unless_something_is_where_it_would_be() -> None:
    picture = with_block((0, 2), "q")
    _, state = room(picture, "LLDDDDR")
    assert (state.blocks, state.pebbles) == (frozenset(), frozenset({(1, 4)}))
    picture = with_block((0, 2), "s")
    assert room(picture, "LLDDDR")[1].blocks == {(0, 1)}


def test_a_block_in_water_bears_the_walker_and_does_not_leave_it() -> None:
    picture = with_block((0, 0), "=", with_block((3, 5), "X"))
    assert room(picture, "LLU")[1].walker == (0, 1)
    assert room(picture, "DD")[1].blocks == {(0, 0)}
    dry = with_block((0, 0), "~", with_block((3, 5), "X"))
    assert room(dry, "LLU")[1].walker == (0, 2)


def test_the_table_carries_the_walker_unless_it_is_nailed_or_something_is_in_its_way() -> None:
    _, nailed = room(ROOM, "RDDDD")
    assert (nailed.table, nailed.walker) == ((1, 2), (3, 5))
    _, state = room(ROOM, "RDDDD", nailed=False)
    assert (state.table, state.walker) == ((1, 3), (3, 8))
    _, blocked = room(with_block((2, 5)), "RDDDD", nailed=False)
    assert (blocked.table, blocked.walker) == ((1, 2), (3, 5))


def test_a_gate_is_open_while_a_block_or_the_table_is_on_every_plate() -> None:
    module = rules("ke52")
    for sign, is_open in (("A", False), ("a", True)):
        board, state = room(with_block((5, 5), sign), "")
        assert module.is_open(board, state, "a") == is_open
    under = with_block((1, 2), "t")
    assert module.is_open(*room(under, "", nailed=False), "a")
    assert not module.is_open(*room(under, "RDDDD", nailed=False), "a")


@pytest.mark.parametrize(
    ("level", "without"),
    [
        *[(1, "figure"), (2, "figure"), (3, "on"), (4, "off"), (5, "figure")],
        *[(6, "table"), (7, "on"), (7, "off"), (8, "table"), (8, "on")],
    ],
)
def test_a_level_cannot_be_won_without_what_it_introduces(level: int, without: str) -> None:
    assert solve(ModelRoom(level, frozenset({without}))) is None


def test_the_way_through_a_room_fails_when_its_model_is_turned() -> None:
    levels = rules("ke52").LEVELS
    assert levels[1]._replace(turns=3) == levels[4]
    game, _ = Game.start(source("ke52"), SEED, level=5)
    assert not any(game.act(action).level_completed for action in actions(FEWEST[1]))


def test_a_refused_push_is_shown_and_changes_nothing() -> None:
    game, _ = Game.start(source("ke52"), SEED, level=1)
    *_, refused = [game.act(action) for action in actions("DDRRRRDDL")]
    assert (len(refused.frames), refused.changed) == (2, False)


def test_an_action_that_is_not_offered_does_nothing() -> None:
    game, before = Game.start(source("ke52"), SEED, all_actions=True)
    for number in (5, 6, 7):
        turn = game.act(Action(number, *((10, 10) if number == CLICK else ())))
        assert (len(turn.frames), turn.state_hash) == (1, before.state_hash)
