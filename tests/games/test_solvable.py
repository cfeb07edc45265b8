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
    """Each shows an animation before the next level."""
    ends = win(environment)
    assert len(ends) >= 6
    assert ends[0].available_actions == known(environment).CONTROLS
    assert all(5 <= len(turn.frames) <= 60 for turn in ends)
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
def test_the_way_through_a_level_does_not_solve_the_next(environment: str) -> None:
    its = known(environment)
    for level, path in enumerate(its.FEWEST[:-1], start=2):
        game, turn = Game.start(source(environment), SEED, level=level)
        for action in its.actions(path):
            if turn.state != "GAME_OVER":
                turn = game.act(action)
                assert not turn.level_completed, level


def test_the_solver_finds_no_solution_of_an_unsolvable_level() -> None:
    puzzle = known("tz85").puzzle(1)
    puzzle.start = puzzle.start._replace(balls=())
    assert solve(puzzle) is None
