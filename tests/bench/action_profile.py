"""Measures which part of the serving process an action's processor time is spent in.

34 people play at random, 1.5 actions a second each, as in `action_cost`, against `profiled_server`.
"""

import asyncio
import json
import os
import signal
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from tests.bench.action_cost import SECONDS, Player, measured, seat_players, steadily
from tests.databases import make_template
from tests.live.server import Server

PARTS = {
    "Twisted, Daphne, autobahn": ("/twisted/", "/daphne/", "/autobahn/", "playtest/serve/whole_frames.py"),
    "event loop, with what it writes to hosts": ("/asyncio/", "/selectors.py", "/_weakrefset.py"),
    "journal: the statement and its commit": ("play/journal_sql.py",),
    "journal: its thread, and waking the loop": ("play/journal.py", "/django/db/", "/asgiref/", "contextlib"),
    "entry and hash chain": ("play/entries.py", "play/chain.py", "engine/actions.py"),
    "checks of the host's answer": ("engine/answers.py", "engine/turns.py", "engine/frames.py"),
    "messages to and from hosts": ("engine/pipe.py", "/msgpack/", "play/host"),
    "metrics": ("/prometheus_client/", "play/measures.py"),
    "consumer, session, live attempt": ("playtest/",),
}
_OTHER = "other"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found, rows = asyncio.run(_profile(Path(folder)))
    print("| part | calls an action | microseconds an action |\n| --- | --- | --- |")
    for part, (calls, seconds) in sorted(found.items(), key=lambda row: -row[1][1]):
        print(f"| {part} | {calls / rows:.0f} | {1e6 * seconds / rows:.0f} |")


async def _profile(folder: Path) -> tuple[dict[str, tuple[int, float]], int]:
    """Calls and seconds by part, and the number of actions."""
    profile = folder / "profile.json"
    server = Server(folder / "server", make_template(folder), ENGINE_HOSTS="0", PROFILE=str(profile))
    port = server.start("tests.bench.profiled_server")
    try:
        players: list[Player] = await seat_players(server, port)
        serving = server.processes[port].pid
        await measured(players, serving, steadily(2.0))
        os.kill(serving, signal.SIGUSR2)
        actions = len((await measured(players, serving, steadily(SECONDS))).milliseconds)
        os.kill(serving, signal.SIGUSR2)
        return _by_part(json.loads(await asyncio.to_thread(_written, profile))), actions
    finally:
        server.stop()


def _written(file: Path) -> str:
    """The text of a file that another process is about to write."""
    while not file.exists():
        time.sleep(0.1)
    return file.read_text()


def _by_part(files: dict[str, tuple[int, float]]) -> dict[str, tuple[int, float]]:
    found: dict[str, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    for file, (calls, seconds) in files.items():
        part = next((name for name, marks in PARTS.items() if any(one in file for one in marks)), _OTHER)
        found[part] = found[part][0] + calls, found[part][1] + seconds
    return found
