"""Our server and the official one with the same environments, and clients of both."""

import json
import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import requests
from arc_agi import Arcade, OperationMode

from tests.live.games import ENVIRONMENTS
from tests.live.server import ROOT, Server, free_port

PUBLIC, PRIVATE = ("wk01", "ck01", "cl01", "ws72"), ("ft01", "fk01")
BASELINES = {"ft01": [2, 2, 2, 2, 2, 2], "wk01": [3, 3, 4, 3, 2, 3], "ck01": [1, 2, 3, 4, 5, 6]}
TAGS = {"wk01": ["walk", "short"], "ck01": ["short"]}


class Arena(NamedTuple):
    """Our server with environments of a public and a private set."""

    server: Server
    port: int
    games: Path

    def agent(self, *sets: str, per_minute: int = 1_000_000) -> "Agent":
        """An agent with a new key."""
        return Agent(self.port, new_key(self.server, *sets, per_minute=per_minute))


def make_games(folder: Path, codes: Iterable[str]) -> Path:
    """Copies of environments, some with a baseline and tags in their metadata."""
    for code in codes:
        source = next(one for one in (ENVIRONMENTS / code, ROOT / "games" / code) if one.exists())
        shutil.copytree(source, folder / code, ignore=shutil.ignore_patterns("recordings"))
        metadata = folder / code / "metadata.json"
        described = json.loads(metadata.read_text())
        described["game_id"] = f"{code}-00000001"
        described.setdefault("class_name", code.capitalize())
        if code in BASELINES:
            described["baseline_actions"] = BASELINES[code]
        if code in TAGS:
            described["tags"] = TAGS[code]
        metadata.write_text(json.dumps(described))
    return folder


class Agent:
    """A client of the API that shows every answer as it is."""

    def __init__(self, port: int, key: str) -> None:
        self.root = f"http://127.0.0.1:{port}/api"
        self.session = requests.Session()
        self.session.headers["X-API-Key"] = key

    def get(self, path: str, **options: Any) -> requests.Response:
        return self.session.get(self.root + path, timeout=20, **options)

    def post(self, path: str, fields: Any = None, **options: Any) -> requests.Response:
        return self.session.post(
            self.root + path, json={} if fields is None else fields, timeout=20, **options
        )

    def open(self, **fields: Any) -> str:
        answer = self.post("/scorecard/open", fields)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["card_id"])

    def close(self, card: str) -> dict[str, Any]:
        answer = self.post("/scorecard/close", {"card_id": card})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def reset(self, card: str, game: str, guid: str | None = None, **options: Any) -> requests.Response:
        fields = {"card_id": card, "game_id": game} | ({"guid": guid} if guid else {})
        return self.post("/cmd/RESET", fields, **options)

    def act(
        self, action: int, game: str, guid: str, *, headers: Any = None, **fields: Any
    ) -> requests.Response:
        body = {"game_id": game, "guid": guid, **fields}
        return self.post(f"/cmd/ACTION{action}", body, headers=headers)


def arcade(port: int, key: str, mode: OperationMode, folder: Path) -> Arcade:
    """The official client, which knows an address and a key and nothing else."""
    return Arcade(
        arc_api_key=key,
        arc_base_url=f"http://127.0.0.1:{port}",
        operation_mode=mode,
        environments_dir=str(folder / "nothing here"),
        recordings_dir=str(folder / "recordings"),
        logger=logging.getLogger("official client"),
    )


@contextmanager
def official_server(games: Path, folder: Path, *, competition: bool = False) -> Iterator[int]:
    """Runs the official server; its port."""
    port = free_port()
    command = [sys.executable, "-m", "tests.live.official_server", str(games), str(port)]
    with (folder / f"official{port}.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, *(["competition"] if competition else [])],
            cwd=ROOT,
            env={**os.environ, "RECORDINGS_DIR": str(folder / "recordings")},
            stdout=log,
            stderr=log,
        )
    try:
        _wait(lambda: requests.get(f"http://127.0.0.1:{port}/api/healthcheck", timeout=5).ok)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def _wait(ready: Callable[[], bool]) -> None:
    for _ in range(200):
        try:
            if ready():
                return
        except requests.RequestException:
            time.sleep(0.1)
    raise AssertionError("the official server did not start")


def new_key(server: Server, *sets: str, per_minute: int = 1_000_000) -> str:
    """The secret of a new key."""
    return str(server.seed(key=list(sets or ("public",)), per_minute=per_minute)["key"])


def without_ids(card: Any) -> Any:
    """A scorecard without its ids, and with floats as near as 1e-9."""
    match card:
        case dict():
            return {
                name: without_ids(value)
                for name, value in card.items()
                if name not in ("card_id", "guid", "guids", "api_key")
            }
        case list():
            return [without_ids(one) for one in card]
        case float():
            return round(card, 9)
    return card
