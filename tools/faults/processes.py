"""Faults of processes: killed, stopped for a while, or with their manager."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable
from typing import Literal

from tests.play.processes import runs
from tools.faults.world import PATIENCE_SECONDS, World
from tools.processes import send

type Break = Callable[[World], Awaitable[int]]
"""Lets something go wrong, and returns how often it did."""
type Pids = Callable[[World], list[int]]


async def one_of(world: World, pids: Pids) -> int:
    """One of these processes, once there is one."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (found := await asyncio.to_thread(pids, world)):
        assert time.monotonic() < deadline, "no process that could be killed was started"
        await asyncio.sleep(0.1)
    return world.dice.choice(found)


def killing(pids: Pids) -> Break:
    async def kill(world: World) -> int:
        return int(send(await one_of(world, pids), signal.SIGKILL))

    return kill


def stopping(pids: Pids, longest: float) -> Break:
    """SIGSTOP, and SIGCONT after a while."""

    async def stop(world: World) -> int:
        pid = await one_of(world, pids)
        is_stopped = send(pid, signal.SIGSTOP)
        await asyncio.sleep(world.some_time(0.1, longest))
        send(pid, signal.SIGCONT)
        return int(is_stopped)

    return stop


kill_server = killing(lambda world: world.product.web())


async def kill_the_manager(world: World) -> int:
    """Everything ends with it; then somebody starts the product again."""
    all_before = world.product.everything()
    world.product.manager.kill()
    world.product.manager.wait()
    left = all_before
    for _ in range(100):
        left = [pid for pid in all_before if runs(pid)]
        if not left:
            break
        await asyncio.sleep(0.1)
    else:
        raise AssertionError(f"left behind: {left}")
    world.product.start()
    return 1


async def jump_the_clock(world: World) -> int:
    """The machine's clock is wrong by up to two hours when the server starts again."""
    ahead = world.some_time(-7200, 7200)
    (world.product.installation.folder / "clock").write_text(str(ahead))
    return await kill_server(world)


def service(name: str, how: Literal["kill", "stop"], longest: float) -> Break:
    """A database or broker that is gone or stopped for a while."""

    async def be_away(world: World) -> int:
        server = world.services[name]
        if how == "kill":
            await asyncio.to_thread(server.kill)
            await asyncio.sleep(world.some_time(0, longest))
            await asyncio.to_thread(server.start)
        else:
            server.signal(signal.SIGSTOP)
            await asyncio.sleep(world.some_time(0.1, longest))
            server.signal(signal.SIGCONT)
        return 1

    return be_away
