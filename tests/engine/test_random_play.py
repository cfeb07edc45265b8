"""Random players and their tries of a level: choices, the end of a try, repetition by seed."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EnvironmentFault
from engine.play.actions import CLICK, EVERY_CELL, RESET, Action
from engine.play.game import Game
from engine.play.source import Source
from engine.prove.chance import Question
from engine.prove.player import Clicks, Player, RandomPolicy, valid_actions
from engine.prove.random_play import MOST_FAULTS, End, Tries
from tests.engine.mazes import EIGHTH, Rooms, maze, report_of
from tests.engine.sources import DOWN, LEFT, RIGHT, UP, WALK_PITS, environment, lamps, moves, written

LEVEL = 2


def tries(source: Source, budget: int, *, seed: int = 1, level: int = LEVEL) -> Tries:
    return Tries(Player(source), Question(level, seed, budget, 1e-4))


def made(source: Source, number: int, budget: int, *, seed: int = 1) -> Tries:
    found = tries(source, budget, seed=seed)
    for at in range(number):
        found.make(at)
    return found


def ends(source: Source, number: int, budget: int) -> Iterator[tuple[End, int]]:
    return map(tries(source, budget).play, range(number))


def test_a_try_ends_with_the_level_or_its_budget() -> None:
    assert set(ends(maze({0: ("win", "win")}), 5, 3)) == {(End.WON, 1)}
    assert set(ends(maze({0: ("loss", "loss")}), 5, 3)) == {(End.LOST, 1)}
    assert set(ends(maze({0: ("loss", "loss")}), 5, 1)) == {(End.LOST, 1)}
    assert set(ends(maze({0: (0, 0)}), 5, 3)) == {(End.BUDGET, 3)}
    stuck = maze({0: (0, 0)}, step="if self._action_count == 2: self._available_actions = []")
    assert set(ends(stuck, 5, 3)) == {(End.STUCK, 2)}
    assert tries(maze({0: ("win", "win")}), 3, level=6).play(0) == (End.WON, 1)


def test_every_try_begins_on_the_level_in_the_same_state() -> None:
    tires = maze(
        {0: (0, 0)}, step="ROOMS['played'] = ROOMS.get('played', 0) + 1\nif ROOMS['played'] > 40: to = 'loss'"
    )
    assert made(tires, 10, 30).report()["lost"] == 0
    assert made(tires, 10, 41).report()["lost"] == 10


def test_a_win_is_reported_with_its_try_and_actions() -> None:
    found = made(maze(EIGHTH), 400, 10)
    assert {actions for _, actions in found.wins} == {3}
    assert len(found.wins) + found.report()["lost"] == found.report()["tries"] == 400
    assert {tries(maze(EIGHTH), 10).play(number) for number, _ in found.wins} == {(End.WON, 3)}
    assert made(maze(EIGHTH), 400, 10, seed=2).report() != found.report()


def test_random_play_wins_as_often_as_the_state_graph_computes() -> None:
    rooms: Rooms = {0: (1, 2, 0), 1: ("loss", 0, "win"), 2: (2, "loss", 1)}
    exact = report_of(maze(rooms), budget=6)["p_win_within"]
    won = Counter(end for end, _ in ends(maze(rooms), 4_000, 6))[End.WON]
    assert won / 4_000 == pytest.approx(float(exact["upper"]), abs=0.03)  # type: ignore[index]


def test_a_try_in_which_the_environment_fails_does_not_count() -> None:
    half = maze({0: ("loss", "loss")}, step="if index == 0: raise KeyError('half')")
    found = made(half, MOST_FAULTS, 9).report()
    assert found["faults"] == {"environment_raised": MOST_FAULTS - found["tries"]}
    assert 0 < found["tries"] == found["lost"] < MOST_FAULTS
    with pytest.raises(EnvironmentFault, match="half"):
        made(half, 20 * MOST_FAULTS, 9)


_PLAY = """
import sys
from engine.play.game import Game
from engine.prove.player import RandomPolicy
from tests.engine.sources import environment
game, _ = Game.start(environment("ck01"), 3)
policy = RandomPolicy(5, "both")
drawn = []
for _ in range(60):
    drawn.append(policy.choose(game))
    game.act(drawn[-1])
print(drawn)
"""


def test_valid_actions_are_those_available_without_reset() -> None:
    game, _ = Game.start(environment("wk01"), 0)
    assert valid_actions(game) == [UP, DOWN, LEFT, RIGHT]


def test_valid_clicks_are_the_declared_places() -> None:
    game, _ = Game.start(environment("ck01"), 0)
    assert valid_actions(game) == [Action(6, 2, 20), Action(7)]
    game.act(*lamps(1))
    assert [(action.x, action.y) for action in valid_actions(game)[:-1]] == [(2, 20), (12, 24)]


def test_every_cell_is_valid_without_declared_places_or_if_listing_them_fails() -> None:
    for methods in ("", "def _get_valid_actions(self): raise RuntimeError", "_get_valid_actions = None"):
        game, _ = Game.start(written(methods=methods), 0)
        assert len({action for action in valid_actions(game) if action.id == CLICK}) == 4096


def test_nothing_is_valid_once_the_level_is_lost_and_the_policy_resets() -> None:
    game, _ = Game.start(environment("wk01"), 0)
    for action in moves(WALK_PITS[:1]):
        game.act(action)
    assert game.turn.state == "GAME_OVER"
    assert valid_actions(game) == []
    assert RandomPolicy(0).choose(game) == Action(RESET)


def test_a_policy_draws_everything_available_about_equally_often() -> None:
    game, _ = Game.start(environment("wk01"), 0)
    policy = RandomPolicy(1)
    drawn = [policy.choose(game).id for _ in range(4000)]
    assert set(drawn) == {1, 2, 3, 4}
    assert all(850 < drawn.count(identifier) < 1150 for identifier in (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("clicks", "low", "high"), [("declared", 1, 1), ("both", 0.45, 0.55), ("uniform", 0, 0.01)]
)
def test_clicks_are_drawn_from_the_cells_of_the_policy(clicks: Clicks, low: float, high: float) -> None:
    game, _ = Game.start(environment("ck01"), 0)
    policy = RandomPolicy(2, clicks)
    drawn = [action for action in (policy.choose(game) for _ in range(4000)) if action.id == CLICK]
    assert low <= drawn.count(Action(6, 2, 20)) / len(drawn) <= high


def test_the_same_seed_draws_the_same_in_another_process_with_another_hash_seed() -> None:
    def drawn(hash_seed: str) -> str:
        command = [sys.executable, "-c", _PLAY]
        environment = {"PYTHONHASHSEED": hash_seed}
        root = Path(__file__).parents[2]
        return subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert drawn("0") == drawn("77")


@given(st.integers(), st.sampled_from(["uniform", "declared", "both"]), st.sampled_from(["ck01", "wk01"]))
def test_only_available_actions_are_drawn_with_any_seed(seed: int, clicks: Clicks, code: str) -> None:
    game, turn = Game.start(environment(code), 0)
    policy = RandomPolicy(seed, clicks)
    for _ in range(15):
        valid, action = valid_actions(game), policy.choose(game)
        if not valid:
            assert action == Action(RESET)
        elif action.id == CLICK:
            assert CLICK in turn.available_actions
            assert action in (valid if clicks == "declared" else EVERY_CELL)
        else:
            assert action in valid
        turn = game.act(action)
        if turn.state == "WIN":
            break
