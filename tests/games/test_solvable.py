"""Every level can be won, by as few actions as its designer's note says."""

from __future__ import annotations

import pytest

from engine.actions import CLICK, UNDO
from engine.game import Game
from engine.turns import Turn
from tests.games.plays import FEWEST, SEED, actions
from tests.games.rules import ENVIRONMENTS, rules, source
from tests.games.solver import PUZZLES, solve

LEVELS = [(name, level) for name in ENVIRONMENTS for level in range(1, len(FEWEST[name]) + 1)]
CONTROLS = {"vq37": (1, 2, 3, 4), "mb62": (CLICK,), "tz85": (1, 2, 3, 4, 5, UNDO)}
QUICKLY_SEARCHED = 4


def win(environment: str) -> list[Turn]:
    """The turns that end a level when every level is won in the fewest actions."""
    game, _ = Game.start(source(environment), SEED)
    return [
        [game.act(action) for action in actions(environment, written)][-1] for written in FEWEST[environment]
    ]


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_known_solutions_win_level_after_level(environment: str) -> None:
    ends = win(environment)
    assert [turn.levels_completed for turn in ends] == list(range(1, len(rules(environment).LEVELS) + 1))
    assert all(turn.level_completed for turn in ends)
    assert ends[-1].state == "WIN"


@pytest.mark.parametrize(("environment", "level"), [pair for pair in LEVELS if pair[1] <= QUICKLY_SEARCHED])
def test_no_shorter_solution_exists(environment: str, level: int) -> None:
    found = solve(PUZZLES[environment](level))
    assert found is not None
    known = FEWEST[environment][level - 1]
    assert len(found) == (len(known.split()) if environment == "mb62" else len(known))


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_there_are_six_levels_or_more_with_the_promised_controls(environment: str) -> None:
    _, turn = Game.start(source(environment), SEED)
    assert turn.levels >= 6
    assert turn.available_actions == CONTROLS[environment]


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_completed_level_is_celebrated_before_the_next_one_shows(environment: str) -> None:
    for turn in win(environment):
        assert 5 <= len(turn.frames) <= 14


def test_a_level_without_a_way_has_no_solution() -> None:
    puzzle = PUZZLES["tz85"](1)
    puzzle.start = puzzle.start._replace(balls=())
    assert solve(puzzle) is None
