"""A game that starts on a later level equals a game that was played up to it."""

from __future__ import annotations

import pytest

from engine.errors import EnvironmentFault
from engine.play.game import Game
from engine.play.turns import Turn
from tests.games.plays import SEED, shortest_win
from tests.games.rules import ENVIRONMENTS, source


def seen(turn: Turn) -> tuple[object, ...]:
    return turn.state_hash, turn.state, turn.level, turn.levels, turn.levels_completed, turn.available_actions


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_game_started_on_a_level_equals_one_that_reached_it(environment: str) -> None:
    played, turn = Game.start(source(environment), SEED)
    started, first = Game.start(source(environment), SEED, level=1)
    assert seen(first) == seen(turn)
    levels = {1}
    for action in shortest_win(environment):
        before, turn = turn, played.act(action)
        again = started.act(action)
        assert seen(again) == seen(turn)
        assert all(map(lambda one, other: bool((one == other).all()), again.frames, turn.frames))
        if turn.level != before.level:
            levels.add(turn.level)
            started, first = Game.start(source(environment), SEED, level=turn.level)
            assert seen(first) == seen(turn)
    assert levels == set(range(1, turn.levels + 1))


def test_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(EnvironmentFault, match="There is no level 99") as refusal:
        Game.start(source(ENVIRONMENTS[0]), SEED, level=99)
    assert refusal.value.code == "level_not_startable"
