"""The product as it is run, with its processes counted: web, hosts, worker, and database with broker."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.databases import make_template
from tests.live.server import ROOT, free_port
from tools.bench.servers import as_installed
from tools.processes import descendants, processor_seconds, text_of

GAMES = Path(os.environ.get("GAMES", ROOT / "games"))
ROLES = ("web", "hosts", "worker", "services")
_CELERY = ("-m", "celery", "-A", "playtest", "--quiet")


@dataclass(frozen=True)
class Seat:
    """A person at a station who has begun to play: their cookie, and the port of their server."""

    session: int
    cookie: str
    port: int


@dataclass(frozen=True)
class Usage:
    """By role: seconds that its processes have computed, and megabytes that they alone or in part hold."""

    seconds: dict[str, float]
    megabytes: dict[str, float]


class Installation:
    """Servers, a worker and people of one database."""

    def __init__(self, folder: Path, processes: int) -> None:
        self.server = as_installed(folder, make_template(folder))
        self.ports = [free_port() for _ in range(processes)]
        self._workers: list[subprocess.Popen[bytes]] = []
        self._starting = ThreadPoolExecutor()  # a server ends with the thread that started it
        self.start()

    def start(self) -> None:
        """Starts every serving process on its port, and returns when all of them answer."""
        list(self._starting.map(lambda port: self.server.start(port=port), self.ports))

    def kill(self) -> None:
        """Kills every serving process."""
        for port in self.ports:
            self.server.kill(port)

    def start_worker(self) -> None:
        """Starts the worker and the beat that gives it its regular work."""
        for what in (("worker", "--pool", "solo"), ("beat",)):
            with (self.server.folder / "worker.log").open("ab") as log:
                command = [sys.executable, *_CELERY, *what, "--loglevel", "WARNING"]
                self._workers.append(
                    subprocess.Popen(command, cwd=ROOT, env=self.server.environment, stdout=log, stderr=log)
                )

    def seat(self, people: int) -> list[Seat]:
        """New people who play, spread evenly over the environments and the serving processes."""
        found = json.loads(self.server.run("-m", "tools.bench.seating", str(GAMES), str(people)))
        return [
            Seat(session, cookie, self.ports[number % len(self.ports)])
            for number, (session, cookie) in enumerate(found)
        ]

    def usage(self) -> Usage:
        """What all processes have used until now, by role."""
        web = [self.server.processes[port].pid for port in self.ports]
        worker = [one.pid for one in self._workers]
        roles = {
            "web": web,
            "hosts": [child for one in web for child in descendants(one)],
            "worker": worker + [child for one in worker for child in descendants(one)],
            "services": list(_services()),
        }
        return Usage(
            {role: sum(map(processor_seconds, found)) for role, found in roles.items()},
            {role: sum(map(_megabytes, found)) for role, found in roles.items()},
        )

    def stop(self) -> None:
        for one in self._workers:
            one.terminate()
        for one in self._workers:
            one.wait(30)
        self.server.stop()
        self._starting.shutdown()


@contextmanager
def installation(folder: Path, processes: int) -> Iterator[Installation]:
    """An installation that is stopped whatever happens."""
    made = Installation(folder, processes)
    try:
        yield made
    finally:
        made.stop()


def restarted(made: Installation) -> tuple[float, float]:
    """Kills and starts the serving processes; when they were killed and when they answered again."""
    killed = time.monotonic()
    made.kill()
    made.start()
    return killed, time.monotonic()


def _services() -> Iterator[int]:
    """The processes that `scripts/with-services` has started beside this one."""
    if "DATABASE_URL" in os.environ:
        parent, mine = os.getppid(), {os.getpid(), *descendants(os.getpid())}
        yield from (one for one in descendants(parent) if one not in mine)


def _megabytes(process: int) -> float:
    """The proportional share of a process in the memory that it uses with others."""
    lines = text_of(process, "smaps_rollup").splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)
