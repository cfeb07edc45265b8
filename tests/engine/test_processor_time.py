"""Computing and sleeping count against a deadline; waiting for a processor does not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.confine.deadline import OwnUsage, Usage, charged, usage_of

INTERVAL = 0.25
SECONDS = st.floats(0, 1000)


@given(computed=SECONDS, waited=SECONDS, slept=SECONDS)
def test_computing_counts_in_full_and_sleep_up_to_one_interval(
    computed: float, waited: float, slept: float
) -> None:
    before = Usage(100.0, 7.0, 3.0)
    after = Usage(100.0 + computed + waited + slept, 7.0 + computed, 3.0 + waited)
    assert charged(before, after, INTERVAL) == pytest.approx(computed + min(slept, INTERVAL), abs=1e-6)


@given(computed=SECONDS, clock=SECONDS)
def test_a_stopped_or_waiting_process_is_charged_only_for_computing(computed: float, clock: float) -> None:
    before = Usage(0.0, 0.0, 0.0)
    assert charged(before, Usage(clock, computed, 0.0, asleep=False), INTERVAL) == computed


@given(computed=SECONDS)
def test_clocks_that_disagree_never_reduce_the_charge(computed: float) -> None:
    assert charged(Usage(5.0, 0.0, 0.0), Usage(5.0, computed, 1.0), INTERVAL) == computed


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    script = "import sys\nsum(range(10**6))\nprint(flush=True)\nsys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_usage_of_another_process_shows_sleep_and_stops(sleeper: subprocess.Popen[bytes]) -> None:
    while not (seen := usage_of(sleeper.pid)) or not seen.asleep:
        os.sched_yield()
    assert seen.computed > 0
    sleeper.send_signal(signal.SIGSTOP)
    while (seen := usage_of(sleeper.pid)) is None or seen.asleep:
        os.sched_yield()
    sleeper.kill()
    sleeper.wait()
    assert usage_of(sleeper.pid) is None


def test_own_usage_grows_with_computing() -> None:
    usage = OwnUsage()
    before = usage()
    sum(range(10**6))
    after = usage()
    assert after.computed > before.computed
    assert after.clock > before.clock
    assert after.waited >= before.waited
