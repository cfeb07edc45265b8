"""Measures agents over the REST API: the official local server and ours, in turns, on the same machine.

The same clients, environments and actions: each client plays random available actions, seeded, over one
connection that it keeps. Ours stores every action durably before it answers; the official one stores nothing.
Clients and server share the processors, so the processor time of an action is told for each of them.
"""

import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from json import dumps, loads
from multiprocessing.synchronize import Barrier
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from playtest.rehearsal.soak.memory import descendants
from tests.bench.processes import group_seconds
from tests.databases import make_template
from tests.live.arena import make_games, new_key, official_server
from tests.live.server import Server

ENVIRONMENTS = ("ke52", "tb46", "tz85")
CLIENTS = (1, 16)
SECONDS = 6.0
ROUNDS = 3


class Round(NamedTuple):
    """Actions a second, milliseconds at two percentiles, and processor time an action in milliseconds."""

    rate: float
    half: float
    nearly_all: float
    server: float
    client: float


class Client:
    """Plays one environment at random for as long as it is asked to; the milliseconds of each action."""

    def __init__(self, port: int, key: str, number: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self._key = key
        self._random = Random(number)
        self._code = ENVIRONMENTS[number % len(ENVIRONMENTS)]
        game = next(one for one in self._ask("GET", "/api/games") if one["game_id"].startswith(self._code))
        self._game = game["game_id"]
        card = self._ask("POST", "/api/scorecard/open", {"tags": ["bench"]})["card_id"]
        self._turn = self._ask("POST", "/api/cmd/RESET", {"card_id": card, "game_id": self._game})
        self._card = card

    def play(self, seconds: float) -> list[float]:
        found, ends = [], time.perf_counter() + seconds
        while (started := time.perf_counter()) < ends:
            self._act()
            found.append((time.perf_counter() - started) * 1000)
        return found

    def _act(self) -> None:
        body: dict[str, Any] = {"game_id": self._game, "guid": self._turn["guid"]}
        if self._turn["state"] != "NOT_FINISHED":
            self._turn = self._ask("POST", "/api/cmd/RESET", body | {"card_id": self._card})
            return
        action = self._random.choice(self._turn["available_actions"])
        if action == 6:
            body |= {"x": self._random.randrange(64), "y": self._random.randrange(64)}
        self._turn = self._ask("POST", f"/api/cmd/ACTION{action}", body)

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"X-API-Key": self._key, "Content-Type": "application/json"}
        self._connection.request(method, path, None if body is None else dumps(body), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        assert answer.status == 200, text
        return loads(text)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        games = make_games(folder / "games", ENVIRONMENTS)
        with ours(folder, games) as mine, official_server(games, folder) as theirs:
            servers = {"official": (theirs, "bench", _official_process()), "ours": mine}
            found: dict[tuple[str, int], list[Round]] = {}
            for _ in range(ROUNDS):
                for count in CLIENTS:
                    for server, (port, key, process) in servers.items():
                        found.setdefault((server, count), []).append(round_of(port, key, count, process))
    print("| server | clients | actions/s, each round | slowest p50, p99 ms | server's, client's ms each |")
    print("| --- | --- | --- | --- | --- |")
    for (server, count), rounds in found.items():
        rates = ", ".join(f"{one.rate:.0f}" for one in rounds)
        delays = f"{max(one.half for one in rounds):.1f}, {max(one.nearly_all for one in rounds):.1f}"
        costs = f"{min(one.server for one in rounds):.2f}, {min(one.client for one in rounds):.2f}"
        print(f"| {server} | {count} | {rates} | {delays} | {costs} |")
    for count in CLIENTS:
        pairs = zip(found["ours", count], found["official", count], strict=True)
        ratios = [(mine.rate / theirs.rate, theirs.server / mine.server) for mine, theirs in pairs]
        rates, costs = (", ".join(f"{ratio[at]:.2f}" for ratio in ratios) for at in (0, 1))
        print(f"\n{count} clients: {rates} x the official server's actions/s, {costs} x less computing each")


@contextmanager
def ours(folder: Path, games: Path) -> Iterator[tuple[int, str, int]]:
    """Our server with these environments as the public set; its port, a key and its process."""
    server = Server(folder / "server", make_template(folder))
    try:
        server.seed(sets=dict.fromkeys(ENVIRONMENTS, "public"), games=str(games))
        port = server.start()
        yield port, new_key(server), server.processes[port].pid
    finally:
        server.stop()


def round_of(port: int, key: str, count: int, process: int) -> Round:
    """One round of `count` clients in processes of their own, against the server of this process."""
    context = multiprocessing.get_context("fork")
    all_have_begun = context.Barrier(count + 1)
    with context.Pool(count, _remember, (all_have_begun,)) as pool:
        started = pool.map_async(_play, [(port, key, number) for number in range(count)], chunksize=1)
        all_have_begun.wait(120)
        before = group_seconds(process)
        rows = started.get(120)
    every = sorted(took for row, _ in rows for took in row)
    served, asked = group_seconds(process) - before, sum(seconds for _, seconds in rows)
    costs = (1000 * seconds / len(every) for seconds in (served, asked))
    return Round(len(every) / SECONDS, every[len(every) // 2], every[int(len(every) * 0.99)], *costs)


_all_have_begun: Barrier


def _remember(barrier: Barrier) -> None:
    global _all_have_begun
    _all_have_begun = barrier


def _play(task: tuple[int, str, int]) -> tuple[list[float], float]:
    """The milliseconds of each action, and the seconds that the client computed for them."""
    client = Client(*task)
    _all_have_begun.wait(120)
    before = resource.getrusage(resource.RUSAGE_SELF)
    found = client.play(SECONDS)
    after = resource.getrusage(resource.RUSAGE_SELF)
    return found, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _official_process() -> int:
    """The process of the official server, which this one has started."""
    return next(
        process
        for process in descendants(os.getpid())
        if b"tests.live.official_server" in Path(f"/proc/{process}/cmdline").read_bytes()
    )
