"""What counts against a deadline: computing and sleeping, not waiting for a processor, nor being stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.processor_time import OwnUsage, Usage, charged, usage_of

LOOK = 0.25
SECONDS = st.floats(0, 1000)


@given(computed=SECONDS, waited=SECONDS, slept=SECONDS)
def test_computing_counts_whole_and_sleep_up_to_one_look(
    computed: float, waited: float, slept: float
) -> None:
    before = Usage(100.0, 7.0, 3.0)
    after = Usage(100.0 + computed + waited + slept, 7.0 + computed, 3.0 + waited)
    assert charged(before, after, LOOK) == pytest.approx(computed + min(slept, LOOK), abs=1e-6)


@given(computed=SECONDS, clock=SECONDS)
def test_who_is_stopped_or_ready_to_run_is_charged_its_computing_alone(computed: float, clock: float) -> None:
    before = Usage(0.0, 0.0, 0.0)
    assert charged(before, Usage(clock, computed, 0.0, asleep=False), LOOK) == computed


@given(computed=SECONDS)
def test_clocks_that_disagree_take_nothing_back(computed: float) -> None:
    assert charged(Usage(5.0, 0.0, 0.0), Usage(5.0, computed, 1.0), LOOK) == computed


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


def test_another_process_is_seen_to_sleep_and_to_be_stopped(sleeper: subprocess.Popen[bytes]) -> None:
    while not (seen := usage_of(sleeper.pid)) or not seen.asleep:
        os.sched_yield()
    assert seen.computed > 0
    sleeper.send_signal(signal.SIGSTOP)
    while (seen := usage_of(sleeper.pid)) is None or seen.asleep:
        os.sched_yield()
    sleeper.kill()
    sleeper.wait()
    assert usage_of(sleeper.pid) is None


def test_ones_own_usage_grows_with_what_one_computes() -> None:
    usage = OwnUsage()
    before = usage()
    sum(range(10**6))
    after = usage()
    assert after.computed > before.computed
    assert after.clock > before.clock
    assert after.waited >= before.waited
