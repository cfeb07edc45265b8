"""Several clients at one attempt: at one server, or at two that share the database."""

import asyncio
import os
import time
from functools import partial

from tools.faults.person import Person
from tools.faults.world import PATIENCE_SECONDS, World

_FAST = 12.0
_ROUND = 4


async def two_windows(world: World) -> int:
    """Somebody else plays on with the same seat, in another window, for a while."""
    await _play_twice(world, world.dice.sample(world.people, 1), world.people[0].port, 0.5, 3)
    return 1


async def two_servers(world: World) -> int:
    """A second server on the same database; some people's attempts are played at both at once.

    Without Redis neither server knows of the other: only the database decides. Then the second is killed.
    """
    installation = world.product.installation
    # Without Redis one process serves a DATA_DIR: the second has its own, with the same database.
    shared = os.environ.get("REDIS_URL")
    folder = installation.folder if shared else await asyncio.to_thread(installation.folder_beside)
    start = partial(installation.start, "tools.faults.serve_at", DATA_DIR=str(folder))
    port = await asyncio.to_thread(start)
    try:
        playing = [person for person in world.people if not person.over]
        chosen = world.dice.sample(playing, min(_ROUND, len(playing)))
        turns = await _play_twice(world, chosen, port, 4, 6)
        assert turns, "nobody was given a turn by the second server"
    finally:
        await asyncio.to_thread(installation.kill, port)
    return len(chosen)


async def two_servers_without_redis(world: World) -> int:
    """The same, while no server can tell another that a page was opened there."""
    await asyncio.to_thread(world.services["redis"].kill)
    try:
        return await two_servers(world)
    finally:
        await asyncio.to_thread(world.services["redis"].start)


async def _play_twice(world: World, people: list[Person], port: int, least: float, longest: float) -> int:
    """These people and others at `port` play the same attempts, fast; turns given to the others."""
    notes = world.notes.open("a", buffering=1)
    others = [Person(port, one.session, one.seat, notes, rate=_FAST, dice=world.dice) for one in people]
    rates = [person.rate for person in people]
    for person in people:
        person.rate = _FAST
    tasks = [asyncio.create_task(other.live()) for other in others]
    await asyncio.sleep(world.some_time(least, longest))
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        if any(other.acknowledged for other in others) or time.monotonic() > deadline:
            break
        await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    notes.close()
    for person, other, rate in zip(people, others, rates, strict=True):
        person.rate = rate
        person.acknowledged += other.acknowledged
        person.went_back += other.went_back
    return sum(other.acknowledged for other in others)
