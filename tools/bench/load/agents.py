"""Agents that play at random over the REST API, as fast as they are answered, while people are measured.

`python -m tools.bench.load.agents` reads {"port", "key", "agents"} as JSON from standard input and prints
"ready". After a line all of them begin at once, and it prints the seconds that their RESETs took; after
another they act; after another it prints the actions that were answered meanwhile. It comes behind others:
agents compute elsewhere, and what they compute here must not be missing to the server.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import batched
from pathlib import Path
from random import Random
from typing import Any

from playtest.play.hosts.fork_server import go_behind
from tests.live.arena import new_key
from tests.live.server import Server
from tools.processes import Helper

AGENTS_A_PROCESS = 16


class Agents:
    """So many agents, in processes of their own."""

    def __init__(self, helpers: Sequence[Helper]) -> None:
        self._helpers = helpers

    def open(self) -> list[float]:
        """Lets all of them begin at once; the seconds that their RESETs took, the shortest first."""
        return sorted(second for one in self._told("open") for second in one)

    def act(self) -> None:
        """Lets them act as fast as they are answered, until `end`."""
        for helper in self._helpers:
            helper.write_line("act")

    def end(self) -> int:
        """How many actions were answered."""
        return sum(self._told("enough"))

    def _told(self, line: str) -> list[Any]:
        for helper in self._helpers:
            helper.write_line(line)
        return [json.loads(helper.answer()) for helper in self._helpers]


@contextmanager
def agents(server: Server, games: Path, ports: Sequence[int], count: int) -> Iterator[Agents]:
    """So many agents, which have done nothing yet."""
    codes = [path.name for path in games.iterdir() if (path / "metadata.json").exists()]
    server.seed(sets=dict.fromkeys(codes, "public"), games=str(games))
    key = new_key(server)
    helpers = []
    try:
        for number, some in enumerate(batched(range(count), AGENTS_A_PROCESS)):
            helpers.append(Helper("tools.bench.load.agents"))
            asked = {"port": ports[number % len(ports)], "key": key, "agents": some}
            helpers[-1].write_line(json.dumps(asked))
        for helper in helpers:
            assert helper.answer() == "ready", "agents could not begin: see above"
        yield Agents(helpers)
    finally:
        for helper in helpers:
            helper.kill()


class Agent:
    """Plays one environment; `actions` have been answered since it began."""

    def __init__(self, port: int, key: str, number: int) -> None:
        self.actions = 0
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self._key = key
        self._number = number
        self._random = Random(number)

    def open(self) -> float:
        """Begins its environment; the seconds that RESET took."""
        games = self._ask("GET", "/api/games")
        self._game = games[self._number % len(games)]["game_id"]
        self._card = self._ask("POST", "/api/scorecard/open", {"tags": ["bench"]})["card_id"]
        began = time.monotonic()
        self._turn = self._ask("POST", "/api/cmd/RESET", {"card_id": self._card, "game_id": self._game})
        return time.monotonic() - began

    def play(self, enough: threading.Event) -> None:
        while not enough.is_set():
            self._act()
            self.actions += 1

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
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            time.sleep(int(answer.headers["Retry-After"]))
            return self._ask(method, path, body)
        assert answer.status == HTTPStatus.OK, text
        return json.loads(text)


def main() -> None:
    os.setsid()
    go_behind(os.getpid())
    asked = json.loads(sys.stdin.readline())
    agents = [Agent(asked["port"], asked["key"], number) for number in asked["agents"]]
    enough = threading.Event()
    print("ready", flush=True)
    with ThreadPoolExecutor(len(agents)) as pool:
        sys.stdin.readline()
        print(json.dumps(list(pool.map(Agent.open, agents))), flush=True)
        sys.stdin.readline()
        playing = [pool.submit(agent.play, enough) for agent in agents]
        sys.stdin.readline()
        enough.set()
        print(sum(agent.actions for agent in agents), flush=True)
        for one in playing:
            one.result()


if __name__ == "__main__":
    main()
