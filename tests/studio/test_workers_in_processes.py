"""Workers end what their environments do to them, and play samples again where people play."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest

from engine.confine.client import Counts
from engine.confine.deadline import usage_of
from engine.errors import EnvironmentFault
from engine.play.source import Source
from engine.prove.chance import Question
from engine.prove.qualification.findings import Finding
from engine.prove.qualification.plan import DETERMINISM, FUZZ, plan
from playtest.studio.processes import limits, qualification, random_play
from playtest.studio.processes.exploration import explore
from tests.engine.sources import written
from tests.studio.own_processes import children

pytestmark = pytest.mark.programs


LIMITS = {"nodes": 1000, "edges": 10_000, "steps": 100_000, "seconds": 0.5, "depth": None}
HOLDS_ON = "import signal\nsignal.setitimer(signal.ITIMER_PROF, 0)\nwhile True:\n    try: time.sleep(600)\n"
HOLDS_ON += "    except BaseException: pass"
SENDS_FOREVER = """
import gc
from engine.confine.workers.one_shot import Worker
worker = next(one for one in gc.get_objects() if isinstance(one, Worker))
while True:
    try:
        time.sleep(0.05)
        worker._send('progress', worker._counts)
    except BaseException: pass
"""

type Work = Callable[[Source, Callable[[Any], None]], object]


def explored(source: Source, report: Callable[[Counts], None]) -> object:
    return explore(source, seed=0, level=1, limits=LIMITS, budget=None, fewest=None, report=report)


def qualified(source: Source, report: Callable[[int], None]) -> object:
    part = next(part for part in plan(3, 60) if part.regime == FUZZ)
    (finding,) = qualification.run_part(source, part, [], report)
    raise EnvironmentFault(finding.code, finding.message)


def played(source: Source, report: Callable[[int], None]) -> object:
    return random_play.play_at_random(source, Question(1, 0, 50, 1e-4), report)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playtest.studio.processes.exploration.SILENCE_SECONDS", (2.0, 2.0))
    monkeypatch.setattr(qualification, "SILENCE_SECONDS", 2.0)
    monkeypatch.setattr(random_play, "SILENCE_SECONDS", 2.0)
    monkeypatch.setattr(limits, "SECONDS_AROUND", 2.0)
    monkeypatch.setattr(limits, "SECONDS_A_STEP", 0.001)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("work", "step"),
    [(explored, SENDS_FOREVER), (qualified, SENDS_FOREVER), (played, HOLDS_ON)],
)
def test_a_worker_ends_within_its_limit(work: Work, step: str) -> None:
    began = time.monotonic()
    with pytest.raises(EnvironmentFault) as raised:
        work(written(draw=f"if self.game._action_count: \n{_indented(step)}"), lambda done: None)
    assert raised.value.code == "deadline_exceeded"
    assert time.monotonic() - began < 20


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def test_a_worker_that_is_stopped_is_ended() -> None:
    """A signal from outside stops each as it computes: where the kernel filters, it cannot stop itself."""
    others = children()  # servers of other tests
    stopped: set[int] = set()

    def stop(_done: object) -> None:
        for process in children() - others - stopped:
            usage = usage_of(process)
            if usage is not None and usage.computed > 0.3:
                stopped.add(process)
                os.kill(process, signal.SIGSTOP)

    busy = "until = time.process_time() + 0.1\nwhile time.process_time() < until: pass"
    with pytest.raises(EnvironmentFault, match="stopped its process") as raised:
        explored(written(draw=busy), stop)
    assert raised.value.code == "host_died"


KNOWS_WHERE_IT_IS = {
    "looks for modules of the qualification": "any('qualification' in name for name in sys.modules)",
    "looks at the program's name": "'fork_server' not in sys.argv[0]",
}


def found(source: Source, regime: str) -> list[Finding]:
    part = next(part for part in plan(3, 60) if part.regime == regime)
    return qualification.run_part(source, part, [], lambda done: None)


@pytest.mark.parametrize(
    ("tested", "regime"), zip(KNOWS_WHERE_IT_IS.values(), (DETERMINISM, FUZZ), strict=True)
)
def test_an_environment_that_wins_by_one_action_where_people_play_is_found(tested: str, regime: str) -> None:
    source = written(draw=f"if self.game._action_count and not {tested}: frame[0, 0] = 3")
    codes = {finding.code: finding for finding in found(source, regime)}
    assert not codes["differs_in_live_play"].note
    assert "Where people play it" in codes["differs_in_live_play"].message


def test_an_environment_that_ends_its_host_where_people_play_is_found() -> None:
    source = written(step="os._exit(0) if 'fork_server' in sys.argv[0] else None")
    (finding,) = found(source, FUZZ)
    assert finding.code == "differs_in_live_play"
    assert "exit code 0" in finding.message


def test_a_failure_that_was_found_is_not_found_again() -> None:
    source = written(step="if self._action_count > 3: 1 / 0")
    assert {finding.code for finding in found(source, FUZZ)} == {"environment_raised"}
