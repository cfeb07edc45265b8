"""Parts of qualifications in confined processes: environments affect nothing else."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest
from pytest_django import Settings

from engine.play.source import Source
from engine.prove.player import Player
from engine.prove.qualification.findings import Finding
from engine.prove.qualification.plan import DETERMINISM, FUZZ, STRUCTURE, Part, plan
from engine.prove.qualification.random_checks import play_part
from playtest.studio.processes import limits, qualification
from tests.engine.sources import environment, written
from tests.studio.own_processes import children


def part(regime: str, steps: int = 120) -> Part:
    return next(part for part in plan(3, steps) if part.regime == regime)


def ignore(_done: int) -> None:
    """No one wants to know how far it is."""


def found(source: Source, regime: str, steps: int = 120) -> list[Finding]:
    return qualification.run_part(source, part(regime, steps), [], ignore)


def test_a_busy_listener_does_not_report_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qualification, "SILENCE_SECONDS", 2.0)
    known = children()

    def be_busy_after_each_start(_done: int) -> None:
        if started := children() - known:
            known.update(started)
            time.sleep(2.5)

    assert qualification.run_part(environment("wk01"), part(FUZZ), [], be_busy_after_each_start) == []


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
