"""File locks that a process holds until it ends, however it ends: a crash leaves none behind."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings


class CannotServe(Exception):
    """The message says why, and what to do."""


@contextmanager
def serving_lock(name: str = "serve.lock") -> Iterator[None]:
    """Locks DATA_DIR, unless Redis lets several servers share it. Raises CannotServe data_in_use."""
    if settings.REDIS_URL:
        yield
        return

    def refuse(where: str) -> None:
        raise CannotServe(
            f"{settings.DATA_DIR} is already being served at {where}. (data_in_use)\n"
            "Stop that server first, or serve other data: make up DATA_DIR=/somewhere/else PORT=8001"
        )

    with file_lock(settings.DATA_DIR / name, refuse) as file:
        file.write(f"http://{settings.HOST}:{settings.PORT}/")
        file.flush()
        yield


@contextmanager
def file_lock(path: Path, on_busy: Callable[[str], None]) -> Iterator[IO[str]]:
    """Locks a file and opens it for a message from its holder.

    If another process holds it, `on_busy` gets that one's message; unless it raises, this process waits.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            on_busy(file.read())
            fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        yield file
