"""The rules of ws72, one at a time, and what each of its levels asks for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.play.actions import CLICK, Action
from engine.play.game import Game
from engine.prove.search import solve
from games.ws72.search import Alike
from tests.games.plays import SEED
from tests.games.rules import DIRECTIONS, rules, source

EMPTY = ["........"] * 8


def room(keys: str = "", **rows: str) -> tuple[Any, Any]:
    """A board that is empty but for these rows (`r2` is the third), and its state after some steps."""
    module = rules("ws72")
    drawn = [rows.get(f"r{y}", row) for y, row in enumerate(EMPTY)]
    board, state = module.parse("\n".join(drawn))
    for key in keys:
        state = module.step(board, state, DIRECTIONS[key])
    return board, state


def twins(**rows: str) -> dict[Any, Any]:
    board, state = room(**rows)
    joined: dict[Any, Any] = rules("ws72").joined(board, state)
    return joined


def test_two_marks_with_the_same_surroundings_are_joined_and_three_are_not() -> None:
    assert twins(r2=".1..1..G", r7="@.......") == {(1, 2): (4, 2), (4, 2): (1, 2)}
    assert twins(r2=".1..1..G", r1="x.......", r7="@.......") == {}
    assert twins(r2=".1..1..G", r5=".1......", r7="@.......") == {}


def test_walls_blocks_and_the_outside_look_alike_and_tinted_ones_do_not() -> None:
    assert twins(r0=".1.....G", r3="...###..", r4="....1...", r7="@.......")
    assert twins(r2=".1..1..G", r1="x..#....", r7="@.......")
    assert not twins(r2=".1..1..G", r1="x..o....", r7="@.......")
    assert twins(r2=".1..1..G", r1="o..%....", r7="@.......")


def test_a_mark_that_lies_turned_or_mirrored_is_read_from_its_own_first_corner() -> None:
    assert twins(r2=".1..2..G", r1="x....x..", r7="@.......")
    assert not twins(r2=".1..2..G", r1="x..x....", r7="@.......")
    assert twins(r2=".1..5..G", r1=".x......", r3="...x....", r7="@.......") == {}
    assert twins(r2=".1..5..G", r1=".x.x....", r3="........", r7="@.......") == {}
    assert twins(r1="x.......", r2=".1..6..G", r3=".....x..", r7="@.......") == {}
    assert twins(r1=".x......", r2=".1.x5..G", r7="@.......")


def test_who_steps_onto_a_joined_mark_comes_out_on_the_other() -> None:
    assert room("R", r2="@1..1..G")[1].walker == (4, 2)
    assert room("RL", r2="@1..1..G")[1].walker == (3, 2)
    assert room("R", r1="x.......", r2="@1..1..G")[1].walker == (1, 2)


def test_a_block_pushed_onto_a_joined_mark_comes_out_on_the_other() -> None:
    _, state = room("R", r2="@x1.#1.G")
    assert (state.walker, state.blocks) == ((1, 2), {(5, 2)})
    _, state = room("R", r2="@x1..1.G")
    assert (state.walker, state.blocks) == ((1, 2), {(2, 2)})


def test_a_block_on_the_other_mark_keeps_who_comes_where_they_are() -> None:
    _, state = room("RR", r2="@x1.#1.G")
    assert (state.walker, state.blocks) == ((2, 2), {(5, 2)})


def test_blocks_stop_at_walls_blocks_the_edge_and_the_goal() -> None:
    for row in ("@x#....G", "@xx....G", "@xG....."):
        assert room("R", r2=row)[1].walker == (0, 2)
    assert room("L", r2="x@.....G")[1].walker == (1, 2)


def test_an_action_that_is_not_offered_does_nothing() -> None:
    game, before = Game.start(source("ws72"), SEED, all_actions=True)
    for number in (5, 6, 7):
        turn = game.act(Action(number, *((10, 10) if number == CLICK else ())))
        assert (len(turn.frames), turn.state_hash) == (1, before.state_hash)


@pytest.mark.parametrize("level", range(2, 9))
def test_a_level_needs_its_blocks(level: int) -> None:
    assert solve(Alike(rules("ws72"), level, fixed=True)) is None


@pytest.mark.parametrize(
    ("level", "changed"), [(5, ("2", "1")), (6, ("7", "3")), (8, ("6", "2")), (8, ("2", "1"))]
)
def test_a_level_cannot_be_won_as_if_its_marks_were_not_turned_or_mirrored(
    level: int, changed: tuple[str, str]
) -> None:
    assert solve(Alike(rules("ws72"), level, changed)) != solve(Alike(rules("ws72"), level))


def test_tinted_blocks_make_a_level_longer() -> None:
    found = [solve(Alike(rules("ws72"), 7, changed)) for changed in (("", ""), ("o%", "x#"))]
    assert [len(steps or "") for steps in found] == [31, 21]
