"""A file that one process at a time holds, for as long as it lives: it cannot be forgotten behind a crash."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


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
