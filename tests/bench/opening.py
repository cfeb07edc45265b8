"""Measures how long an environment takes to open when several people press Next at once.

`PEOPLE` (8) press Next at once, `ROUNDS` (4) times, on the environments of the folder `GAMES` (games/), each
on another as far as there are enough. For each round the server is started again: first come its first
openings, then those of as many other people while the hosts of these environments run.
"""

import asyncio
import os
import tempfile
import time
from pathlib import Path

from tests.bench.processes import group_seconds
from tests.bench.servers import as_installed
from tests.databases import make_template
from tests.live.server import ROOT, Server
from tests.live.station import Station

GAMES = Path(os.environ.get("GAMES", ROOT / "games"))
PAUSE_SECONDS = 2.0
"""Between a page's arrival in the pause and Next: the code of what may follow is compiled meanwhile."""

_ROWS = ("first openings of a process", "while their hosts run")


def main() -> None:
    people, rounds = int(os.environ.get("PEOPLE", "8")), int(os.environ.get("ROUNDS", "4"))
    print(f"{people} people open an environment of {GAMES.name} at once, {rounds} rounds\n")
    print("| | p50 ms | max ms | slowest round's p50 | processor ms each |\n|" + " --- |" * 5, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        server = as_installed(Path(folder) / "server", make_template(Path(folder)))
        server.seed(games=str(GAMES))
        try:
            found = [_round(server, people) for _ in range(rounds)]
        finally:
            server.stop()
    for at, name in enumerate(_ROWS):
        delays = [sorted(one[at][0]) for one in found]
        every = sorted(delay for one in delays for delay in one)
        worst = max(one[len(one) // 2] for one in delays)
        used = sum(one[at][1] for one in found) / len(every)
        cells = (every[len(every) // 2], every[-1], worst, used)
        print(f"| {name} | {' | '.join(f'{1000 * cell:.0f}' for cell in cells)} |")
    print()


def _round(server: Server, people: int) -> list[tuple[list[float], float]]:
    """Of both kinds of opening: the seconds of each person, and processor time of the server's processes."""
    names = sorted(path.name for path in GAMES.iterdir() if (path / "metadata.json").exists())
    seats = [
        person["seat"]
        for at, name in enumerate(names)
        if (count := len(range(at, people, len(names))))
        for person in server.seed(pool=[name], people=2 * count, study={"people": 2 * count + 10})["people"]
    ]
    port = server.start()
    try:
        process = server.processes[port].pid
        return [asyncio.run(_opened(port, part, process)) for part in (seats[::2], seats[1::2])]
    finally:
        server.kill(port)


async def _opened(port: int, seats: list[str], process: int) -> tuple[list[float], float]:
    stations = [await Station(port, seat).__aenter__() for seat in seats]
    for station in stations:
        await station.hear_text("sitting")
    await asyncio.sleep(PAUSE_SECONDS)
    before = group_seconds(process)
    began = time.perf_counter()

    async def press(station: Station) -> float:
        await station.say("next")
        while not isinstance(await station.socket.recv(), bytes):
            pass
        return time.perf_counter() - began

    delays = await asyncio.gather(*map(press, stations))
    used = group_seconds(process) - before
    for station in stations:
        await station.socket.close()
    return delays, used


if __name__ == "__main__":
    main()
