"""One process that fills the databases of all test servers, because Django starts slowly."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60
SETTINGS = {"DJANGO_SETTINGS_MODULE": "playtest.settings", "SECRET_KEY": "known to seeder and servers alike"}


class SeedingError(Exception):
    """A database could not be filled; the message is the seeding process's traceback."""


class Seeder:
    """A context manager that runs `tests.live.seed` for one server after another."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, **SETTINGS, "DATA_DIR": str(folder)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.live.seed"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, database: str, **wanted: Any) -> dict[str, Any]:
        """Sends a request, which tests/live/seed.py describes, and returns the answer.

        Raises SeedingError if the request failed; others can follow.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"database": database, **wanted}) + "\n")
        self._process.stdin.flush()
        answer = dict(json.loads(self._process.stdout.readline()))
        if "failed" in answer:
            raise SeedingError(answer["failed"])
        return answer

    def stop(self) -> None:
        self._process.communicate(timeout=PATIENCE_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
