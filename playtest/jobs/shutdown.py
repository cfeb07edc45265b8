"""A worker that is told to end gives its jobs back, so that another worker does them."""

import threading

requested = threading.Event()
"""Set once the worker was told to end."""


class Interrupted(Exception):
    """The worker is ending, so its job must be done again."""


def raise_if_requested() -> None:
    """Raises Interrupted once the worker was told to end."""
    if requested.is_set():
        raise Interrupted
