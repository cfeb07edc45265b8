"""A deadline counts what an environment computes and not how long its process waits."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from engine.errors import EnvironmentFault
from engine.play.source import Source
from playtest.play.hosts import process as host_watch
from playtest.play.hosts.pool import HostedGame, HostLost, HostPool
from tests.engine.sources import MISBEHAVE, RIGHT, environment, moves, written

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.programs]

STOPPED_SECONDS = 2.0
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


@pytest.mark.parametrize("step", [COMPUTES.format(0.5), "time.sleep(0.5)"], ids=["computes", "sleeps"])
async def test_a_host_stopped_during_an_action_answers_when_it_continues(pool: HostPool, step: str) -> None:
    game, process = await process_of(pool, written(step=step))
    playing = asyncio.create_task(game.act(MISBEHAVE))
    await asyncio.sleep(0.1)
    os.kill(process, signal.SIGSTOP)
    await asyncio.sleep(STOPPED_SECONDS)
    os.kill(process, signal.SIGCONT)
    assert (await playing).seq == 1
    assert (await game.act(RIGHT)).seq == 2


async def test_a_host_stopped_during_a_start_answers_when_it_continues(pool: HostPool) -> None:
    neighbour, process = await process_of(pool, written(construct=COMPUTES.format(0.5)))
    starting = asyncio.create_task(pool.start(written(construct=COMPUTES.format(0.5)), 0))
    await asyncio.sleep(0.1)
    os.kill(process, signal.SIGSTOP)
    await asyncio.sleep(STOPPED_SECONDS)
    os.kill(process, signal.SIGCONT)
    game, _ = await starting
    assert game.process == neighbour.process == process


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
    _, turn = await pool.start(busy, 0, moves("43" * 35))
    assert turn.seq == 70


async def test_a_host_that_stays_stopped_is_ended_without_a_fault(
    pool: HostPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_watch, "LONGEST_WAIT_SECONDS", 0.5)
    game, process = await process_of(pool, environment("wk01"))
    os.kill(process, signal.SIGSTOP)
    with pytest.raises(HostLost):
        await game.act(RIGHT)
    assert not game.alive
    again, _ = await pool.start(environment("wk01"), 0)
    assert (await again.act(RIGHT)).seq == 1
    assert again.process != process
