"""Virtual time stops while someone is busy and advances to the next awaited moment."""

import asyncio
import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.play.clock import Timer, now
from playtest.rehearsal.clock import VirtualClock, virtual_time
from playtest.rehearsal.scheduler import VirtualScheduler, actor
from tests.live.server import ROOT

BEGIN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def clock(tmp_path: Path) -> VirtualClock:
    return VirtualClock.create(tmp_path / "clock", BEGIN)


@given(st.lists(st.integers(-10_000, 10_000), max_size=20))
def test_virtual_time_never_goes_back_and_is_the_same_in_all_processes(
    tmp_path_factory: pytest.TempPathFactory, moves: list[int]
) -> None:
    path = tmp_path_factory.mktemp("clock") / "clock"
    one, highest = VirtualClock.create(path, BEGIN), 0
    other = VirtualClock(path)
    for seconds in moves:
        one.advance(BEGIN + timedelta(seconds=seconds))
        highest = max(highest, seconds)
        assert one.now() == other.now() == BEGIN + timedelta(seconds=highest)


ADVANCES = """
import sys
from datetime import datetime, timedelta
import django
django.setup()
from playtest.rehearsal.clock import VirtualClock
clock, begin = VirtualClock(sys.argv[1]), datetime.fromisoformat(sys.argv[2])
for microseconds in range(200_000):
    clock.advance(begin + timedelta(microseconds=microseconds))
"""


@pytest.mark.long
def test_no_process_reads_a_half_written_time(tmp_path: Path) -> None:
    clock, read = VirtualClock.create(tmp_path / "clock", BEGIN), 0
    with subprocess.Popen(
        [sys.executable, "-c", ADVANCES, str(tmp_path / "clock"), BEGIN.isoformat()],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "playtest.settings"},
        cwd=ROOT,
    ) as process:
        while process.poll() is None:
            assert clock.now() >= BEGIN
            read += 1
    assert (process.returncode, clock.now()) == (0, BEGIN + timedelta(microseconds=199_999))
    assert read


def test_a_process_can_have_virtual_time_temporarily(clock: VirtualClock) -> None:
    with virtual_time(clock):
        clock.advance(BEGIN + timedelta(minutes=90))
        assert now() == BEGIN + timedelta(minutes=90)
    assert now() - datetime.now(UTC) < timedelta(minutes=1)


async def test_a_timer_expires_in_virtual_time(clock: VirtualClock) -> None:
    with virtual_time(clock):
        rung, stopped = asyncio.Event(), asyncio.Event()
        Timer(BEGIN + timedelta(minutes=20), rung.set)
        Timer(BEGIN + timedelta(minutes=10), stopped.set).cancel()
        clock.advance(BEGIN + timedelta(minutes=19))
        await asyncio.sleep(0.05)
        assert not rung.is_set()
        clock.advance(BEGIN + timedelta(minutes=20))
        async with asyncio.timeout(10):
            await rung.wait()
        assert not stopped.is_set()


async def test_everyone_wakes_in_order_at_the_requested_time(clock: VirtualClock) -> None:
    scheduler, woken = VirtualScheduler(clock), []
    began = scheduler.now()

    async def person(pauses: list[float]) -> None:
        moment = scheduler.now()
        with actor(scheduler) as mine:
            for pause in pauses:
                moment += pause
                await mine.sleep_until(moment)
                assert scheduler.now() == pytest.approx(moment, abs=1e-5)
                woken.append(moment - began)

    await asyncio.gather(person([3600, 1, 1]), person([0.5, 3600, 0.7]), person([0.25] * 8))
    assert woken == sorted(woken)
    assert len(woken) == 14


async def test_time_does_not_advance_past_someone_waiting_for_an_answer(clock: VirtualClock) -> None:
    scheduler = VirtualScheduler(clock)
    began, answered = scheduler.now(), asyncio.Event()
    seen: list[float] = []

    async def asks() -> None:
        with actor(scheduler) as mine:
            mine.busy(2.0)
            await answered.wait()

    async def plays() -> None:
        with actor(scheduler) as mine:
            for moment in (1.0, 2.0, 3.0):
                await mine.sleep_until(began + moment)
                seen.append(scheduler.now() - began)

    asking, playing = asyncio.create_task(asks()), asyncio.create_task(plays())
    await asyncio.sleep(0.05)
    assert seen == pytest.approx([1.0, 2.0], abs=1e-5)
    answered.set()
    await asyncio.gather(asking, playing)
    assert seen == pytest.approx([1.0, 2.0, 3.0], abs=1e-5)


async def test_a_cancelled_wait_does_not_hold_the_time(clock: VirtualClock) -> None:
    scheduler = VirtualScheduler(clock)

    async def sleeps(seconds: float) -> None:
        moment = scheduler.now() + seconds
        with actor(scheduler) as mine:
            await mine.sleep_until(moment)

    stays = scheduler.join()
    gives_up = asyncio.create_task(sleeps(5))
    await asyncio.sleep(0)
    gives_up.cancel()
    stays.leave()
    await sleeps(10)
    assert scheduler.now() == pytest.approx(BEGIN.timestamp() + 10, abs=1e-5)


async def test_the_speed_is_a_limit(clock: VirtualClock) -> None:
    scheduler = VirtualScheduler(clock, fastest=100)
    began = time.monotonic()
    with actor(scheduler) as mine:
        await mine.sleep_until(scheduler.now() + 20)
    assert time.monotonic() - began >= 0.2
