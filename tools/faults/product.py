"""The whole product under its supervisor, and its processes by what they do."""

import asyncio
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from urllib.error import URLError

from tests.live.seeder import ROOT
from tests.live.server import Server, free_port
from tools.processes import children, send, text_of

PATIENCE_SECONDS = 120.0


class Product:
    """An installation that runs as `make up` does, with these processes of the Procfile."""

    def __init__(self, installation: Server, processes: Sequence[str]) -> None:
        self.installation = installation
        self._processes = processes
        self.port = free_port()
        self._log = (installation.folder / "product.log").open("ab")
        self._environment = {**installation.environment, "PORT": str(self.port)}
        self.start()

    def start(self) -> None:
        self.manager = subprocess.Popen(
            [
                ROOT / "scripts" / "with-parent",
                sys.executable,
                "-m",
                "tools.faults.manager",
                *self._processes,
            ],
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    async def until_healthy(self) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not await asyncio.to_thread(healthy, self.port):
            assert time.monotonic() < deadline, self.said()[-3000:]
            await asyncio.sleep(0.1)

    def web(self) -> list[int]:
        return self._children("serve_at")

    def workers(self) -> list[int]:
        return self._children("celery")

    def fork_servers(self) -> list[int]:
        return [pid for web in self.web() for pid in children(web)]

    def hosts(self) -> list[int]:
        return [pid for server in self.fork_servers() for pid in children(server)]

    def everything(self) -> list[int]:
        return [self.manager.pid, *children(self.manager.pid), *self.fork_servers(), *self.hosts()]

    def said(self) -> str:
        return (self.installation.folder / "product.log").read_text(errors="replace")

    def stop(self) -> None:
        for pid in children(self.manager.pid):
            send(pid, signal.SIGCONT)
        self.manager.terminate()
        self.manager.wait(PATIENCE_SECONDS)
        self._log.close()

    def _children(self, text: str) -> list[int]:
        return [pid for pid in children(self.manager.pid) if text in text_of(pid, "cmdline")]


def healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as answer:
            return bool(answer.status == 200)
    except (URLError, ConnectionError, TimeoutError):
        return False
