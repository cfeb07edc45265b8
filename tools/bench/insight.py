"""Measures insight on a study as large as the report's: rebuild, update and every page.

`ENTRIES=500000 make bench ARGS=insight` for fewer than ten million; making them takes minutes. On PostgreSQL:
`scripts/with-services make bench ARGS=insight`. The database is a new one, and is thrown away.
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.databases import make_template
from tests.live.server import Server

ENTRIES = 10_000_000


def main() -> None:
    entries = int(os.environ.get("ENTRIES", ENTRIES))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        server = Server(folder / "server", make_template(folder))
        print(f"making {entries} entries: with ten million that takes several minutes\n", flush=True)
        print(server.run("-m", "tools.bench.insight_steps", "generate", str(entries)), flush=True)
        print(f"manage.py rebuild: {seconds(lambda: server.manage('rebuild')):.1f} s, starting included\n")
        print(server.run("-m", "tools.bench.insight_steps", "read"), flush=True)
        print(server.run("-m", "tools.bench.insight_steps", "pages"), flush=True)


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
