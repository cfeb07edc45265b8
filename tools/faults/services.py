"""A PostgreSQL and a Redis that can be killed, stopped and started again on the same data."""

import signal
import subprocess
import time
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

from tests.live.seeder import ROOT
from tests.live.server import free_port
from tests.play.processes import runs
from tools.processes import children, send

_START_SECONDS = 60.0


def _with_services() -> ModuleType:
    loader = SourceFileLoader("with_services", str(ROOT / "scripts" / "with-services"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


_SCRIPT = _with_services()


class Service:
    """One server process with its children. `ready` says whether it answers."""

    def __init__(self, command: list[str], folder: Path, ready: Callable[[], bool]) -> None:
        self._command, self._folder, self._ready = command, folder, ready
        self.start()

    def start(self) -> None:
        """Start it, again if it ends, and wait until it answers. Raises AssertionError if it never does."""
        deadline = time.monotonic() + _START_SECONDS
        self._run()
        while not self._ready():
            if time.monotonic() > deadline:
                self.kill()
                raise AssertionError(f"{self._command} does not answer: {self._log()}")
            if self._process.poll() is not None:
                time.sleep(0.3)  # what it left in shared memory goes when its children have
                self._run()
            time.sleep(0.05)

    def _run(self) -> None:
        with (self._folder / "service.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=0,
            )

    def pids(self) -> list[int]:
        """It and its children, it first."""
        return [self._process.pid, *children(self._process.pid)]

    def signal(self, number: signal.Signals) -> None:
        for pid in self.pids():
            send(pid, number)

    def kill(self) -> None:
        """SIGKILL for it and all its children."""
        pids = self.pids()
        for pid in pids:
            send(pid, signal.SIGKILL)
        self._process.wait()
        while any(runs(pid) for pid in pids):
            time.sleep(0.02)

    def stop(self) -> None:
        self.signal(signal.SIGCONT)
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(30)

    def _log(self) -> str:
        return (self._folder / "service.log").read_text()


def postgresql(folder: Path) -> tuple[Service, str]:
    """A new cluster that waits for the disk, as in production; its URL."""
    folder.mkdir(parents=True)
    data, port, user = folder / "data", free_port(), _SCRIPT.postgresql_user(folder)
    program = _SCRIPT.postgresql_program
    made = [program("initdb"), "-D", str(data), "-U", "playtest", "-A", "trust", "-E", "UTF8", "--locale=C"]
    subprocess.run(_SCRIPT.guarded(made, user), cwd=folder, check=True, capture_output=True)
    serve = [
        program("postgres"), "-D", str(data), "-p", str(port), "-c", "listen_addresses=127.0.0.1",
        "-c", "unix_socket_directories=",
    ]  # fmt: skip
    ready = [program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
    service = Service(
        _SCRIPT.guarded(serve, user), folder, lambda: subprocess.run(ready, check=False).returncode == 0
    )
    return service, f"postgresql://playtest@127.0.0.1:{port}/postgres"


def redis(folder: Path) -> tuple[Service, str]:
    """A Redis that keeps nothing on disk; its URL."""
    folder.mkdir(parents=True)
    port = free_port()
    serve = [
        "redis-server", "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"
    ]  # fmt: skip
    service = Service(_SCRIPT.guarded(serve), folder, lambda: bool(_SCRIPT.answers(port)))
    return service, f"redis://127.0.0.1:{port}/0"
