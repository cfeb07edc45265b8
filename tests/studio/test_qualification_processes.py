"""Games and parts of qualifications in confined processes: environments affect nothing else."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import closing
from threading import Event
from types import SimpleNamespace

import pytest
from pytest_django import Settings

from engine.confine import client
from engine.confine.deadline import Usage
from engine.errors import EngineError, EnvironmentFault
from engine.play.actions import Action
from engine.play.frames import LARGEST_PLAIN_BYTES, decode
from engine.play.source import Source
from engine.play.turns import EncodedTurn
from engine.prove.player import Player
from engine.prove.qualification.findings import Finding
from engine.prove.qualification.plan import DETERMINISM, FUZZ, STRUCTURE, Part, plan
from engine.prove.qualification.random_checks import play_part
from playtest.studio.processes import limits, qualification
from playtest.studio.processes.game import play, play_until_win
from tests.engine.sources import MISBEHAVE, UP, environment, written
from tests.studio.own_processes import children


def part(regime: str, steps: int = 120) -> Part:
    return next(part for part in plan(3, steps) if part.regime == regime)


def ignore(_done: int) -> None:
    """No one wants to know how far it is."""


def found(source: Source, regime: str, steps: int = 120) -> list[Finding]:
    return qualification.run_part(source, part(regime, steps), [], ignore)


def test_a_busy_listener_does_not_report_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qualification, "SILENCE_SECONDS", 2.0)
    known, rests = children(), [2.5]

    def be_busy_after_the_start(_done: int) -> None:
        if children() - known and rests:
            time.sleep(rests.pop())

    assert qualification.run_part(environment("wk01"), part(FUZZ), [], be_busy_after_the_start) == []


def test_what_a_worker_waits_for_a_processor_is_not_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0, 0.0]  # the clock, and what the process has waited for a processor
    monkeypatch.setattr(client, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(client, "usage_of", lambda process: Usage(now[0], 0.0, now[1], asleep=False))
    patience = client.Patience(1, silence=5.0, seconds=50.0)

    def checks(number: int, waited: float) -> None:
        for _ in range(number):
            now[0] += client.POLL_SECONDS
            now[1] += waited
            patience.check(heard=False)

    checks(1_000, client.POLL_SECONDS)
    with pytest.raises(EnvironmentFault, match="took too long"):
        checks(26, 0.0)


def test_an_environment_that_catches_its_interruption_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "START_SECONDS", 0.5)
    monkeypatch.setattr(qualification, "SILENCE_SECONDS", 1.0)
    loop = "while True:\n    try:\n        time.sleep(60)\n    except BaseException:\n        pass"
    stubborn = written(construct=loop)
    before = children()
    (finding,) = found(stubborn, STRUCTURE)
    assert (finding.check, finding.code) == ("load", "deadline_exceeded")
    assert children() == before


def test_listing_valid_clicks_is_confined_too() -> None:
    source = written(methods="def _get_valid_actions(self):\n    os.fork()")
    (finding, *_) = found(source, FUZZ, 60)
    assert (finding.check, finding.code) == ("fuzz", "forbidden_operation")
    assert "places that can be clicked" in finding.message


def test_an_uninterruptible_environment_ends_with_its_starter() -> None:
    script = (
        "import collections, itertools, signal; from engine.confine import confinement\n"
        "signal.signal(signal.SIGALRM, signal.SIG_IGN); confinement.LAST_RESORT_SECONDS = 0.2\n"
        "endless = lambda: collections.deque(itertools.repeat(0), 0)\n"
        "confinement.Confinement(512, 512).run(endless, 0.1, 0)"
    )
    ended = subprocess.run([sys.executable, "-c", script], check=False, timeout=60)
    assert ended.returncode == -signal.SIGPROF


def test_an_environment_that_ends_its_process_is_reported_with_its_actions() -> None:
    (finding,) = found(written(step="if self._action_count == 12: os._exit(3)"), FUZZ)
    assert finding.code == "process_ended"
    assert finding.recording is not None
    assert len(finding.recording["actions"]) >= 12


def test_the_order_of_sets_is_found_by_another_hash_seed_only() -> None:
    findings = found(environment("hs01"), DETERMINISM)
    assert [finding.code for finding in findings] == ["nondeterministic_with_another_hash_seed"]


def test_a_confined_part_has_the_same_findings_and_reports_progress() -> None:
    progress: list[int] = []
    source, fuzz = environment("dp01"), part(FUZZ, 400)
    confined = qualification.run_part(source, fuzz, [], progress.append)
    assert confined == play_part(Player(source), fuzz, ignore) != []
    assert progress == sorted(progress)


class _Enough(Exception):
    pass


def test_a_cancelled_part_ends_with_its_process() -> None:
    before = children()

    def enough(done: int) -> None:
        if done > 0:
            raise _Enough

    with pytest.raises(_Enough):
        qualification.run_part(environment("qt01"), part(FUZZ, 50_000), [], enough)
    assert children() == before


def test_a_slow_action_is_found_whether_it_computes_or_sleeps(settings: Settings) -> None:
    draw = """
now = self.game.level_index, self.game._action_count
until = time.process_time() + 0.3
while now == (1, 5) and time.process_time() < until: pass
if now == (2, 5): time.sleep(0.3)
"""
    source = written(draw=draw)
    settings.ENGINE_DEADLINE_SECONDS = 0.28
    computing, sleeping = found(source, FUZZ, 60)
    assert [(one.check, one.level) for one in (computing, sleeping)] == [("speed", 2), ("speed", 3)]
    assert (sleeping.code, sleeping.note) == ("action_too_slow", False)
    assert sleeping.recording is not None
    assert (sleeping.recording["level"], len(sleeping.recording["actions"])) == (3, 5)


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
