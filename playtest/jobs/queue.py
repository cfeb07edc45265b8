"""The queue by which workers learn of jobs."""

import logging
from typing import Any

from kombu.exceptions import OperationalError

_log = logging.getLogger(__name__)


class Queue:
    """Enqueues jobs as calls of one Celery task, until the queue cannot be reached.

    A job that is not enqueued waits all the same: `lifecycle.requeue_stalled` enqueues it later.
    """

    def __init__(self, task: Any) -> None:
        self.reachable = True
        self._task = task

    def __call__(self, key: int) -> None:
        if not self.reachable:
            return
        try:
            self._task.delay(key)
        except (OperationalError, OSError):
            self.reachable = False
            _log.warning("The queue of jobs cannot be reached.", exc_info=True)
