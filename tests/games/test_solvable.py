"""Every level can be won with the fewest actions that its designer's note states."""

from __future__ import annotations

import pytest

from engine.play.game import Game
from engine.play.turns import Turn
from tests.games.known import known
from tests.games.plays import SEED
from tests.games.rules import ENVIRONMENTS, rules, source
from tests.games.solver import solve


def win(environment: str) -> list[Turn]:
    """Wins every level in the fewest actions and returns the turn that ends each level."""
    its, (game, _) = known(environment), Game.start(source(environment), SEED)
    return [[game.act(action) for action in its.actions(written)][-1] for written in its.FEWEST]


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_known_solutions_win_every_level(environment: str) -> None:
    ends = win(environment)
    assert [turn.levels_completed for turn in ends] == list(range(1, len(rules(environment).LEVELS) + 1))
    assert all(turn.level_completed for turn in ends)
    assert ends[-1].state == "WIN"


@pytest.mark.parametrize(
    ("environment", "level"),
    [(name, level) for name in ENVIRONMENTS for level in known(name).QUICKLY_SEARCHED],
)
def test_no_shorter_solution_exists(environment: str, level: int) -> None:
    its = known(environment)
    found = solve(its.puzzle(level))
    assert found is not None
    assert len([*its.actions(" ".join(found))]) == len([*its.actions(its.FEWEST[level - 1])])


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_an_environment_has_at_least_six_levels_and_its_stated_controls(environment: str) -> None:
    _, turn = Game.start(source(environment), SEED)
    assert turn.levels >= 6
    assert turn.available_actions == known(environment).CONTROLS


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_completed_level_shows_an_animation_before_the_next_level(environment: str) -> None:
    for turn in win(environment):
        assert 5 <= len(turn.frames) <= 60


def test_the_solver_finds_no_solution_of_an_unsolvable_level() -> None:
    puzzle = known("tz85").puzzle(1)
    puzzle.start = puzzle.start._replace(balls=())
    assert solve(puzzle) is None
