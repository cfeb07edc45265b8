"""A deadline counts what an environment computes and not how long its process waits."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from engine.confine.deadline import usage_of
from engine.errors import EnvironmentFault
from engine.play.source import Source
from playtest.play.attempt.loaded import LoadedAttempt
from playtest.play.hosts.game import HostedGame
from playtest.play.hosts.pool import HostPool
from playtest.play.hosts.process import HostLost
from playtest.play.models import Attempt
from tests.engine.sources import MISBEHAVE, RIGHT, moves, written

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.programs]

COMPUTES = "began = time.process_time()\nwhile time.process_time() - began < {}: pass"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[HostPool]:
    pool = HostPool(1, deadline_seconds=1, grace_seconds=0.5)
    yield pool
    await pool.close()


async def process_of(pool: HostPool, source: Source) -> tuple[HostedGame, int]:
    game, _ = await pool.start(source, 0)
    assert game.process is not None
    return game, game.process


async def test_a_host_that_is_stopped_is_ended_within_the_deadline(pool: HostPool) -> None:
    """A signal from outside stops it: whoever was at work is told, and a neighbour has lost a second."""
    source = written(step=COMPUTES.format(0.5))
    neighbour, _ = await process_of(pool, source)
    game, process = await process_of(pool, source)
    playing = asyncio.create_task(game.act(MISBEHAVE))
    await asyncio.sleep(0.1)
    waiting = asyncio.create_task(neighbour.act(RIGHT))
    os.kill(process, signal.SIGSTOP)
    began = time.monotonic()
    outcomes = await asyncio.gather(playing, waiting, return_exceptions=True)
    assert time.monotonic() - began < 1.5
    assert [isinstance(one, HostLost) and one.at_work for one in outcomes] == [True, False]
    again, _ = await pool.start(source, 0)
    assert (await again.act(RIGHT)).seq == 1
    await again.stop()


async def test_a_host_stopped_for_a_moment_answers_when_it_continues(pool: HostPool) -> None:
    game, process = await process_of(pool, written(step=COMPUTES.format(0.5)))
    playing = asyncio.create_task(game.act(MISBEHAVE))
    await asyncio.sleep(0.1)
    os.kill(process, signal.SIGSTOP)
    await asyncio.sleep(0.2)
    os.kill(process, signal.SIGCONT)
    assert (await playing).seq == 1


@pytest.mark.parametrize("ends_by", [signal.SIGKILL, signal.SIGSTOP])
async def test_an_environment_that_loses_its_host_at_every_start_is_at_fault(
    pool: HostPool, ends_by: signal.Signals
) -> None:
    """As one that the kernel kills for memory: nobody sees who sent the signal."""
    source = written(construct=f"began = time.time()\nwhile time.time() - began < 3: pass\n# {ends_by}")
    starting = asyncio.create_task(pool.start(source, 0))
    sending = asyncio.create_task(_send_to_whoever_is_busy(pool, ends_by))
    with pytest.raises(EnvironmentFault, match="again at the same action") as raised:
        await starting
    sending.cancel()
    assert raised.value.code == "host_died"


async def _send_to_whoever_is_busy(pool: HostPool, number: signal.Signals) -> None:
    """Sends a signal to each host that computes for a second."""
    seen: set[int] = set()
    while True:
        await asyncio.sleep(0.1)
        for process in set(pool.processes) - seen:
            usage = usage_of(process)
            if usage is not None and usage.computed > 0.3:
                seen.add(process)
                os.kill(process, number)


@pytest.fixture
def hogs() -> Iterator[int]:
    """Keeps a processor busy with two processes of separate sessions; yields its number."""
    processor = min(os.sched_getaffinity(0))
    hog = f"import os; os.sched_setaffinity(0, [{processor}])\nprint(flush=True)\nwhile True: pass"
    command = [sys.executable, "-c", hog]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) for _ in range(2)]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    yield processor
    for process in processes:
        process.kill()
        process.communicate()


async def test_a_host_with_little_processor_time_is_not_ended(pool: HostPool, hogs: int) -> None:
    """Its 0.7 seconds of computing take longer than the deadline of one second by the clock."""
    game, process = await process_of(pool, written(step=COMPUTES.format(0.7)))
    os.sched_setaffinity(process, [hogs])
    assert (await game.act(MISBEHAVE)).seq == 1


async def test_a_game_that_naps_too_long_ends_and_its_neighbour_continues(pool: HostPool) -> None:
    source = written(step="for _ in range(500): time.sleep(0.01)")
    neighbour, _ = await pool.start(source, 0)
    game, _ = await pool.start(source, 0)
    await neighbour.act(RIGHT)
    with pytest.raises(EnvironmentFault) as raised:
        await game.act(MISBEHAVE)
    assert raised.value.code == "deadline_exceeded"
    assert (await neighbour.act(RIGHT)).seq == 2


async def test_many_short_actions_do_not_exceed_the_deadline(pool: HostPool) -> None:
    busy = written(draw="began = time.process_time()\nwhile time.process_time() - began < 0.02: pass")
    _, turn = await pool.start(busy, 0, moves("43" * 30))
    assert turn.seq == 60


async def test_an_attempt_that_loses_two_hosts_at_one_entry_is_at_fault() -> None:
    attempt = LoadedAttempt(Attempt(), seq=7)
    killed = HostLost("it ended with -9", at_work=True)
    await attempt.lose(killed)
    await attempt.lose(HostLost("a neighbour took it along"))
    attempt.seq = 8
    await attempt.lose(killed)
    with pytest.raises(EnvironmentFault, match="again at the same action: it ended with -9"):
        await attempt.lose(killed)
