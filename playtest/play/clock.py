"""The time in UTC that never jumps within a process: the wall clock at start plus monotonic time since."""

import time
from datetime import UTC, datetime, timedelta

_STARTED = datetime.now(UTC)
_STARTED_MONOTONIC = time.monotonic()


def now() -> datetime:
    """Aware UTC time, unaffected by changes of the machine's clock while this process runs."""
    return _STARTED + timedelta(seconds=time.monotonic() - _STARTED_MONOTONIC)
