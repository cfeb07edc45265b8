"""The channel layer of a process that serves alone."""

import time
from typing import Any

from channels.layers import InMemoryChannelLayer

SECONDS_BETWEEN_LOOKS = 1.0


class ChannelLayer(InMemoryChannelLayer):
    """Channels' layer in memory, which looks for what has expired once a second.

    Channels looks through all connections at each message: with a thousand people who come back together,
    that was a sixth of what the event loop did. What expires lasts a minute or a day.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._looks_at = 0.0

    def _clean_expired(self) -> None:
        if (moment := time.monotonic()) >= self._looks_at:
            self._looks_at = moment + SECONDS_BETWEEN_LOOKS
            super()._clean_expired()  # type: ignore[misc]  # its types do not know it
