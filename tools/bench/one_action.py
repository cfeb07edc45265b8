"""Measures one action from a station's socket to its answer, beside a bare echo server.

34 connections send 2 actions a second each, on the shipped environments, along their winning recordings.
Echo and product take turns in the same run, so that both see the same machine.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from engine.play.actions import Action
from engine.play.frames import encode
from engine.play.game import Game
from engine.play.source import load
from tests.databases import make_template
from tests.live.server import ROOT, Server, free_port
from tests.live.station import Station, action_message
from tools.games import GAMES, shipped, winning_actions

STATIONS = 34
ACTIONS_A_SECOND = 2.0
SECONDS_A_ROUND = 10
ROUNDS = 2


@dataclass
class Measured:
    """Milliseconds from sending to having the answer, and bytes of the answers."""

    milliseconds: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def at(self, percent: float) -> float:
        return percentile(sorted(self.milliseconds), percent)


def percentile(rising: Sequence[float], percent: float) -> float:
    """A percentile of numbers, the smallest first; not a number without any."""
    return rising[min(len(rising) - 1, int(len(rising) * percent / 100))] if rising else float("nan")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        echo, product = asyncio.run(_measure(Path(folder)))
    step = _steps()
    print("| | actions | p50 ms | p99 ms | bytes p50 | bytes mean |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, found in (
        ("bare Daphne echo", echo),
        ("environment's own step", step),
        ("one action", product),
    ):
        sizes = sorted(found.sizes) or [0]
        print(
            f"| {name} | {len(found.milliseconds)} | {found.at(50):.2f} | {found.at(99):.2f} "
            f"| {sizes[len(sizes) // 2]} | {sum(sizes) / len(sizes):.0f} |"
        )
    for percent in (50, 99):
        bound = echo.at(percent) + step.at(percent)
        print(f"\np{percent}: {product.at(percent) / bound:.2f} x (echo + step)", end="")
    print("\n")


async def _measure(folder: Path) -> tuple[Measured, Measured]:
    server = Server(folder / "server", make_template(folder), ENGINE_HOSTS="0")
    port = server.start()
    echo_port = free_port()
    echo_server = start_echo(echo_port)
    echo, product = Measured(), Measured()
    try:
        stations = await _enter(server, port)
        sockets = await connect_to_echo(echo_port, STATIONS)
        for _ in range(ROUNDS):
            await _round(sockets, lambda socket: _echo(socket, echo))
            await _round(stations, lambda player: player.act(product))
    finally:
        echo_server.terminate()
        server.stop()
    return echo, product


def start_echo(port: int) -> subprocess.Popen[bytes]:
    """A bare Daphne that echoes, on a port."""
    command = [sys.executable, "-m", "daphne", "-p", str(port), "-v", "0", "tools.bench.echo:application"]
    return subprocess.Popen(command, cwd=ROOT)


class Player:
    """A station that plays its environment's winning recording."""

    def __init__(self, station: Station, actions: list[Action]) -> None:
        self.station = station
        self._actions = iter(actions)

    async def act(self, measured: Measured) -> None:
        action = next(self._actions)
        started = time.perf_counter()
        turn = await self.station.act(action.id, action.x or 0, action.y or 0)
        measured.milliseconds.append((time.perf_counter() - started) * 1000)
        measured.sizes.append(turn.size)


async def _enter(server: Server, port: int) -> list[Player]:
    players = []
    names = [path.name for path in shipped()]
    for i, name in enumerate(names):
        people = len(range(i, STATIONS, len(names)))
        study = {"people": people}
        seated = server.seed(games=str(GAMES), pool=[name], people=people, stage="playing", study=study)
        for person in seated["people"]:
            station = await Station(port, person["seat"]).__aenter__()
            await station.begin()
            players.append(Player(station, winning_actions(GAMES / name)))
    return players


async def connect_to_echo(port: int, count: int) -> list[ClientConnection]:
    """Connections to an echo server that has just been started."""
    for _ in range(100):
        try:
            return [await connect(f"ws://127.0.0.1:{port}/", compression=None) for _ in range(count)]
        except OSError:
            await asyncio.sleep(0.1)
    raise AssertionError("the echo server did not start")


async def _echo(socket: ClientConnection, measured: Measured) -> None:
    started = time.perf_counter()
    await socket.send(action_message(1, sequence=1, attempt=1))
    answer = await socket.recv()
    measured.milliseconds.append((time.perf_counter() - started) * 1000)
    measured.sizes.append(len(answer))


async def _round[T](clients: Sequence[T], act: Callable[[T], Awaitable[None]]) -> None:
    """Every client acts at its own steady pace, all of them spread evenly over the interval."""

    async def play(i: int, client: T) -> None:
        interval = 1 / ACTIONS_A_SECOND
        started = time.perf_counter() + interval * i / len(clients)
        for turn in range(int(SECONDS_A_ROUND * ACTIONS_A_SECOND)):
            await asyncio.sleep(max(0.0, started + turn * interval - time.perf_counter()))
            await act(client)

    await asyncio.gather(*(play(i, client) for i, client in enumerate(clients)))


def _steps() -> Measured:
    """The same actions without any server: act and encode in this process."""
    measured = Measured()
    for environment in shipped():
        game, turn = Game.start(load(environment), seed=1)
        frame = turn.frames[-1]
        for action in winning_actions(environment)[: int(ROUNDS * SECONDS_A_ROUND * ACTIONS_A_SECOND)]:
            started = time.perf_counter()
            turn = game.act(action)
            payload = encode(turn.frames, frame, level_changed=turn.level_completed)
            measured.milliseconds.append((time.perf_counter() - started) * 1000)
            measured.sizes.append(len(payload))
            frame = turn.frames[-1]
    return measured
