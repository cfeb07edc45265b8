"""Measures opening the replay of an attempt of 1,000 actions: its page and its document.

Cold is the first request that a fresh server process gets at all; warm are those that follow. The product's
limit is 300 ms for both together. Each shipped environment is played along its winning recording, the first
level again and again, so that animations are as long as people see them.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice, takewhile
from pathlib import Path
from statistics import mean, median

from engine.play.actions import Action
from tests.databases import make_template
from tests.live.server import ROOT, Server, free_port
from tools.bench.servers import wait_for
from tools.games import GAMES, won_in
from tools.processes import processor_seconds

ACTIONS = 1_000
STARTS = 5
TIMES = 20
LIMIT_MS = 300


@dataclass(frozen=True)
class Opened:
    """One opening of a replay: wall time, processor time of the server, bytes of the document."""

    milliseconds: float
    busy: float
    size: int


def main() -> None:
    print(f"Page and document together, in ms; the limit is {LIMIT_MS}. Busy: the server's processor time.\n")
    print("| attempt | document KB | cold p50 | cold worst | cold busy | warm p50 | warm worst | warm busy |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "server", make_template(Path(folder)), GAMES_DIR=str(GAMES))
        attempts = json.loads(server.run("-m", "tools.bench.replay", str(ACTIONS)))
        # Who measures signed in earlier, so that the processes measured have seen no request.
        cookie = f"sessionid={server.staff(server.start(), 'researcher').cookie('sessionid')}"
        server.stop()
        for name, attempt in attempts.items():
            starts = [_opened(server, attempt, cookie) for _ in range(STARTS)]
            cold, warm = [first for first, *_ in starts], [each for _, *more in starts for each in more]
            print(f"| {name} | {cold[0].size / 1000:.0f} | {_figures(cold)} | {_figures(warm)} |", flush=True)


def _figures(opened: list[Opened]) -> str:
    times = [each.milliseconds for each in opened]
    over = "" if max(times) < LIMIT_MS else " (over the limit)"
    return f"{median(times):.0f} | {max(times):.0f}{over} | {mean(each.busy for each in opened):.0f}"


def _opened(server: Server, attempt: int, cookie: str) -> list[Opened]:
    """Opens the replay several times on a process just started."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "playtest.serve"],
        cwd=ROOT,
        env={**server.environment, "PORT": str(port)},
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        return [_open(process.pid, port, attempt, cookie) for _ in range(1 + TIMES)]
    finally:
        process.terminate()
        process.wait()


def _open(pid: int, port: int, attempt: int, cookie: str) -> Opened:
    page = f"/staff/attempts/{attempt}/"
    busy, started = processor_seconds(pid), time.perf_counter()
    _get(port, page, cookie)
    document = _get(port, f"{page}journal.json", cookie)
    milliseconds = (time.perf_counter() - started) * 1000
    return Opened(milliseconds, 1000 * (processor_seconds(pid) - busy), len(document))


def _get(port: int, path: str, cookie: str) -> bytes:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Cookie": cookie})
    with urllib.request.urlopen(request) as answer:
        assert answer.url.endswith(path), "signed in no more"
        return bytes(answer.read())


def _make(actions: int) -> dict[str, int]:
    """An attempt of so many actions on each shipped environment; in a process with Django."""
    from playtest.play.sessions.studies import create_study
    from playtest.studio.models import Environment
    from playtest.studio.services import load_environments
    from tests import make

    load_environments(GAMES)
    made = {}
    for environment in Environment.objects.filter(current__isnull=False).order_by("code"):
        study = create_study(None, name=f"Only {environment.code}", pool=[environment], rehearsal=True)
        steps = [(each.x or 0, each.y or 0) if each.id == 6 else each.id for each in _first(environment.code)]
        acts: Sequence[make.Act] = [*islice(cycle([*steps, 0]), actions)]
        made[environment.code] = make.play(make.session(study), acts).pk
    return made


def _first(code: str) -> list[Action]:
    """The actions of the winning recording that do not yet complete the first level."""
    turns = takewhile(lambda turn: not turn.levels_completed, won_in(GAMES / code).turns[1:])
    return [turn.action for turn in turns]


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playtest.settings")
    import django

    django.setup()
    print(json.dumps(_make(int(sys.argv[1]))))
