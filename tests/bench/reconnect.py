"""Measures what a restart costs: everybody reconnects at once, and every environment is rebuilt.

`PEOPLE` (1,000) people in the middle of attempts of `ACTIONS` (100) actions on the environments of the folder
`GAMES` (games/). `REUSE` names a folder where the prepared database stays for the next run.
"""

import asyncio
import contextlib
import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from websockets.exceptions import WebSocketException

from playtest.rehearsal.soak.memory import descendants, megabytes
from tests.bench.processes import processor_seconds
from tests.bench.servers import as_installed
from tests.databases import make_template
from tests.live.server import ROOT, Server
from tests.live.station import Station

ACTIONS = int(os.environ.get("ACTIONS", "100"))
GAMES = Path(os.environ.get("GAMES", ROOT / "games"))
_FIRST_DELAY, _LONGEST_DELAY = 0.25, 4.0  # seconds, as in the page


@dataclass(frozen=True)
class Usage:
    """Seconds of a processor and MB so far: of the web process, and of its hosts."""

    web_seconds: float
    hosts_seconds: float
    web_memory: float
    hosts_memory: float

    @classmethod
    def of(cls, process: int) -> Self:
        hosts = list(descendants(process))
        return cls(
            processor_seconds(process),
            sum(map(processor_seconds, hosts)),
            megabytes(process),
            sum(map(megabytes, hosts)),
        )


def main() -> None:
    people = int(os.environ.get("PEOPLE", "1000"))
    with _made(people, ACTIONS) as (server, seats):
        port = server.start()
        process = server.processes[port].pid
        before = Usage.of(process)
        seconds, after = asyncio.run(_reconnect(port, seats, process))
    print(f"{people} people reconnect, {ACTIONS} actions each, {GAMES.name}: {_percentiles(seconds)}")
    web, hosts = after.web_seconds - before.web_seconds, after.hosts_seconds - before.hosts_seconds
    print(f"processor time a person: web {1000 * web / people:.0f} ms, hosts {1000 * hosts / people:.0f} ms")
    web, hosts = after.web_memory - before.web_memory, after.hosts_memory - before.hosts_memory
    print(f"memory a person: web {web / people:.2f} MB, hosts {hosts / people:.2f} MB")


@contextlib.contextmanager
def _made(people: int, actions: int) -> Iterator[tuple[Server, list[str]]]:
    """A server that does not run yet, and the seats of people who play."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(os.environ.get("REUSE", made))
        database, ready = folder / "database", folder / f"seats-{people}-{actions}.json"
        if not ready.exists():
            folder.mkdir(parents=True, exist_ok=True)
            maker = Server(folder / "maker", make_template(folder))
            ready.write_text(maker.run("-m", "tests.bench.journals", str(GAMES), str(people), str(actions)))
            Path(maker.database).rename(database)
        server = as_installed(Path(made) / "server", database)
        try:
            yield server, json.loads(ready.read_text())
        finally:
            server.stop()


async def _reconnect(port: int, seats: list[str], process: int) -> tuple[list[float], Usage]:
    """Seconds from the start until each person sees the turn to go on from; the usage while all are there."""
    began = time.perf_counter()

    async def come_back(seat: str) -> tuple[Station, float]:
        delay = _FIRST_DELAY
        while True:
            try:
                station = await Station(port, seat).__aenter__()
                while not isinstance(await station.socket.recv(), bytes):  # however long that takes
                    pass
            except (OSError, WebSocketException):  # silent connections give way: the page tries again, too
                await asyncio.sleep(delay * random.uniform(0.5, 1.0))
                delay = min(2 * delay, _LONGEST_DELAY)
            else:
                return station, time.perf_counter() - began

    came = await asyncio.gather(*(come_back(seat) for seat in seats))
    usage = Usage.of(process)
    await asyncio.gather(*(station.socket.close() for station, _ in came))
    return sorted(seconds for _, seconds in came), usage


def _percentiles(seconds: list[float]) -> str:
    middle = seconds[len(seconds) // 2]
    return f"first {seconds[0]:.2f} s, p50 {middle:.1f} s, last {seconds[-1]:.1f} s"
