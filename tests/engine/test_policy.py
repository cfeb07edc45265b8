"""Random players choose available actions only, and repeat their choices in any process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.play.actions import CLICK, EVERY_CELL, RESET, Action
from engine.play.game import Game
from engine.prove.player import Clicks, RandomPolicy, valid_actions
from tests.engine.sources import DOWN, LEFT, RIGHT, UP, WALK_PITS, environment, lamps, moves, written

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


@settings(max_examples=25)
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
