"""Retries failed database operations, so that a locked or restarting database does not end a job."""

import logging
import time
from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connection

from playtest.jobs import shutdown

DATABASE_ERRORS = (OperationalError, InterfaceError)
"""Errors of the database itself, for which no job is to blame."""
_PAUSE_SECONDS = 1.0
_LIMIT_SECONDS = 60.0
_log = logging.getLogger(__name__)


def retry[T](operation: Callable[[], T]) -> T:
    """Repeats the operation while the database is locked or gone, for a minute; not within a transaction."""
    until = time.monotonic() + _LIMIT_SECONDS
    while True:
        try:
            return operation()
        except DATABASE_ERRORS:
            if connection.in_atomic_block or shutdown.requested.is_set() or time.monotonic() > until:
                raise
            _log.warning("The database is locked or gone; trying again.", exc_info=True)
        connection.close()
        time.sleep(_PAUSE_SECONDS)
