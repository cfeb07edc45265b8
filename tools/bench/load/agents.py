"""Agents that play at random over the REST API, as fast as they are answered, while people are measured.

`python -m tools.bench.load.agents` reads {"port", "key", "agents"} as JSON from standard input, prints
"ready" when all of them have begun, and after another line the actions that were answered meanwhile.
"""

import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import batched
from pathlib import Path
from random import Random
from typing import Any

from tests.live.arena import new_key
from tests.live.server import Server
from tools.processes import Helper

AGENTS_A_PROCESS = 16


@contextmanager
def playing(server: Server, games: Path, ports: Sequence[int], count: int) -> Iterator[Callable[[], int]]:
    """Lets so many agents play; what is given ends it and counts their actions since it began."""
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
        yield lambda: sum(_ended(helper) for helper in helpers)
    finally:
        for helper in helpers:
            helper.kill()


def _ended(helper: Helper) -> int:
    helper.write_line("enough")
    return int(helper.answer())


class Agent:
    """Plays one environment; `actions` have been answered since it began."""

    def __init__(self, port: int, key: str, number: int) -> None:
        self.actions = 0
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self._key = key
        self._random = Random(number)
        games = self._ask("GET", "/api/games")
        self._game = games[number % len(games)]["game_id"]
        self._card = self._ask("POST", "/api/scorecard/open", {"tags": ["bench"]})["card_id"]
        self._turn = self._ask("POST", "/api/cmd/RESET", {"card_id": self._card, "game_id": self._game})

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
        assert answer.status == 200, text
        return json.loads(text)


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    agents = [Agent(asked["port"], asked["key"], number) for number in asked["agents"]]
    enough = threading.Event()
    threads = [threading.Thread(target=agent.play, args=(enough,)) for agent in agents]
    for thread in threads:
        thread.start()
    print("ready", flush=True)
    sys.stdin.readline()
    enough.set()
    print(sum(agent.actions for agent in agents), flush=True)


if __name__ == "__main__":
    main()
