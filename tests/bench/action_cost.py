"""Measures the processor time of one action: in the serving process, and in its engine hosts.

34 connections play at random on the environments of `games/` (`GAMES=folder` for others), 1.5 actions a
second each, and a bare echo server answers the same messages.
"""

import asyncio
import os
import struct
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol

from websockets.asyncio.client import ClientConnection

from playtest.rehearsal.soak.memory import descendants
from tests.bench.one_action import GAMES, connect_to_echo, start_echo
from tests.bench.processes import processor_seconds
from tests.databases import make_template
from tests.live.server import Server, free_port
from tests.live.station import Station, Turn, action_message

STATIONS = 34
ACTIONS_A_SECOND = 1.5
SECONDS = float(os.environ.get("SECONDS", "20"))
_FACTS = struct.Struct("<BBHIBBBBH")
_CLICK = 6


class Client(Protocol):
    """Sends one message and receives its answer."""

    async def act(self) -> None: ...


def _choices(available: int) -> list[int]:
    return [one for one in range(1, 8) if available >> one & 1] or [0]


class Player:
    """A station whose person plays at random, and resets what is over."""

    def __init__(self, station: Station, opening: Turn, number: int) -> None:
        self._socket, self._attempt, self._sequence = station.socket, station.attempt, station.sequence
        self._random = Random(number)
        self._choices = _choices(opening.available)
        self._over = False

    async def act(self) -> None:
        action = 0 if self._over else self._random.choice(self._choices)
        x, y = (self._random.randrange(64), self._random.randrange(64)) if action == _CLICK else (0, 0)
        self._sequence += 1
        await self._socket.send(action_message(action, x, y, sequence=self._sequence, attempt=self._attempt))
        while not isinstance(answer := await self._socket.recv(), bytes):
            assert "error" not in answer, answer
        _, _, _, sequence, _, _, state, available, _ = _FACTS.unpack_from(answer)
        assert sequence == self._sequence
        self._over = state != 0
        self._choices = _choices(available)


class Echo:
    """A connection to the echo server."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def act(self) -> None:
        await self._socket.send(action_message(1, sequence=1, attempt=1))
        await self._socket.recv()


@dataclass
class Measured:
    """A round: milliseconds of each action, its length, and the processor time of server and hosts."""

    milliseconds: list[float] = field(default_factory=list)
    seconds: float = 0.0
    server: float = 0.0
    hosts: float = 0.0

    def row(self, name: str) -> str:
        ordered = sorted(self.milliseconds)
        count = len(ordered)
        each = [f"{1000 * part / count:.2f}" for part in (self.server, self.hosts, self.server + self.hosts)]
        delays = [f"{ordered[int(count * part)]:.1f}" for part in (0.5, 0.99)]
        return f"| {name} | {count / self.seconds:,.0f} | {' | '.join(each)} | {' | '.join(delays)} |"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(_measure(Path(folder)))
    print("| | actions/s | server, ms each | hosts, ms each | together | p50 ms | p99 ms |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, row in found.items():
        print(row.row(name))


async def _measure(folder: Path) -> dict[str, Measured]:
    server = Server(folder / "server", make_template(folder), ENGINE_HOSTS="0")
    port = server.start()
    echo_port = free_port()
    echo = start_echo(echo_port)
    try:
        players = await seat_players(server, port)
        sockets = [Echo(socket) for socket in await connect_to_echo(echo_port, STATIONS)]
        serving = server.processes[port].pid
        await measured(players, serving, steadily(2.0))  # what is imported and compiled at first use
        return {
            f"{STATIONS} people, {ACTIONS_A_SECOND} actions/s each": await measured(
                players, serving, steadily(SECONDS)
            ),
            "bare Daphne echo, the same": await measured(sockets, echo.pid, steadily(SECONDS)),
        }
    finally:
        echo.terminate()
        server.stop()


def _games() -> tuple[Path, list[str]]:
    """A folder of environments, and their names."""
    games = Path(os.environ.get("GAMES", GAMES))
    return games, sorted(path.name for path in games.iterdir() if (path / "metadata.json").exists())


async def seat_players(server: Server, port: int) -> list[Player]:
    """A player for each station, before the first action."""
    games, pool = _games()
    seated = []
    for i, name in enumerate(pool):
        people = len(range(i, STATIONS, len(pool)))
        study = {"people": people}
        seated += server.seed(games=str(games), pool=[name], people=people, stage="playing", study=study)[
            "people"
        ]
    players = []
    for number, person in enumerate(seated):
        station = await Station(port, person["seat"]).__aenter__()
        players.append(Player(station, await station.begin(), number))
    return players


type Pace = Callable[[int, int, Client, list[float]], Awaitable[None]]
"""Lets client `number` of `count` act, and adds the milliseconds of each action."""


def steadily(seconds: float) -> Pace:
    """Each client ACTIONS_A_SECOND times a second, all of them spread evenly."""

    async def pace(number: int, count: int, client: Client, found: list[float]) -> None:
        interval = 1 / ACTIONS_A_SECOND
        started = time.perf_counter() + interval * number / count
        for turn in range(int(seconds * ACTIONS_A_SECOND)):
            await asyncio.sleep(max(0.0, started + turn * interval - time.perf_counter()))
            await _timed(client, found)

    return pace


async def _timed(client: Client, found: list[float]) -> None:
    started = time.perf_counter()
    await client.act()
    found.append((time.perf_counter() - started) * 1000)


async def measured(clients: Sequence[Client], serving: int, pace: Pace) -> Measured:
    """A round of these clients against the server of process `serving`."""
    found = Measured()
    hosts = list(descendants(serving))
    before = processor_seconds(serving), sum(map(processor_seconds, hosts))
    started = time.perf_counter()
    await asyncio.gather(
        *(pace(i, len(clients), client, found.milliseconds) for i, client in enumerate(clients))
    )
    found.seconds = time.perf_counter() - started
    found.server = processor_seconds(serving) - before[0]
    found.hosts = sum(map(processor_seconds, hosts)) - before[1]
    return found
