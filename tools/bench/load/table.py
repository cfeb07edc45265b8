"""`make bench ARGS=load`: the table of load, and everybody reconnecting.

PEOPLE=34,200,1000 AGENTS=16,64 SECONDS=20 STORES=embedded,services PROCESSES=1,2
GAMES=folder are what is measured; all of them may be left out. AGENTS lets so many agents play over the REST
API beside the people, in further rounds; none do without it.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.live.server import ROOT
from tools.bench.load.agents import agents
from tools.bench.load.installation import GAMES, ROLES, Installation, Seat, installation, restarted
from tools.bench.load.rounds import Cost, Round, echo, play, play_through_restart, unrecorded
from tools.bench.one_action import percentile

PEOPLE = [int(one) for one in os.environ.get("PEOPLE", "34,200,1000").split(",")]
AGENTS = [int(one) for one in os.environ.get("AGENTS", "").split(",") if one]
SECONDS = float(os.environ.get("SECONDS", "20"))
STORES = os.environ.get("STORES", "embedded,services").split(",")
PROCESSES = [int(one) for one in os.environ.get("PROCESSES", "1,2").split(",")]


def main() -> None:
    """Measures here what needs no other services, and the rest in a process that has them."""
    if "DATABASE_URL" in os.environ:
        _measure_all("PostgreSQL + Redis, fsync and synchronous_commit on", PROCESSES)
        return
    if "embedded" in STORES:
        _measure_all("SQLite", [1])
    if "services" in STORES:
        command = [sys.executable, "-m", "tools.bench", "load"]
        subprocess.run([ROOT / "scripts" / "with-services", "--durable", *command], cwd=ROOT, check=True)


def _measure_all(store: str, processes: list[int]) -> None:
    for count in processes:
        for people in PEOPLE:
            print(f"### {store}, {count} Daphne, {people:,} people, {SECONDS:.0f} s\n", flush=True)
            with (
                tempfile.TemporaryDirectory() as folder,
                installation(Path(folder) / "server", count) as made,
            ):
                made.start_worker()
                _measure(made, people)


def _measure(made: Installation, people: int) -> None:
    """Prints each table as soon as it is known."""
    seats = made.seat(people)
    bare, bare_cost = echo(people, SECONDS / 2)
    found, cost = play(made, seats, SECONDS)
    _print(_ANSWERS, people, _answers(found, bare, unrecorded(made, seats, found)))
    _print(_COSTS, people, _costs(cost, bare_cost))
    for count in AGENTS:
        _measure_beside_agents(made, seats, count)
    again, killed, back = play_through_restart(seats, max(SECONDS, 10.0), lambda: restarted(made))
    _print(_RETURNS, people, _returns(again, killed, back, unrecorded(made, seats, again)))


def _measure_beside_agents(made: Installation, seats: Sequence[Seat], count: int) -> None:
    """The same people alone, while agents begin, while they act as fast as they are answered, and alone."""
    resets: list[float] = []
    _print_beside(play(made, seats, SECONDS)[0], "none")
    with agents(made.server, GAMES, made.ports, count) as some:
        opening, _ = play(made, seats, SECONDS, lambda: resets.extend(some.open()))
        took = f"RESET {resets[len(resets) // 2]:.2f} s, at most {resets[-1]:.2f} s"
        _print_beside(opening, f"{count:,} begin: {took}")
        began = time.monotonic()
        some.act()
        found, _ = play(made, seats, SECONDS)
        rate = some.end() / (time.monotonic() - began)
        _print_beside(found, f"{count:,} act: {rate:,.0f} actions/s")
    _print_beside(play(made, seats, SECONDS)[0], "none")


def _print_beside(found: Round, agents: str) -> None:
    head = ("people's answers", "agents", *_ANSWERS[2:5], *_DISK)
    times = [f"{found.at(percent):.1f}" for percent in _PERCENTILES]
    _print(head, len(found.milliseconds), [agents, *times, *_of_disk(found)])


def _of_disk(found: Round) -> list[str]:
    return [f"{percentile(found.disk, percent):.1f}" for percent in (99, 100)]


def _print(head: tuple[str, ...], people: int, cells: list[str]) -> None:
    print(f"| {' | '.join(head)} |\n|{' --- |' * len(head)}")
    print(f"| {people:,} | {' | '.join(cells)} |\n", flush=True)


_PERCENTILES = (50, 99, 99.9)
_DISK = ("disk p99 ms", "at most")
_ANSWERS = (
    "people", "answers", "p50 ms", "p99", "p99.9", "echo p50", "p99", "p99.9", "lost", "longest silence ms",
    "stalls", "refused", *_DISK,
)  # fmt: skip


def _answers(found: Round, bare: Round, unrecorded: int) -> list[str]:
    return [
        f"{len(found.milliseconds):,}",
        *(f"{found.at(percent):.1f}" for percent in _PERCENTILES),
        *(f"{bare.at(percent):.1f}" for percent in _PERCENTILES),
        str(found.lost + unrecorded),
        f"{found.longest_silence:.0f}",
        str(found.stalls),
        ", ".join(f"{code} {count}" for code, count in found.refused.items()) or "0",
        *_of_disk(found),
    ]


_COSTS = (
    "people", *(f"{role}, ms an action" for role in ROLES), "echo, ms", "web, MB a person",
    "hosts, MB a person",
)  # fmt: skip


def _costs(cost: Cost, bare: float) -> list[str]:
    return [
        *(f"{cost.milliseconds[role]:.2f}" for role in ROLES),
        f"{bare:.2f}",
        *(f"{cost.megabytes[role]:.3f}" for role in ("web", "hosts")),
    ]


_RETURNS = (
    "people", "came back", "away at the end", "server answers again, s", "first person, s", "p50", "max",
    "lost",
)  # fmt: skip


def _returns(again: Round, killed: float, back: float, unrecorded: int) -> list[str]:
    times = [at - killed for at in again.reconnected] or [float("nan")]
    cells = (back - killed, times[0], times[len(times) // 2], times[-1])
    found = (len(again.reconnected), again.away)
    return [*map(str, found), *(f"{cell:.1f}" for cell in cells), str(unrecorded)]
