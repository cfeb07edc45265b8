"""Celery's broker in a folder, for installations without Redis: kombu's, but with atomic writes.

kombu writes a message under its final name, so a worker could read it while it is still empty, and crash; and
of two workers that start together one could lose the bindings of the other.
"""

import fcntl
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps

_POLL_SECONDS = 0.5


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Renames a message to its final name once it is complete; names sort by time."""
        folder = Path(self.data_folder_out)
        path = folder / f"{time.monotonic_ns() // 1_000_000}_{uuid.uuid4()}.{queue}.msg"
        unfinished = path.with_suffix(".part")
        unfinished.write_text(dumps(payload))
        unfinished.rename(path)

    def get_table(self, exchange: str) -> list[Any]:
        with self._alone():
            return list(super().get_table(exchange))

    def _queue_bind(self, exchange: str, *binding: Any) -> None:
        with self._alone():
            super()._queue_bind(exchange, *binding)

    def _delete(self, queue: str, exchange: str, *binding: Any, **kwargs: Any) -> None:
        with self._alone():
            super()._delete(queue, exchange, *binding, **kwargs)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process reads or writes a table of bindings: kombu empties one before it locks it."""
        self.control_folder.mkdir(exist_ok=True)
        with (self.control_folder / "tables.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # the kernel gives it back with the file
            yield


class Transport(filesystem.Transport):
    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """As kombu, but returns soon, so that a worker can stop when it is told to."""
        super().drain_events(connection, timeout and min(timeout, _POLL_SECONDS))
