"""A rebuild that takes longer than a connection lasts is not begun again, and pages wait their turn."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from engine.play.turns import EncodedTurn
from playtest.play.attempt.runner import AttemptRunner
from playtest.play.hosts.game import HostedGame
from playtest.play.hosts.pool import HostPool
from playtest.play.journal import writer
from playtest.play.journal.writer import JournalWriter
from playtest.play.models import Attempt
from playtest.play.page import connected
from playtest.play.page.connected import ConnectedSession
from playtest.rules.adjustments import NO_ADJUSTMENTS
from tests import make
from tests.make import play, study

# On PostgreSQL the threads of the live path do not share the transaction of a test.
pytestmark = [pytest.mark.django_db, pytest.mark.once]

ACTS = [4, 4, 2, 1]


class PoolThatWaits(HostPool):
    """A pool that starts no game before `may_start`. `starts` counts what was asked for."""

    def __init__(self) -> None:
        super().__init__(1, deadline_seconds=10)
        self.starts = 0
        self.has_begun = asyncio.Event()
        self.may_start = asyncio.Event()

    async def start(self, *given: Any, **options: Any) -> tuple[HostedGame, EncodedTurn]:
        self.starts += 1
        self.has_begun.set()
        await self.may_start.wait()
        return await super().start(*given, **options)


class WriterThatWritesNothing(JournalWriter):
    def start(self) -> None:
        pass


@pytest.fixture
def attempt() -> Attempt:
    return play(make.session(study()), ACTS, None)


@asynccontextmanager
async def slow_pool() -> AsyncIterator[PoolThatWaits]:
    pool = PoolThatWaits()
    try:
        yield pool
    finally:
        await pool.close()


def in_a_loop(test: Callable[[PoolThatWaits], Awaitable[None]]) -> None:
    """Runs it where the database of the test is, for at most a minute."""

    async def run() -> None:
        async with slow_pool() as pool, asyncio.timeout(60):
            await test(pool)

    async_to_sync(run)()


def test_the_next_connection_gets_what_an_earlier_one_began(attempt: Attempt) -> None:
    async def connect_twice(pool: PoolThatWaits) -> None:
        player = AttemptRunner(pool, pool, most_games=10)
        live = player.join(attempt, NO_ADJUSTMENTS)
        first = asyncio.create_task(player.current_turn(live))
        await pool.has_begun.wait()
        first.cancel()
        await asyncio.wait([first])
        second = asyncio.create_task(player.current_turn(live))
        await asyncio.sleep(0)
        pool.may_start.set()
        assert (await second).seq == len(ACTS)
        assert pool.starts == 1

    in_a_loop(connect_twice)


def test_an_attempt_that_is_over_is_not_rebuilt_any_more(attempt: Attempt) -> None:
    async def end_meanwhile(pool: PoolThatWaits) -> None:
        player = AttemptRunner(pool, pool, most_games=10)
        live = player.join(attempt, NO_ADJUSTMENTS)
        waiting = asyncio.create_task(player.current_turn(live))
        await pool.has_begun.wait()
        await player.forget(attempt.pk)
        await asyncio.wait([waiting])
        assert getattr(waiting.exception(), "code", None) == "resync_required"
        assert live.game is None

    in_a_loop(end_meanwhile)


def test_a_page_is_told_again_and_again_while_it_waits(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connected, "SECONDS_BETWEEN_NOTICES", 0.01)
    monkeypatch.setattr(writer, "writer", WriterThatWritesNothing())

    async def wait_long(pool: PoolThatWaits) -> None:
        player = AttemptRunner(pool, pool, most_games=10)
        monkeypatch.setattr(connected, "attempt_runner", lambda: player)
        said = 0

        async def count() -> None:
            nonlocal said
            said += 1
            if said == 4:
                pool.may_start.set()

        assert attempt.session_id is not None
        viewer = ConnectedSession(attempt.session_id, count, lambda: None)
        turn = await viewer.current_turn()
        viewer.leave()
        assert turn is not None
        assert turn.seq == len(ACTS)
        assert said >= 4

    in_a_loop(wait_long)


def test_who_connects_is_looked_up_when_few_wait_for_their_game() -> None:
    async def come(pool: PoolThatWaits) -> None:
        player = AttemptRunner(pool, pool, most_games=10)
        may_end = asyncio.Event()

        async def rebuild() -> None:
            async with pool._turn(len(ACTS)):
                await may_end.wait()

        async def arrive() -> None:
            async with player.arriving():
                pass

        await asyncio.wait_for(arrive(), 1)
        at_once = pool._short_rebuilds._free
        rebuilds = [asyncio.create_task(rebuild()) for _ in range(at_once + 64)]
        await asyncio.sleep(0)
        arrival = asyncio.create_task(arrive())
        await asyncio.sleep(0.05)
        assert not arrival.done()
        may_end.set()
        await asyncio.gather(arrival, *rebuilds)

    in_a_loop(come)
