"""Two members of staff who act at the same moment, each in a process of its own."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import PASSWORD, ROOT, Server

ROLES = ("lead", "researcher")


class Act(NamedTuple):
    """What `tests.live.colleague` does to what has this key."""

    name: str
    on: int
    arguments: tuple[Any, ...] = ()
    options: dict[str, Any] = {}


class Colleagues:
    """One process for each of two members of staff."""

    def __init__(self, server: Server) -> None:
        self.processes = {
            role: subprocess.Popen(
                [sys.executable, "-m", "tests.live.colleague"],
                cwd=ROOT,
                env=server.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for role in ROLES
        }

    def at_once(self, *acts: Act) -> list[str]:
        """Lets each do its own act at the same moment; their answers, "done" first."""
        at = time.time() + 0.02
        for (role, process), act in zip(self.processes.items(), acts, strict=True):
            wanted = {
                "act": act.name, "on": act.on, "by": role, "at": at,
                "arguments": act.arguments, "options": act.options,
            }  # fmt: skip
            assert process.stdin is not None
            process.stdin.write(json.dumps(wanted) + "\n")
            process.stdin.flush()
        return sorted((self._hear(process) for process in self.processes.values()), key="done".__ne__)

    def _hear(self, process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return str(json.loads(process.stdout.readline()))

    def stop(self) -> None:
        for process in self.processes.values():
            process.communicate(timeout=PATIENCE_SECONDS)


@contextmanager
def colleagues_of(server: Server) -> Iterator[Colleagues]:
    """Both at work on this installation."""
    for role in ROLES:
        server.seed(staff=role, password=PASSWORD)
    both = Colleagues(server)
    yield both
    both.stop()
