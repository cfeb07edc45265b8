"""How a command that works for long is ended."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def termination_interrupts() -> Iterator[None]:
    """A polite request to end is as good as Ctrl-C."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
