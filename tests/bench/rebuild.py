"""Measures what the rebuild of a long attempt costs those who play on the same host.

`NEIGHBOURS` (8) people act 1.5 times a second on the heaviest environment of the folder `GAMES` (games/), or
on `GAME`, all of them on one host. `ROUNDS` (4) times somebody comes back whose attempt of `ACTIONS` (1,500)
actions is not in memory, as after a restart or once it was let go; before and after each rebuild is a time
without. A neighbour's milliseconds count from when the action was due.
"""

import asyncio
import json
import os
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from engine import source as sources
from engine.actions import CLICK, RESET
from engine.errors import SourceError
from engine.game import Game
from playtest.rehearsal.soak.memory import descendants
from tests.bench import journals
from tests.bench.processes import processor_seconds
from tests.bench.servers import as_installed
from tests.databases import make_template
from tests.live.server import ROOT, Server
from tests.live.station import Station, Turn

GAMES = Path(os.environ.get("GAMES", ROOT / "games"))
ACTIONS_A_SECOND = 1.5
QUIET_SECONDS = 6.0
_ACTIONS_BEFORE = 10
_ACTIONS_TRIED = 200
_GAME_OVER = 2


@dataclass
class Measured:
    """Neighbours' answers as (due, answered), the rebuilds as (began, ended), all by one clock in seconds.

    `web`, `hosts`: seconds of processor time that each rebuild's time took there, neighbours included.
    """

    answers: list[tuple[float, float]] = field(default_factory=list)
    rebuilds: list[tuple[float, float]] = field(default_factory=list)
    web: list[float] = field(default_factory=list)
    hosts: list[float] = field(default_factory=list)

    def milliseconds(self, *, during: bool) -> list[float]:
        """Sorted, of the actions that were due during a rebuild, or of the others."""
        return sorted(
            1000 * (answered - due)
            for due, answered in self.answers
            if any(began <= due <= ended for began, ended in self.rebuilds) == during
        )


def main() -> None:
    neighbours, rounds = int(os.environ.get("NEIGHBOURS", "8")), int(os.environ.get("ROUNDS", "4"))
    actions = int(os.environ.get("ACTIONS", "1500"))
    name, seconds = heaviest(GAMES, os.environ.get("GAME"))
    print(f"{rounds} rebuilds of {actions:,} actions of {name}, {1000 * seconds:.1f} ms each", end="")
    print(f", beside {neighbours} people\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        server = as_installed(Path(folder) / "server", make_template(Path(folder)))
        server.environment["ENGINE_HOSTS"] = "1"
        try:
            playing = _seats(server, name, neighbours, _ACTIONS_BEFORE)
            returning = _seats(server, name, rounds, actions)
            port = server.start()
            found = asyncio.run(_measure(port, server.processes[port].pid, playing, returning))
        finally:
            server.stop()
    _print(found)


def heaviest(folder: Path, wanted: str | None) -> tuple[str, float]:
    """The environment whose actions take longest, or the one wanted, and the mean of one in seconds."""
    found = [one for one in sources.find(folder) if not isinstance(one, SourceError)]
    means = {
        one.environment_id: _mean_seconds(one, _ACTIONS_TRIED)
        for one in found
        if wanted in (None, one.environment_id)
    }
    return max(means.items(), key=lambda item: item[1])


def _mean_seconds(source: sources.Source, actions: int) -> float:
    acts = journals.acts(source, actions)
    game, _ = Game.start(source, journals.SEED)
    began = time.process_time()
    for act in acts:
        game.act(act)
    return (time.process_time() - began) / len(acts)


def _seats(server: Server, name: str, people: int, actions: int) -> list[str]:
    made = server.run("-m", "tests.bench.journals", str(GAMES / name), str(people), str(actions))
    seats: list[str] = json.loads(made)
    return seats


async def _measure(port: int, process: int, playing: list[str], returning: list[str]) -> Measured:
    found = Measured()
    stations = [await Station(port, seat).__aenter__() for seat in playing]
    turns = [await station.begin() for station in stations]
    over = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for at, (station, turn) in enumerate(zip(stations, turns, strict=True)):
            group.create_task(_play(station, turn, at / len(stations), over, found))
        for seat in returning:
            await asyncio.sleep(QUIET_SECONDS)
            await _come_back(port, seat, process, found)
        await asyncio.sleep(QUIET_SECONDS)
        over.set()
    for station in stations:
        await station.socket.close()
    return found


async def _play(station: Station, turn: Turn, share: float, over: asyncio.Event, found: Measured) -> None:
    """Acts at random at fixed times until it is over, the first time after a `share` of the pause."""
    draws = random.Random(station.seat)
    due = time.monotonic() + share / ACTIONS_A_SECOND
    while not over.is_set():
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        offered = [action for action in range(1, 8) if turn.available >> action & 1]
        action = draws.choice(offered) if offered and turn.state != _GAME_OVER else RESET
        x, y = (draws.randrange(64), draws.randrange(64)) if action == CLICK else (0, 0)
        turn = await station.act(action, x, y)
        found.answers.append((due, time.monotonic()))
        due += 1 / ACTIONS_A_SECOND


async def _come_back(port: int, seat: str, process: int, found: Measured) -> None:
    """Connects, and waits for the frame to continue from however long that takes."""
    web, hosts = _seconds(process)
    began = time.monotonic()
    async with Station(port, seat) as station:
        while not isinstance(await station.socket.recv(), bytes):
            pass
        found.rebuilds.append((began, time.monotonic()))
    found.web.append(_seconds(process)[0] - web)
    found.hosts.append(_seconds(process)[1] - hosts)


def _seconds(process: int) -> tuple[float, float]:
    """Processor time of the web process, and of what it has started."""
    return processor_seconds(process), sum(map(processor_seconds, descendants(process)))


def _print(found: Measured) -> None:
    print("| neighbours | actions | p50 ms | p90 ms | p99 ms | max ms |\n|" + " --- |" * 6)
    for name, during in (("without a rebuild", False), ("during one", True)):
        times = found.milliseconds(during=during)
        cells = (times[min(len(times) - 1, len(times) * percent // 100)] for percent in (50, 90, 99, 100))
        print(f"| {name} | {len(times)} | {' | '.join(f'{cell:.1f}' for cell in cells)} |")
    taken = ", ".join(f"{ended - began:.1f}" for began, ended in found.rebuilds)
    web, hosts = (sum(one) / len(one) for one in (found.web, found.hosts))
    print(f"\nrebuilds: {taken} s; meanwhile {web:.1f} s of processor time in the web process", end="")
    print(f" and {hosts:.1f} s in hosts, on average\n")


if __name__ == "__main__":
    main()
