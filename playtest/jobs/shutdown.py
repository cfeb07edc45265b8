"""A worker that is about to end gives back what it does, for whoever comes next."""

import threading

ending = threading.Event()
"""Set once the worker was told to end."""


class Interrupted(Exception):
    """The worker ends: what it was doing has to be done again."""


def look() -> None:
    """Raises Interrupted if the worker is about to end."""
    if ending.is_set():
        raise Interrupted
