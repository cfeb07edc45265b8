"""When a serving process collects cyclic garbage, during which nobody is answered.

With a thousand people a collection of all objects takes 175 ms. So what is alive is frozen a little at a
time, while people come, and a collection walks through what is new since. All objects are collected when the
process computes nothing, or when it has grown by much.
"""

import asyncio
import gc
import time

from engine.confine.garbage import GarbageCollection

MOST_UNFROZEN = 15_000
"""Surviving objects: to walk through so many takes 5 to 8 ms."""
LARGE_BYTES = 512 * 1024 * 1024
"""Of growth, after which everything is collected although people wait."""
SMALL_BYTES = 8 * 1024 * 1024
"""Of growth, after which everything is collected when nobody does."""
TICK_SECONDS = 0.5
IDLE_SHARE = 0.02
"""Of a processor in the last tick, below which the process waits for people."""


async def collect_between_actions() -> None:
    """Keeps collections short, as long as the process serves."""
    collection = GarbageCollection(MOST_UNFROZEN, LARGE_BYTES)
    collection.begin()
    gc.enable()
    computed = time.process_time()
    while True:
        await asyncio.sleep(TICK_SECONDS)
        before, computed = computed, time.process_time()
        collection.after_request()
        if computed - before < IDLE_SHARE * TICK_SECONDS and collection.grown_bytes > SMALL_BYTES:
            collection.collect_all()
