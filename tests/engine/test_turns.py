"""A turn has the facts after one action, RESET restarts the level, and what is invalid is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.errors import ActionError, EnvironmentFault
from engine.play.actions import Action
from engine.play.frames import state_hash
from engine.play.game import Game
from engine.play.source import Source
from engine.play.turns import Turn
from tests.engine.sources import (
    DOWN,
    LEFT,
    MISBEHAVE,
    RESET,
    RIGHT,
    UP,
    WALK_WINS,
    environment,
    lamps,
    moves,
    picture,
    written,
)


def test_the_opening_turn_has_the_facts_of_the_start() -> None:
    game, turn = Game.start(environment("wk01"), 0)
    assert (turn.state, turn.level, turn.levels, turn.levels_completed) == ("NOT_FINISHED", 1, 6, 0)
    assert (turn.available_actions, turn.changed, turn.level_completed) == ((1, 2, 3, 4), True, False)
    assert (game.seq, len(turn.frames), turn.full_reset) == (0, 1, True)
    assert picture(turn.frames[0])[:3] == [".x......", ".@..G...", ".#......"]
    assert turn.state_hash == state_hash(turn.frames[0], 1, 0, "NOT_FINISHED")


def test_a_completed_level_ends_in_the_first_frame_of_the_next() -> None:
    game, _ = Game.start(environment("wk01"), 0)
    for action in moves("44"):
        assert not game.act(action).level_completed
    turn = game.act(RIGHT)
    assert (turn.level, turn.levels_completed, turn.level_completed, len(turn.frames)) == (2, 1, True, 2)
    assert picture(turn.frames[0])[1] == "....@..."
    assert picture(turn.frames[1])[1] == "..x@...."


def test_an_action_without_effect_is_a_no_op() -> None:
    game, _ = Game.start(environment("wk01"), 0)
    game.act(LEFT)
    assert not game.act(LEFT).changed
    assert game.act(RIGHT).changed


def test_clicks_animations_and_undo_give_their_frames() -> None:
    game, opening = Game.start(environment("ck01"), 0)
    assert not game.act(Action(6, 63, 63)).changed
    turn = game.act(lamps(1)[0])
    assert (turn.level, turn.level_completed, len(turn.frames)) == (2, True, 3)
    lit = game.act(lamps(2)[1])
    assert [int(frame[24, 12]) for frame in lit.frames] == [0, 11]
    undone = game.act(Action(7))
    assert int(undone.frames[-1][24, 12]) == 3
    assert undone.available_actions == opening.available_actions == (6, 7)


def test_an_unavailable_action_is_refused_and_changes_nothing() -> None:
    game, _ = Game.start(environment("wk01"), 0)
    for action in (Action(5), Action(6, 1, 1), Action(7)):
        with pytest.raises(ActionError) as raised:
            game.act(action)
        assert raised.value.code == "action_unavailable"
    assert (game.seq, game.turn.level) == (0, 1)


def test_frames_of_a_turn_are_read_only_copies() -> None:
    source = written(draw="if hasattr(self, 'last'): self.last[:] = 3\nself.last = frame")
    game, opening = Game.start(source, 0)
    copy = opening.frames[0].copy()
    game.act(RIGHT)
    assert np.array_equal(opening.frames[0], copy)
    assert opening.frames[0].dtype == np.uint8
    with pytest.raises(ValueError, match="read-only"):
        opening.frames[0][0, 0] = 1


BAD_FRAMES = {
    "one row too many": "return np.zeros((65, 64), dtype=np.int8)",
    "three dimensions": "return np.zeros((64, 64, 1), dtype=np.int8)",
    "colour 16": "frame[0, 0] = 16",
    "colour -1": "frame[0, 0] = -1",
    "fractions": "return frame.astype(float)",
    "nothing": "return None",
    "ragged": "return [[1, 2], [3]]",
}


@pytest.mark.parametrize("drawing", BAD_FRAMES.values(), ids=BAD_FRAMES.keys())
def test_a_malformed_frame_is_the_environments_fault(drawing: str) -> None:
    game, _ = Game.start(written(draw=f"if self.game.misbehaving:\n    {drawing}"), 0)
    with pytest.raises(EnvironmentFault) as raised:
        game.act(MISBEHAVE)
    assert raised.value.code == "bad_frame"


def animated(frames: int) -> Source:
    counting = "self.drawn = getattr(self, 'drawn', 0) + 1"
    return written(step=f"{counting}\nif self.drawn < {frames}: return")


def test_a_thousand_frames_are_allowed() -> None:
    game, _ = Game.start(animated(1000), 0)
    assert len(game.act(MISBEHAVE).frames) == 1000


@pytest.mark.parametrize("frames", [1001, 10**9])
def test_more_than_a_thousand_frames_are_a_fault(frames: int) -> None:
    game, _ = Game.start(animated(frames), 0)
    with pytest.raises(EnvironmentFault) as raised:
        game.act(MISBEHAVE)
    assert raised.value.code == "too_many_frames"


@pytest.mark.parametrize(
    "step",
    [
        "self._available_actions = [9]",
        "self._available_actions = None",
        "self._state = 'WON'",
        "self._score = 7",
        "self._score = -1",
        "self._current_level_index = -2",
        "self._win_score = 256",
        "self._win_score = 10 ** 5000",
        "self._win_score = self._score = 255",
    ],
)
def test_inconsistent_facts_of_a_turn_are_a_fault(step: str) -> None:
    game, _ = Game.start(written(step=step), 0)
    with pytest.raises(EnvironmentFault) as raised:
        game.act(MISBEHAVE)
    assert raised.value.code == "bad_state"


@pytest.mark.parametrize("index", ["255", "10 ** 5000", "float('inf')", "-1", "None"])
def test_a_level_above_the_limit_of_the_wire_format_is_a_fault(index: str) -> None:
    stray = f"level_index = property(lambda self: {index} if self.misbehaving else 0)"
    game, _ = Game.start(written(methods=stray), 0)
    with pytest.raises(EnvironmentFault) as raised:
        game.act(MISBEHAVE)
    assert raised.value.code == "bad_state"


def test_every_level_number_of_the_wire_format_can_be_played() -> None:
    last = "self._win_score = 255\nself._score = 254"
    stray = "level_index = property(lambda self: 254 if self.misbehaving else 0)"
    game, _ = Game.start(written(step=last, methods=stray), 0)
    turn = game.act(MISBEHAVE)
    assert (turn.level, turn.levels, turn.levels_completed) == (255, 255, 254)


@pytest.mark.parametrize(
    "step", ["1 / 0", "sys.exit()", "raise ValueError('no')", "eval('1 +')", "random.choice([])"]
)
def test_an_exception_of_an_environment_is_a_fault_with_its_line(step: str) -> None:
    source = written(step=step)
    game, _ = Game.start(source, 0)
    game.act(UP)
    with pytest.raises(EnvironmentFault) as raised:
        game.act(MISBEHAVE)
    assert raised.value.code == "environment_raised"
    line = 1 + source.text.splitlines().index(" " * 12 + step)
    assert raised.value.message.endswith(f" (line {line}).")


def test_a_fault_message_is_one_line_that_every_database_can_store() -> None:
    game, _ = Game.start(written(step=r"raise ValueError('a\x00\n\n\ud800b' + 'c' * 10**6)"), 0)
    with pytest.raises(EnvironmentFault) as raised:
        game.act(MISBEHAVE)
    assert raised.value.message.startswith("The environment raised ValueError: a bccc")
    assert raised.value.message.isprintable()
    assert len(raised.value.message) < 400


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((8,), "action_unknown"),
        ((-1,), "action_unknown"),
        (("1",), "action_unknown"),
        ((True,), "action_unknown"),
        ((6,), "coordinates_missing"),
        ((6, 3), "coordinates_missing"),
        ((6, 64, 0), "coordinates_out_of_range"),
        ((6, 0, -1), "coordinates_out_of_range"),
        ((6, 1.0, 2), "coordinates_out_of_range"),
        ((1, 3, 4), "coordinates_unexpected"),
    ],
)
def test_an_invalid_action_is_refused(arguments: tuple[Any, ...], code: str) -> None:
    with pytest.raises(ActionError) as raised:
        Action(*arguments)
    assert raised.value.code == code


def test_action_names_and_data_are_the_official_ones() -> None:
    assert [Action(number).name for number in (0, 1, 7)] == ["RESET", "ACTION1", "ACTION7"]
    assert (Action(6, 0, 63).name, Action(6, 0, 63).data, Action(5).data) == (
        "ACTION6",
        {"x": 0, "y": 63},
        {},
    )


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
