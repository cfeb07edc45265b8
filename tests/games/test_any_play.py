"""Arbitrary play gives valid frames, exact resets and undo; random play wins nothing."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numpy as np
import pytest

from engine.play.actions import CLICK, RESET, UNDO, Action
from engine.play.game import Game
from tests.games.known import known
from tests.games.plays import SEED
from tests.games.rules import ENVIRONMENTS, source


def levels(environments: Iterable[str]) -> list[tuple[str, int]]:
    return [(name, level) for name in environments for level in range(1, len(known(name).FEWEST) + 1)]


def random_action(choice: random.Random, available: tuple[int, ...]) -> Action:
    number = choice.choice(available)
    return Action(number, choice.randrange(64), choice.randrange(64)) if number == CLICK else Action(number)


def at_level(environment: str, level: int) -> Game:
    """Begun on the level, which is as if it had been reached (`test_starting_on_a_level.py`)."""
    return Game.start(source(environment), SEED, level=level)[0]


@pytest.mark.parametrize("steps", [200, pytest.param(5_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_random_play_on_level_2_gives_valid_frames_and_stays_on_it(environment: str, steps: int) -> None:
    choice = random.Random(7)
    game = at_level(environment, 2)
    available = game.turn.available_actions
    for _ in range(steps):
        over = game.turn.state == "GAME_OVER"
        turn = game.act(Action(RESET) if over else random_action(choice, available))
        assert turn.available_actions == available
        assert turn.levels_completed == 1
        for frame in turn.frames:
            assert frame.shape == (64, 64)
            assert frame.max() <= 15


@pytest.mark.parametrize(("environment", "level"), levels(ENVIRONMENTS))
def test_a_reset_at_any_moment_restores_the_start_of_the_level(environment: str, level: int) -> None:
    choice = random.Random(level)
    game = at_level(environment, level)
    began = game.turn.frames[-1]
    for _ in range(4):
        for _ in range(choice.randrange(15)):
            if game.turn.state == "NOT_FINISHED":
                game.act(random_action(choice, game.turn.available_actions))
        if game.turn.level != level:
            game = at_level(environment, level)
        turn = game.act(Action(RESET))
        assert np.array_equal(turn.frames[-1], began)
        assert turn.state == "NOT_FINISHED"


@pytest.mark.parametrize(
    ("environment", "level"), levels([name for name in ENVIRONMENTS if UNDO in known(name).CONTROLS])
)
def test_undo_goes_back_to_the_start_of_the_level(environment: str, level: int) -> None:
    its, game = known(environment), at_level(environment, level)
    seen = [game.turn.state_hash]
    for action in [*its.actions(its.FEWEST[level - 1])][:-1]:
        if game.act(action).changed:
            seen.append(game.turn.state_hash)
    for expected in reversed(seen[:-1]):
        assert game.act(Action(UNDO)).state_hash == expected
    assert not game.act(Action(UNDO)).changed
