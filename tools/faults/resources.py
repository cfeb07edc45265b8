"""Faults of what the processes need: the database, the disk, Redis."""

import asyncio
import sqlite3
import time
from contextlib import closing

from tests.live.visitor import Visitor
from tools.faults.processes import kill_server
from tools.faults.world import World


async def lock_the_database(world: World) -> int:
    """Another program holds SQLite's write lock, for longer than the server waits for it at times."""
    seconds = world.some_time(1, 25)
    with closing(sqlite3.connect(world.product.installation.database, isolation_level=None)) as connection:
        connection.execute("PRAGMA busy_timeout = 20000")
        connection.execute("BEGIN IMMEDIATE")
        await asyncio.sleep(seconds)
        connection.execute("ROLLBACK")
    return 1


async def fill_the_disk(world: World) -> int:
    """Only in a folder that is a small file system of its own."""
    if not world.folder.parent.is_mount():
        return 0
    filler = world.folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (64 * 1024, 512):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass
    await asyncio.sleep(world.some_time(1, 12))
    filler.unlink()
    return 1


async def redis_for_a_minute(world: World) -> int:
    """Everybody goes on playing, and somebody checks in, while Redis is gone, for a minute at least."""
    server = world.services["redis"]
    began = time.monotonic()
    await asyncio.to_thread(server.kill)
    try:
        await asyncio.sleep(5)
        await world.until_all_play()
        await asyncio.sleep(45)
        await kill_server(world)  # everybody connects again
        await world.until_all_play()
        new = await world.seed(pool=["wk01"], stage="new")
        visitor = Visitor(world.product.port)
        await asyncio.to_thread(visitor.get, "/")
        answer = await asyncio.to_thread(visitor.post, "/", code=new["people"][0]["code"])
        assert "I agree" in answer.text, f"nobody can check in: {answer.status}"
        await asyncio.sleep(60 - (time.monotonic() - began))
    finally:
        await asyncio.to_thread(server.start)
    return 1
