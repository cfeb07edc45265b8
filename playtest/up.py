"""`python -m playtest.up`: what the Procfile lists, until told to end. When one ends, all do.

Each runs in a session of its own, so that Ctrl-C reaches this process alone, which has them end in order. On
Linux scripts/with-parent ends them when this process is gone without a word.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from playtest.claims import claim

PATIENCE_SECONDS = 10
"""So long they may give back what they do; then they are killed."""
SAME_SECONDS = 1
"""What tells us to end once more so soon is the same wish: a shell and its terminal may both say so."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

type Events = SimpleQueue[str | None]
"""The name of each process that has ended; None when we are told to end."""


class Impossible(Exception):
    """It cannot be served; the message says why and what to do."""


def main() -> int:
    try:
        with data():
            check_port(settings.HOST, settings.PORT)
            return serve()
    except (Impossible, ImproperlyConfigured) as error:
        say(str(error))
        return 1


@contextmanager
def data() -> Iterator[None]:
    """Hold DATA_DIR; with a broker and a channel layer that can be shared, nobody has to.

    Raises Impossible data_in_use.
    """
    if settings.REDIS_URL:
        yield
        return

    def refuse(where: str) -> None:
        raise Impossible(
            f"{settings.DATA_DIR} is being served already, at {where}. (data_in_use)\n"
            "End that one first, or keep other data: make up DATA_DIR=/somewhere/else PORT=8001"
        )

    with claim(settings.DATA_DIR / "up.lock", refuse) as file:
        file.write(f"http://{settings.HOST}:{settings.PORT}/")
        file.flush()
        yield


def check_port(host: str, port: int) -> None:
    """Raises Impossible address_unusable: before anything is started, and in words."""
    try:
        [*_, (family, _, _, _, place)] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(family) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(place)
            listener.listen()
    except OSError as error:
        raise Impossible(
            f"Port {port} of {host} cannot be had: {error.strerror}. (address_unusable)\n"
            "End what uses it, or choose another: make up PORT=8001"
        ) from error


def serve() -> int:
    """Start all, and stay until they have ended; 1 if one of them did so by itself, else 0."""
    events: Events = SimpleQueue()
    for number in SIGNALS:
        signal.signal(number, lambda _number, _frame: events.put(None))
    running = {name: start(command) for name, command in commands()}
    for name, process in running.items():
        threading.Thread(target=tell, args=(name, process, events), daemon=True).start()
    first = events.get()
    if first is not None:
        status = running[first].wait()
        say(f"{first} has ended (status {status}): so do the others.")
    end(running, events)
    return 0 if first is None else 1


def commands() -> Iterator[tuple[str, str]]:
    """Name and shell command of each process."""
    for line in (settings.BASE_DIR / "Procfile").read_text().splitlines():
        if found := re.fullmatch(r"([\w-]+):\s*(.+)", line):
            yield found[1], found[2]


def start(command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command, shell=True, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL, start_new_session=True
    )


def tell(name: str, process: subprocess.Popen[bytes], events: Events) -> None:
    process.wait()
    events.put(name)


def end(running: dict[str, subprocess.Popen[bytes]], events: Events) -> None:
    """Ask all to end, and wait: not for ever, and no longer when told once more."""
    for process in running.values():
        process.terminate()
    asked = time.monotonic()
    while any(process.poll() is None for process in running.values()):
        waited = time.monotonic() - asked
        with suppress(Empty):
            told = events.get(timeout=max(PATIENCE_SECONDS - waited, 0))
            if told is not None or waited < SAME_SECONDS:
                continue
        kill(running)


def kill(running: dict[str, subprocess.Popen[bytes]]) -> None:
    """Each with what it has started."""
    for name, process in running.items():
        if process.poll() is None:
            say(f"{name} does not end: it is killed.")
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def say(words: str) -> None:
    sys.stderr.write(f"{words}\n")


if __name__ == "__main__":
    sys.exit(main())
