"""Celery's broker in a folder, for installations without Redis: kombu's, but with atomic writes.

kombu writes a message under its final name, so a worker could read it while it is still empty, and crash.
"""

import time
import uuid
from pathlib import Path
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps

_TRIES = 100
_PAUSE_SECONDS = 0.01
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
        """As kombu, but retried while another process is still writing the table."""
        for _ in range(_TRIES):
            try:
                return list(super().get_table(exchange))
            except ValueError:
                time.sleep(_PAUSE_SECONDS)
        return list(super().get_table(exchange))


class Transport(filesystem.Transport):
    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """As kombu, but returns soon, so that a worker can stop when it is told to."""
        super().drain_events(connection, timeout and min(timeout, _POLL_SECONDS))
