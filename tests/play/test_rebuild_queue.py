"""Rebuilds take turns: few at once, short ones first, and nobody's turn is lost."""

import asyncio

from playtest.play.hosts.pool import RebuildQueue


class Rebuilds:
    """Rebuilds in a queue, each as long as the test lets it last."""

    def __init__(self, at_once: int) -> None:
        self.queue = RebuildQueue(at_once)
        self.running: list[int] = []
        self.may_end: dict[int, asyncio.Event] = {}
        self.tasks: dict[int, asyncio.Task[None]] = {}

    async def ask(self, *lengths: int) -> None:
        for length in lengths:
            self.may_end[length] = asyncio.Event()
            self.tasks[length] = asyncio.create_task(self._rebuild(length))
            await asyncio.sleep(0)

    async def end(self, length: int) -> None:
        self.may_end[length].set()
        await self.tasks[length]
        await asyncio.sleep(0)

    async def _rebuild(self, length: int) -> None:
        async with self.queue.turn(length):
            self.running.append(length)
            await self.may_end[length].wait()
            self.running.remove(length)


async def test_few_run_at_once_and_short_ones_go_first() -> None:
    rebuilds = Rebuilds(2)
    await rebuilds.ask(500, 400, 900, 30)
    assert rebuilds.running == [500, 400]
    await rebuilds.end(400)
    assert rebuilds.running == [500, 30]
    await rebuilds.end(500)
    assert rebuilds.running == [30, 900]
    await rebuilds.end(30)
    await rebuilds.end(900)


async def test_an_opening_does_not_wait() -> None:
    rebuilds = Rebuilds(1)
    await rebuilds.ask(500, 0)
    assert rebuilds.running == [500, 0]
    await rebuilds.end(0)
    await rebuilds.end(500)


async def test_who_leaves_while_waiting_or_rebuilding_gives_the_turn_to_the_next() -> None:
    rebuilds = Rebuilds(1)
    await rebuilds.ask(100, 200, 300)
    rebuilds.tasks[200].cancel()
    rebuilds.tasks[100].cancel()
    await asyncio.sleep(0.01)
    assert rebuilds.running[-1] == 300
    await rebuilds.end(300)


async def test_who_leaves_as_the_turn_comes_passes_it_on() -> None:
    rebuilds = Rebuilds(1)
    await rebuilds.ask(100, 200, 300)
    rebuilds.may_end[100].set()
    await rebuilds.tasks[100]
    rebuilds.tasks[200].cancel()
    await asyncio.sleep(0.01)
    assert rebuilds.running[-1] == 300
    await rebuilds.end(300)


async def test_who_comes_waits_while_many_wait_and_is_cancelled_alone() -> None:
    rebuilds = Rebuilds(1)
    rebuilds.queue = RebuildQueue(1, most_waiting=2)
    await rebuilds.ask(100, 200, 300)
    gone, come = (asyncio.create_task(rebuilds.queue.room()) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    assert not come.done()
    await rebuilds.end(100)
    await asyncio.sleep(0)
    assert (come.done(), gone.cancelled()) == (True, True)
    await asyncio.wait_for(rebuilds.queue.room(), 1)
    await rebuilds.end(200)
    await rebuilds.end(300)
