"""Measures agents over the REST API: the official local server and ours, in turns, on the same machine.

The same clients, environments and actions: each client plays random available actions, seeded, over one
connection that it keeps. Ours stores every action durably before it answers; the official one stores nothing.
"""

import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from json import dumps, loads
from pathlib import Path
from random import Random
from typing import Any

from tests.live.arena import make_games, new_key, official_server
from tests.live.server import Server, make_template

ENVIRONMENTS = ("mb62", "tz85", "vq37")
CLIENTS = (1, 16)
SECONDS = 6.0
ROUNDS = 3


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
            servers = {"official": (theirs, "bench"), "ours": mine}
            found: dict[tuple[str, int], list[tuple[float, float, float]]] = {}
            for _ in range(ROUNDS):
                for count in CLIENTS:
                    for server, (port, key) in servers.items():
                        found.setdefault((server, count), []).append(round_of(port, key, count))
    print("| server | clients | actions/s, each round | p50 ms, slowest round | p99 ms, slowest round |")
    print("| --- | --- | --- | --- | --- |")
    for (server, count), rounds in found.items():
        rates = ", ".join(f"{rate:.0f}" for rate, _, _ in rounds)
        halves, nearly_all = (max(row[at] for row in rounds) for at in (1, 2))
        print(f"| {server} | {count} | {rates} | {halves:.1f} | {nearly_all:.1f} |")
    for count in CLIENTS:
        pairs = zip(found["ours", count], found["official", count], strict=True)
        ratios = ", ".join(f"{mine[0] / theirs[0]:.2f}" for mine, theirs in pairs)
        print(f"\n{count} clients: {ratios} x the official server's actions/s")


@contextmanager
def ours(folder: Path, games: Path) -> Iterator[tuple[int, str]]:
    """Our server with these environments as the public set; its port and a key."""
    server = Server(folder / "server", make_template(folder))
    try:
        server.seed(sets=dict.fromkeys(ENVIRONMENTS, "public"), games=str(games))
        yield server.start(), new_key(server)
    finally:
        server.stop()


def round_of(port: int, key: str, count: int) -> tuple[float, float, float]:
    """Actions a second, and p50 and p99 in milliseconds, of `count` clients in processes of their own."""
    context = multiprocessing.get_context("fork")
    with context.Pool(count) as pool:
        started = pool.map_async(_play, [(port, key, number) for number in range(count)], chunksize=1)
        rows = started.get(120)
    every = sorted(took for row in rows for took in row)
    return len(every) / SECONDS, every[len(every) // 2], every[int(len(every) * 0.99)]


def _play(task: tuple[int, str, int]) -> list[float]:
    return Client(*task).play(SECONDS)
