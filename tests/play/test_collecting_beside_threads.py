"""The web process collects garbage while its threads compute, and none of them notices."""

import subprocess
import sys

_TOGETHER = """
import asyncio, gc, sys
from concurrent.futures import ThreadPoolExecutor
from playtest.serve import web

web.TICK_SECONDS = 0
sys.setswitchinterval(web._SWITCH_SECONDS)

def make_tuples():
    for _ in range(40_000):
        assert len(tuple([number] for number in range(200))) == 200

async def together():
    collecting = asyncio.create_task(web.collect_between_actions())
    await asyncio.sleep(0)
    kept = [[number] for number in range(12_000)]  # what people brought since
    with ThreadPoolExecutor(2) as threads:
        loop = asyncio.get_running_loop()
        made = asyncio.gather(*(loop.run_in_executor(threads, make_tuples) for _ in range(2)))
        while not made.done():
            gc.collect()
            await asyncio.sleep(0)
        await made
    assert not collecting.done()
    collecting.cancel()

asyncio.run(together())
"""


def test_a_tuple_that_a_thread_is_making_is_not_spoiled() -> None:
    done = subprocess.run([sys.executable, "-c", _TOGETHER], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
