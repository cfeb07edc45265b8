"""Every level can be won with the fewest actions that its designer's note states."""

from __future__ import annotations

import pytest

from engine.actions import CLICK, UNDO
from engine.game import Game
from engine.turns import Turn
from tests.games.plays import FEWEST, SEED, actions
from tests.games.rules import ENVIRONMENTS, rules, source
from tests.games.solver import PUZZLES, solve

CONTROLS = {"ke52": (1, 2, 3, 4), "mb62": (CLICK,), "tz85": (1, 2, 3, 4, 5, UNDO)}
QUICKLY_SEARCHED = {"ke52": (1, 3, 4, 7), "mb62": (1, 2, 3, 4), "tz85": (1, 2, 3, 4)}


def win(environment: str) -> list[Turn]:
    """Wins every level in the fewest actions and returns the turn that ends each level."""
    game, _ = Game.start(source(environment), SEED)
    return [
        [game.act(action) for action in actions(environment, written)][-1] for written in FEWEST[environment]
    ]


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_known_solutions_win_every_level(environment: str) -> None:
    ends = win(environment)
    assert [turn.levels_completed for turn in ends] == list(range(1, len(rules(environment).LEVELS) + 1))
    assert all(turn.level_completed for turn in ends)
    assert ends[-1].state == "WIN"


@pytest.mark.parametrize(
    ("environment", "level"), [(name, level) for name, levels in QUICKLY_SEARCHED.items() for level in levels]
)
def test_no_shorter_solution_exists(environment: str, level: int) -> None:
    found = solve(PUZZLES[environment](level))
    assert found is not None
    known = FEWEST[environment][level - 1]
    assert len(found) == (len(known.split()) if environment == "mb62" else len(known))


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_an_environment_has_at_least_six_levels_and_its_stated_controls(environment: str) -> None:
    _, turn = Game.start(source(environment), SEED)
    assert turn.levels >= 6
    assert turn.available_actions == CONTROLS[environment]


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_completed_level_shows_an_animation_before_the_next_level(environment: str) -> None:
    for turn in win(environment):
        assert 5 <= len(turn.frames) <= 14


def test_the_solver_finds_no_solution_of_an_unsolvable_level() -> None:
    puzzle = PUZZLES["tz85"](1)
    puzzle.start = puzzle.start._replace(balls=())
    assert solve(puzzle) is None
