"""Celery's folder of messages, for when nothing else runs: kombu's own, but no message is seen half-written.

kombu writes a message under its final name, so that a worker may read it while it is still empty, and end.
"""

import time
import uuid
from pathlib import Path
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps

_TRIES = 100
_PAUSE_SECONDS = 0.01
_LOOK_SECONDS = 0.5


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """A message has its name once it is whole; names sort by time."""
        folder = Path(self.data_folder_out)
        path = folder / f"{time.monotonic_ns() // 1_000_000}_{uuid.uuid4()}.{queue}.msg"
        unfinished = path.with_suffix(".part")
        unfinished.write_text(dumps(payload))
        unfinished.rename(path)

    def get_table(self, exchange: str) -> list[Any]:
        """As kombu, but again while another process is still writing the table."""
        for _ in range(_TRIES):
            try:
                return list(super().get_table(exchange))
            except ValueError:
                time.sleep(_PAUSE_SECONDS)
        return list(super().get_table(exchange))


class Transport(filesystem.Transport):
    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """As kombu, but back soon, so that a worker that was told to end does."""
        super().drain_events(connection, timeout and min(timeout, _LOOK_SECONDS))
