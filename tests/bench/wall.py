"""Measures what the wall costs a serving process: 1,000 stations at one action a second, three viewers.

A real Daphne serves real viewers, who have a screenful of boards in view each and confirm every update. The
turns are reported as the participants' sockets report them (`wall_server`), without the engine, the journal
and those sockets, which the wall does not change. Rounds with and without viewers take turns, so that the
difference of processor time is the wall's. With REDIS_URL the channel layer is Redis.
"""

import asyncio
import json
import os
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import mean
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.bench.wall_server import STATIONS
from tests.databases import make_template
from tests.live.server import Server
from tests.live.visitor import Visitor
from tests.live.wall_viewer import WallViewer

VIEWERS = 3
IN_VIEW = 34
SECONDS = 10.0
WARM_UP_SECONDS = 4.0
UNWATCHED_SECONDS = 8.0
"""After so long without viewers nothing of the wall runs any more."""
ROUNDS = 3


class Timed(WallViewer):
    """A viewer that notes how long after each turn in view it was told, in milliseconds."""

    delays: list[float]

    async def hear(self) -> dict[str, Any]:
        known = {key: tile.get("acted_at") for key, tile in self.tiles.items()}
        message = await super().hear()
        heard_at = time.time() * 1000
        if message["type"] == "news":
            for key, tile in self.tiles.items():
                if tile.get("acted_at") and key in known and known[key] != tile["acted_at"]:
                    self.delays.append(heard_at - tile["acted_at"])
        return message


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Server(folder / "server", make_template(folder), ENGINE_HOSTS="0")
        try:
            server.seed(pool=["wk01"])
            port = server.start("tests.bench.wall_server")
            rounds = asyncio.run(_measure(port, server.staff(port, "proctor")))
        finally:
            server.stop()
    layer = "Redis" if os.environ.get("REDIS_URL") else "in memory"
    print(
        f"{STATIONS} stations, 1 action/s each; {VIEWERS} viewers with {IN_VIEW} boards in view each; ",
        end="",
    )
    print(f"channel layer: {layer}. Processor time in % of a core, delays in ms\n")
    print("| round | without viewers | with viewers | the wall | updates/s a viewer | KB/s | p50 | p99 |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for number, row in enumerate(rounds, start=1):
        print(f"| {number} | " + " | ".join(row) + " |")
    print()


async def _measure(port: int, staff: Visitor) -> list[list[str]]:
    rows = []
    address = f"ws://127.0.0.1:{port}/ws/bench/"
    async with connect(address, origin=f"http://127.0.0.1:{port}", ping_interval=None) as control:  # type: ignore[arg-type]
        for _ in range(ROUNDS):
            await _play(control, 1.0)
            without = await _play(control, SECONDS)
            rows.append([f"{without:.1f}", *await _watched(control, port, staff, without)])
            await asyncio.sleep(UNWATCHED_SECONDS)
    return rows


async def _watched(control: ClientConnection, port: int, staff: Visitor, without: float) -> list[str]:
    async with AsyncExitStack() as stack:
        viewers = [await stack.enter_async_context(Timed(port, staff)) for _ in range(VIEWERS)]
        hearing = []
        for index, viewer in enumerate(viewers):
            viewer.delays = []
            viewer.sees = ()
            while len(viewer.tiles) < STATIONS:
                await viewer.hear()
            sessions = sorted(tile["session"] for tile in viewer.tiles.values())
            viewer.sees = sessions[index * IN_VIEW : (index + 1) * IN_VIEW]
            hearing.append(asyncio.ensure_future(_hear(viewer)))
        await _play(control, WARM_UP_SECONDS)
        for viewer in viewers:
            viewer.delays.clear()
        started, heard = time.monotonic(), [(len(one.kinds), one.bytes_heard) for one in viewers]
        used = await _play(control, SECONDS)
        lasted = time.monotonic() - started
        for task in hearing:
            task.cancel()
    delays = sorted(delay for viewer in viewers for delay in viewer.delays)
    updates = mean(len(one.kinds) - kinds for one, (kinds, _) in zip(viewers, heard, strict=True)) / lasted
    size = mean(one.bytes_heard - size for one, (_, size) in zip(viewers, heard, strict=True)) / lasted
    return [
        f"{used:.1f}",
        f"{used - without:.1f}",
        f"{updates:.2f}",
        f"{size / 1000:.0f}",
        f"{delays[len(delays) // 2]:.0f}",
        f"{delays[int(len(delays) * 0.99)]:.0f}",
    ]


async def _hear(viewer: WallViewer) -> None:
    while True:
        await viewer.hear()


async def _play(control: ClientConnection, seconds: float) -> float:
    """Let everybody play for so long; the server's processor time, in percent of a core."""
    await control.send(json.dumps(seconds))
    return float(json.loads(await control.recv()))
