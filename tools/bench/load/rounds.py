"""One round of load: people in processes of their own, and what they and the server report."""

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import batched, pairwise
from tempfile import TemporaryFile
from threading import Event, Thread
from typing import Any

from tests.live.server import free_port
from tools.bench.load.installation import ROLES, Installation, Seat, Usage
from tools.bench.one_action import percentile, start_echo
from tools.bench.servers import wait_for
from tools.processes import Helper, processor_seconds

PEOPLE_A_PROCESS = 250
STALL_MILLISECONDS = 150.0
_SETTLING_SECONDS = 2.0
_DISK_EVERY_SECONDS = 0.05


@dataclass(frozen=True)
class Round:
    """What people saw. `stalls`: how often an answer was due and nobody had one for STALL_MILLISECONDS.

    `disk`: for how many milliseconds the disk kept a bare program that stored 4 KB meanwhile, the shortest
    first.
    """

    milliseconds: list[float]
    longest_silence: float
    stalls: int
    lost: int
    refused: Counter[str]
    reconnected: list[float]
    away: int
    sequences: dict[str, int]
    disk: list[float]

    def at(self, percent: float) -> float:
        """A percentile of the milliseconds from when an action was due to its answer."""
        return percentile(self.milliseconds, percent)


@dataclass(frozen=True)
class Cost:
    """By role: milliseconds of processor time an action, and megabytes that each person adds."""

    milliseconds: dict[str, float]
    megabytes: dict[str, float]


def play(
    made: Installation,
    seats: Sequence[Seat],
    seconds: float,
    meanwhile: Callable[[], None] = lambda: None,
) -> tuple[Round, Cost]:
    """Everybody acts once a second. Memory is compared with before they connected."""
    empty = made.usage()
    with _people(seats, seconds) as begin:
        connected = made.usage()
        found = begin(meanwhile)
        cost = _cost(connected, made.usage(), empty, len(found.milliseconds), len(seats))
    return found, cost


def play_through_restart(
    seats: Sequence[Seat], seconds: float, restart: Callable[[], tuple[float, float]]
) -> tuple[Round, float, float]:
    """Everybody plays, and after a moment the server is restarted: the round, and what `restart` returns."""
    times = [0.0, 0.0]

    def interrupt() -> None:
        time.sleep(_SETTLING_SECONDS)
        times[:] = restart()

    with _people(seats, seconds) as begin:
        found = begin(interrupt)
    return found, times[0], times[1]


def echo(people: int, seconds: float) -> tuple[Round, float]:
    """The same people at a bare Daphne; its milliseconds of processor time an action."""
    port = free_port()
    process = start_echo(port)
    try:
        wait_for(port)
        seats = [Seat(0, str(number), port) for number in range(people)]
        with _people(seats, seconds, echo=True) as begin:
            before = processor_seconds(process.pid)
            found = begin(lambda: None)
            used = processor_seconds(process.pid) - before
    finally:
        process.terminate()
        process.wait(10)
    return found, 1000 * used / max(1, len(found.milliseconds))


def unrecorded(made: Installation, seats: Sequence[Seat], found: Round) -> int:
    """How many turns somebody was shown that are not in the journal."""
    rows = made.server.rows(
        "SELECT session_id, max(seq) FROM play_entry JOIN play_attempt ON attempt_id = play_attempt.id"
        " WHERE ended_at IS NULL AND session_id IS NOT NULL GROUP BY session_id"
    )
    last = {int(session): int(seq) for session, seq in rows}
    shown = ((seat.session, found.sequences[seat.cookie]) for seat in seats)
    return sum(max(0, sequence - last[session]) for session, sequence in shown if session in last)


@contextmanager
def _people(
    seats: Sequence[Seat], seconds: float, *, echo: bool = False
) -> Iterator[Callable[[Callable[[], None]], Round]]:
    """Connects everybody; what is given lets them play while something is done."""
    clients = [_client(group, seconds, echo=echo) for group in _groups(seats)]
    try:
        for client in clients:
            assert client.answer() == "ready", "people could not connect: see above"
        yield lambda meanwhile: _played(clients, len(seats), meanwhile)
    finally:
        for client in clients:
            client.kill()


def _groups(seats: Sequence[Seat]) -> Iterator[tuple[Seat, ...]]:
    """The people of each process: they all connect to one port."""
    for port in sorted({seat.port for seat in seats}):
        yield from batched((seat for seat in seats if seat.port == port), PEOPLE_A_PROCESS)


def _client(seats: Sequence[Seat], seconds: float, *, echo: bool) -> Helper:
    client = Helper("tools.bench.load.people", "127.0.0.1", str(seats[0].port))
    client.write_line(
        json.dumps({"seats": [seat.cookie for seat in seats], "seconds": seconds, "echo": echo})
    )
    return client


def _played(clients: Sequence[Helper], people: int, meanwhile: Callable[[], None]) -> Round:
    starts = time.monotonic() + 0.5
    for at, client in enumerate(clients):
        client.write_line(str(starts + at / people))  # between the others' actions
    with _disk() as disk:
        meanwhile()
        reports: list[dict[str, Any]] = [json.loads(client.answer()) for client in clients]
    answers = [pair for one in reports for pair in one["answers"]]
    times = sorted(answered for _, answered in answers)
    silences = [1000 * (after - before) for before, after in pairwise(times)]
    return Round(
        sorted(1000 * (answered - due) for due, answered in answers),
        max(silences, default=0.0),
        sum(silence > STALL_MILLISECONDS + 1000 / people for silence in silences),
        sum(one["lost"] for one in reports),
        sum((Counter(one["refused"]) for one in reports), Counter()),
        sorted(at for one in reports for at in one["reconnected"]),
        sum(one["away"] for one in reports),
        {seat: sequence for one in reports for seat, sequence in one["sequences"].items()},
        sorted(disk),
    )


@contextmanager
def _disk() -> Iterator[list[float]]:
    """Stores 4 KB again and again, as the journal does: what the disk makes wait is not the server's."""
    over, found = Event(), list[float]()

    def store() -> None:
        with TemporaryFile(buffering=0) as file:
            while not over.wait(_DISK_EVERY_SECONDS):
                file.write(bytes(4096))
                began = time.monotonic()
                os.fdatasync(file)
                found.append(1000 * (time.monotonic() - began))

    thread = Thread(target=store)
    thread.start()
    try:
        yield found
    finally:
        over.set()
        thread.join()


def _cost(before: Usage, after: Usage, empty: Usage, actions: int, people: int) -> Cost:
    return Cost(
        {role: 1000 * (after.seconds[role] - before.seconds[role]) / max(1, actions) for role in ROLES},
        {role: (after.megabytes[role] - empty.megabytes[role]) / people for role in ROLES},
    )
