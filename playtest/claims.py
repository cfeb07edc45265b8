"""A file that one process at a time holds, for as long as it lives: it cannot be forgotten behind a crash."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings


class Impossible(Exception):
    """It cannot be served; the message says why and what to do."""


@contextmanager
def data_being_served(name: str = "serve.lock") -> Iterator[None]:
    """Hold DATA_DIR; nobody has to where Redis shares broker and channel layer.

    Raises Impossible data_in_use.
    """
    if settings.REDIS_URL:
        yield
        return

    def refuse(where: str) -> None:
        raise Impossible(
            f"{settings.DATA_DIR} is being served already, at {where}. (data_in_use)\n"
            "End that one first, or keep other data: make up DATA_DIR=/somewhere/else PORT=8001"
        )

    with claim(settings.DATA_DIR / name, refuse) as file:
        file.write(f"http://{settings.HOST}:{settings.PORT}/")
        file.flush()
        yield


@contextmanager
def claim(path: Path, otherwise: Callable[[str], None]) -> Iterator[IO[str]]:
    """Hold the file, open for what its holder has to say.

    While another process holds it, `otherwise` is given what that one wrote: unless it raises, we wait.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            otherwise(file.read())
            fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        yield file
