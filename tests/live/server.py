"""The real server as a test subject: Daphne in a separate process with its own data."""

import itertools
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import URLError

import psycopg

from tests.databases import database_name
from tests.live.games import ENVIRONMENTS as ENVIRONMENTS
from tests.live.seeder import PATIENCE_SECONDS, SETTINGS, Seeder
from tests.live.seeder import ROOT as ROOT
from tests.live.visitor import Visitor

PASSWORD = "only for this test server"


class Server:
    """One installation: a database and any number of Daphne processes.

    Uses DATABASE_URL's server with a database of its own when that is set, else SQLite in `folder`. Without a
    `seeder` it has one of its own when it needs one.
    """

    def __init__(self, folder: Path, template: Path, seeder: Seeder | None = None, **settings: str) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            **SETTINGS,
            "DATA_DIR": str(folder),
            "GAMES_DIR": str(ENVIRONMENTS),
            "ENGINE_HOSTS": "1",
            "ENGINE_SPARE_HOSTS": "0",
            "REDIS_PREFIX": uuid.uuid4().hex,
            **settings,
        }
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.database = self._make_database(template)
        self._seeder = seeder
        self._own_seeder: Seeder | None = None

    def _make_database(self, template: Path) -> str:
        self.folder.mkdir(parents=True, exist_ok=True)
        if not os.environ.get("DATABASE_URL"):
            shutil.copy(template, self.folder / "playtest.sqlite3")
            return str(self.folder / "playtest.sqlite3")
        server, _, _ = os.environ["DATABASE_URL"].rpartition("/")
        name = f"live_{uuid.uuid4().hex[:12]}"
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template.name}"')
        self.environment["DATABASE_URL"] = f"{server}/{name}"
        return f"{server}/{name}"

    def start(self, program: str = "playtest.serve", *, port: int | None = None, **settings: str) -> int:
        """Start one more Daphne, on this port if it is given, and wait until it is healthy; its port.

        It ends with the thread that calls this (`scripts/with-parent`). Without Redis one process serves a
        DATA_DIR: a second gets its own, with the same database.
        """
        port = port or free_port()
        if self.processes and not self.environment.get("REDIS_URL"):
            settings = {"DATA_DIR": str(self.folder_beside()), **settings}
        with (self.folder / "server.log").open("ab") as log:
            process = subprocess.Popen(
                [ROOT / "scripts" / "with-parent", sys.executable, "-m", program],
                cwd=ROOT,
                env={**self.environment, "PORT": str(port), **settings},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.processes[port] = process
        wait_until_healthy(port, process)
        return port

    def folder_beside(self) -> Path:
        """Another DATA_DIR with the same database and key."""
        beside = self.folder / f"beside{len(self.processes)}"
        beside.mkdir(exist_ok=True)
        for name in ("playtest.sqlite3", "secret_key"):
            place = beside / name
            if (self.folder / name).exists() and not place.is_symlink():
                place.symlink_to(self.folder / name)
        return beside

    def kill(self, port: int) -> None:
        """Kills the process with SIGKILL, so it cannot clean up."""
        process = self.processes.pop(port)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        if self._own_seeder is not None:
            self._own_seeder.stop()
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            process.wait(PATIENCE_SECONDS)
        self.processes.clear()

    def seed(self, **wanted: Any) -> dict[str, Any]:
        """Fills the database; tests/live/seed.py describes the options."""
        if self._seeder is None:
            self._seeder = self._own_seeder = Seeder(self.folder)
        return self._seeder.ask(database_name(self.database), **wanted)

    def command(self, *arguments: str) -> str:
        """What a command says that is about the database alone; the seeder runs it."""
        return str(self.seed(command=arguments)["said"])

    def manage(self, *arguments: str) -> str:
        """What a command says in a process of its own, with the settings and the folder of this server."""
        return self.run("manage.py", *arguments)

    def run(self, *arguments: str) -> str:
        finished = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, finished.stderr + finished.stdout
        return finished.stdout

    def staff(self, port: int, role: str) -> Visitor:
        """Creates a member of staff and signs in."""
        self.seed(staff=role, password=PASSWORD)
        visitor = Visitor(port)
        visitor.get("/staff/sign-in/")
        visitor.post("/staff/sign-in/", username=role, password=PASSWORD)
        return visitor

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Run a plain SQL query on the database."""
        if self.database.startswith("postgres"):
            with psycopg.connect(self.database) as connection:
                return connection.execute(query.encode()).fetchall()
        with closing(sqlite3.connect(self.database, timeout=20)) as connection:
            return connection.execute(query).fetchall()

    def log(self) -> str:
        return (self.folder / "server.log").read_text()


_candidates = itertools.cycle(range(20_000, 32_000))
next(itertools.islice(_candidates, os.getpid() * 97 % 12_000, None))


def free_port() -> int:
    """A port that nobody listens on, below those the system gives out.

    Each process of the tests begins somewhere else. A port that the system chooses could be given to a server
    of another process before this one's has started, and the test would then talk to a stranger.
    """
    for port in _candidates:
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("there are always further candidates")


def wait_until_healthy(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server ended while starting"
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE_SECONDS
            ) as answer:
                assert answer.status == 200
                return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.05)
    raise AssertionError("the server was not healthy in time")
