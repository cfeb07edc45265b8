"""A replay plays each level's actions and stops where they do not complete it."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest_agents.connection import AgentError
from playtest_agents.game import Action, Choice
from playtest_agents.replay import ReplayAgent, ReplayPlayer, without_restarts
from tests.arena.agents.worlds import World, play, turn

WALK = [{1: 1, 2: 0}, {1: World.WON, 2: 1}]


def actions(*ids: int) -> list[Action]:
    return [Action(action) for action in ids]


def test_it_plays_level_after_level() -> None:
    player = ReplayPlayer({1: actions(1, 1), 2: actions(2, 1, 1)}, keeps_resets=False)
    assert play(World([WALK, WALK]), player) == (actions(1, 1, 2, 1, 1), "won")


def test_a_level_without_a_recording_ends_it() -> None:
    player = ReplayPlayer({1: actions(1, 1)}, keeps_resets=False)
    assert play(World([WALK, WALK]), player) == (actions(1, 1), "no_recording")


def test_a_recording_that_does_not_complete_its_level_ends_it() -> None:
    player = ReplayPlayer({1: actions(1, 2)}, keeps_resets=False)
    assert play(World([WALK]), player) == (actions(1, 2), "replay_differs")


def test_a_recording_that_completes_its_level_too_early_ends_it() -> None:
    player = ReplayPlayer({1: actions(1, 1, 2), 2: actions(1, 1)}, keeps_resets=False)
    assert play(World([WALK, WALK]), player) == (actions(1, 1), "replay_differs")


def test_resets_that_would_restart_the_game_are_left_out() -> None:
    recorded = {1: actions(0, 1, 0, 0, 1, 1)}
    world = World([WALK])
    assert play(world, ReplayPlayer(recorded, keeps_resets=False)) == (actions(1, 0, 1, 1), "won")
    assert world.full_restarts == 0


def test_in_competition_mode_they_are_played() -> None:
    choice = ReplayPlayer({1: actions(0, 1)}, keeps_resets=True).choose(turn())
    assert choice == Choice(Action(0))


@given(st.lists(st.integers(0, 7).filter(lambda action: action != 6)))
def test_only_resets_are_left_out(ids: list[int]) -> None:
    used = [action.id for action in without_restarts(actions(*ids))]
    assert [action for action in used if action] == [action for action in ids if action]
    assert used[:1] != [0]
    assert (0, 0) not in list(pairwise(used))
    assert without_restarts(actions(*used)) == actions(*used)


@pytest.mark.parametrize("content", ["", "{", "[{}]", '[{"game_ids": ["a"], "levels": {"1": [[6]]}}]'])
def test_what_is_no_file_of_actions_has_a_code(tmp_path: Path, content: str) -> None:
    path = tmp_path / "actions.json"
    path.write_text(content)
    with pytest.raises(AgentError, match="file_unreadable"):
        ReplayAgent(path)
