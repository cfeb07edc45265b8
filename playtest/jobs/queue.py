"""The queue by which workers learn of jobs, and the warning on pages when it cannot be reached."""

import logging
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from kombu.exceptions import OperationalError

_UNREACHABLE = (
    "The queue of jobs cannot be reached, so no worker knows of this yet. It waits, and starts some minutes "
    "after the queue is back. (queue_unreachable)"
)
_log = logging.getLogger(__name__)


class Queue:
    """Enqueues jobs as calls of one Celery task, until the queue cannot be reached.

    A job that is not enqueued waits until `lifecycle.requeue_stalled` enqueues it.
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


def warn_if_unreachable(request: HttpRequest, *queues: Queue) -> None:
    """Says on the next page that a job waits because its queue cannot be reached."""
    if not all(queue.reachable for queue in queues):
        messages.warning(request, _UNREACHABLE)
