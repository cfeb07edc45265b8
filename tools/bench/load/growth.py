"""How the cost of an action grows with people, with open attempts and with entries in the journal."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from tools.bench.load.installation import Installation, installation
from tools.bench.load.rounds import play

KINDS = [one for one in os.environ.get("GROWTH", "people,attempts,entries").split(",") if one]
SIZES = {
    "people": os.environ.get("GROWTH_PEOPLE", "34,100,200,400"),
    "attempts": os.environ.get("GROWTH_ATTEMPTS", "0,500,2000"),
    "entries": os.environ.get("GROWTH_ENTRIES", "0,100000,1000000"),
}
PLAYING = 34


def main(seconds: float) -> None:
    """Prints a table for each kind of growth."""
    for kind in KINDS:
        print(f"### Growth with {kind}: {seconds:.0f} s, SQLite, one Daphne\n")
        print(f"| {kind} | web, ms an action | hosts | together | p50 ms | p99 |\n|{' --- |' * 6}")
        for size in SIZES[kind].split(","):
            _measure(kind, int(size), seconds)
        print(flush=True)


def _measure(kind: str, size: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder, installation(Path(folder) / "server", 1) as made:
        if size and kind in _PREPARE:
            _PREPARE[kind](made, size)
        found, cost = play(made, made.seat(size if kind == "people" else PLAYING), seconds)
    web, hosts = cost.milliseconds["web"], cost.milliseconds["hosts"]
    delays = [found.at(percent) for percent in (50, 99)]
    cells = (web, hosts, web + hosts, *delays)
    print(f"| {size:,} | {' | '.join(f'{cell:.2f}' for cell in cells)} |", flush=True)


def _attempts(made: Installation, count: int) -> None:
    """Open attempts of people who are not there."""
    made.seat(count)


def _entries(made: Installation, count: int) -> None:
    """A study with so many entries, as `make bench ARGS=insight` makes it, and its level results."""
    made.server.run("-m", "tools.bench.insight_steps", "generate", str(count))
    made.server.run("manage.py", "rebuild")


_PREPARE: dict[str, Callable[[Installation, int], None]] = {"attempts": _attempts, "entries": _entries}
