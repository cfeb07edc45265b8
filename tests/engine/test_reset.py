"""RESET restarts only the current level for people, and follows arcengine for agents."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import ActionError, EnvironmentFault
from engine.play.actions import Action
from engine.play.game import Game
from engine.play.turns import Turn
from tests.engine.sources import DOWN, MISBEHAVE, RESET, UP, WALK_WINS, environment, moves, picture, written


def walked(game: Game, text: str) -> Turn:
    for action in moves(text):
        game.act(action)
    return game.turn


def test_a_person_resets_only_the_level_even_before_its_first_action() -> None:
    game, _ = Game.start(environment("wk01"), 0)
    second = walked(game, WALK_WINS[0])
    for _ in range(2):
        turn = game.act(RESET)
        assert (turn.level, turn.levels_completed, turn.full_reset, turn.changed) == (2, 1, False, False)
        assert np.array_equal(turn.frames[-1], second.frames[-1])


def test_a_person_resets_the_level_after_moving_in_it() -> None:
    game, _ = Game.start(environment("wk01"), 0)
    walked(game, WALK_WINS[0])
    before = picture(game.turn.frames[-1])
    assert picture(walked(game, "44").frames[-1])[1] == "..x..@.."
    turn = game.act(RESET)
    assert (picture(turn.frames[-1]), turn.level, turn.changed) == (before, 2, True)


def test_an_agent_restarts_the_whole_game_when_it_took_no_action_on_the_level() -> None:
    game, _ = Game.start(environment("wk01"), 0, as_arcengine=True)
    walked(game, WALK_WINS[0] + "2")
    turn = game.act(RESET)
    assert (turn.level, turn.levels_completed, turn.full_reset) == (2, 1, False)
    turn = game.act(RESET)
    assert (turn.level, turn.levels_completed, turn.full_reset) == (1, 0, True)


@pytest.mark.parametrize("as_arcengine", [False, True])
def test_only_a_reset_is_accepted_after_game_over(as_arcengine: bool) -> None:
    game, _ = Game.start(environment("wk01"), 0, as_arcengine=as_arcengine)
    walked(game, WALK_WINS[0])
    assert walked(game, "3").state == "GAME_OVER"
    with pytest.raises(ActionError) as raised:
        game.act(DOWN)
    assert raised.value.code == "reset_required"
    turn = game.act(RESET)
    assert (turn.state, turn.level, turn.levels_completed) == ("NOT_FINISHED", 2, 1)


def test_a_person_cannot_act_after_the_last_level() -> None:
    game, _ = Game.start(environment("wk01"), 0)
    turn = walked(game, "".join(WALK_WINS))
    assert (turn.state, turn.level, turn.levels_completed, turn.level_completed) == ("WIN", 6, 6, True)
    for action in (RESET, UP):
        with pytest.raises(ActionError) as raised:
            game.act(action)
        assert raised.value.code == "environment_finished"
    assert game.seq == 18


def test_an_agent_can_restart_after_the_last_level() -> None:
    game, opening = Game.start(environment("wk01"), 0, as_arcengine=True)
    walked(game, "".join(WALK_WINS))
    with pytest.raises(ActionError) as raised:
        game.act(UP)
    assert raised.value.code == "environment_finished"
    turn = game.act(RESET)
    assert (turn.full_reset, turn.level, turn.state) == (True, 1, "NOT_FINISHED")
    assert np.array_equal(turn.frames[-1], opening.frames[-1])


def test_an_unavailable_action_is_refused_to_a_person_and_counted_for_an_agent() -> None:
    for as_arcengine in (False, True):
        game, opening = Game.start(environment("av01"), 0, as_arcengine=as_arcengine)
        if not as_arcengine:
            with pytest.raises(ActionError) as raised:
                game.act(UP)
            assert (raised.value.code, game.seq) == ("action_unavailable", 0)
            continue
        turn = game.act(UP)
        assert (turn.available_actions, turn.changed, game.seq) == (opening.available_actions, True, 1)
        assert game.act(Action(6, 1, 1)).changed, "the environment shows the count of arcengine"


def test_an_environments_own_reset_method_is_used() -> None:
    own = "def handle_reset(self):\n    self.level_reset()\n    self._available_actions = [5]"
    game, _ = Game.start(written(methods=own), 0)
    assert game.act(RESET).available_actions == (5,)


def test_returning_to_a_completed_level_is_a_fault() -> None:
    source = written(step="self.next_level()", methods="def handle_reset(self):\n    self.full_reset()")
    game, _ = Game.start(source, 0)
    assert game.act(MISBEHAVE).level == 2
    with pytest.raises(EnvironmentFault) as raised:
        game.act(RESET)
    assert raised.value.code == "level_revisited"


def test_environment_variables_of_the_server_do_not_change_resets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONLY_RESET_LEVELS", "true")
    game, _ = Game.start(environment("wk01"), 0)
    walked(game, WALK_WINS[0])
    turn = game.act(RESET)
    assert (turn.level, turn.levels_completed) == (2, 1)
