"""Faults of the network between browser and server, by `tools.faults.proxy`."""

import asyncio

from tools.faults.processes import Break, kill_server
from tools.faults.proxy import Mischief, Proxy
from tools.faults.world import World


def a_network_that(mischief: Mischief, least: float = 1.0, longest: float = 4.0) -> Break:
    """People play through a proxy for a while; then it is well again. Counts the messages it changed."""

    async def be_bad(world: World) -> int:
        proxy = await _proxy(world)
        proxy.mischief = mischief
        await asyncio.sleep(world.some_time(least, longest))
        proxy.mischief = Mischief()
        return 1

    return be_bad


async def cut_off_for_a_minute(world: World) -> int:
    """Nobody reaches the server: connections are cut, and new ones are refused, for a minute."""
    proxy = await _proxy(world)
    proxy.mischief = Mischief(is_gone=True)
    await proxy.cut_all()
    await asyncio.sleep(5)
    before = world.acknowledged
    await asyncio.sleep(55)
    assert world.acknowledged == before, "somebody was given a turn without a network"
    proxy.mischief = Mischief()
    return 1


async def _proxy(world: World) -> Proxy:
    """The network that everybody is on from now on."""
    if world.proxy is None:
        world.proxy = Proxy(world.product.port, world.dice)
        await world.proxy.start()
        for person in world.people:
            person.port = world.proxy.port
        await kill_server(world)  # so that everybody connects again, which is no fault of the network
        await world.until_all_play()
    return world.proxy
