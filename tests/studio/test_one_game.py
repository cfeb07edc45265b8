"""A game in a separate host: its turns, its errors and its end."""

from __future__ import annotations

from contextlib import closing
from threading import Event

import pytest

from engine.errors import EngineError, EnvironmentFault
from engine.play.actions import Action
from engine.play.frames import LARGEST_PLAIN_BYTES, decode
from engine.play.source import Source
from engine.play.turns import EncodedTurn
from playtest.studio.processes.game import play, play_until_win
from tests.engine.sources import MISBEHAVE, UP, environment, written


def results(source: Source, *actions: Action) -> list[str]:
    """The state of each turn, the code of each error."""
    outcomes = play(source, 0, actions)
    return [one.state if isinstance(one, EncodedTurn) else one.code for one in outcomes]


def test_a_large_turn_is_reported_with_all_frames() -> None:
    noise = written(
        step="self.drawn = getattr(self, 'drawn', 0) + 1\nif self.drawn % 9:\n    return",
        draw="frame[:] = np.random.default_rng(getattr(self.game, 'drawn', 0)).integers(0, 16, frame.shape)",
    )
    (opening, turn), error = play_until_win(noise, 0, [MISBEHAVE])
    assert error is None
    assert len(turn.frames.payload) > LARGEST_PLAIN_BYTES
    shown = decode(opening.frames.payload, None)[-1]
    assert len(decode(turn.frames.payload, shown)) == turn.frame_count == 9


def test_an_error_replaces_its_action_and_ends_the_turns_with_the_process() -> None:
    ended = written(step="os._exit(3)")
    assert results(ended, UP, MISBEHAVE, UP) == ["NOT_FINISHED", "NOT_FINISHED", "host_died"]
    raising = written(step="raise ValueError('no')")
    assert results(raising, MISBEHAVE, UP) == ["NOT_FINISHED", "environment_raised", "unknown_game"]
    refused = environment("wk01")
    assert results(refused, MISBEHAVE, UP) == ["NOT_FINISHED", "action_unavailable", "GAME_OVER"]


def test_a_game_without_an_opening_reports_only_the_error() -> None:
    with pytest.raises(EnvironmentFault) as died:
        results(written(construct="os._exit(3)"), UP)
    assert died.value.code == "host_died"


def test_the_process_ends_when_the_iteration_stops() -> None:
    stop = Event()
    steps = [MISBEHAVE] * 1_000
    with closing(play(written(step="time.sleep(0.01)"), 0, steps, stop=stop)) as outcomes:
        assert isinstance(next(outcomes), EncodedTurn)
        stop.set()
        rest = list(outcomes)
    assert len(rest) < len(steps)
    assert isinstance(rest[-1], EngineError)
