"""`python -m playtest.serve.up`: checks that the data can be served, then runs what the Procfile lists.

With `--prepare` it prepares the data first, while the server imports what it consists of.

A command that ends by itself is restarted alone, after a wait that doubles up to 5 s while it keeps ending
soon. Every command is a child of this process; `scripts/with-parent` makes the kernel end it when this
process ends, for whatever reason.
"""

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from playtest.people.release import left_to_prepare
from playtest.serve.deployment import (
    CannotServe,
    file_lock,
    preparing,
    refuse_development,
    serving_lock,
)

POLL_SECONDS = 0.1
MOST_SECONDS_ALONE = 30.0
STOP_SECONDS = 10.0
FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 5.0
BEHIND = 5
"""The priority of what follows, as `nice` counts. At the lowest one it would keep the database's write lock
for as long as other programs want the processor, and the server could record nothing."""
STEADY_SECONDS = 10.0
"""A command that ran for so long is restarted as if it had never ended before."""
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class BackOff:
    """How long to wait before a command is started again. Times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._wait = FIRST_WAIT_SECONDS

    def after(self, seconds_run: float) -> float:
        """Seconds to wait after an end, when it had run for so long."""
        if seconds_run >= STEADY_SECONDS:
            self._wait = FIRST_WAIT_SECONDS
        wait = self._wait
        self._wait = min(2 * wait, LONGEST_WAIT_SECONDS)
        return wait


class _Child:
    """One command, started again when it ends, unless it is to run `once`."""

    def __init__(self, name: str, command: str, *, once: bool = False) -> None:
        self.name = name
        self.once = once
        self._command = command
        self._back_off = BackOff()
        self._start_at: float | None = None
        self.start()

    def start(self) -> None:
        """Starts it in its own session, so that Ctrl-C reaches only this process, which stops them all."""
        self.process = subprocess.Popen(["/bin/sh", "-c", self._command], start_new_session=True)
        self._started = time.monotonic()
        self._start_at = None

    def watch(self, now: float) -> None:
        """Starts it again once it has ended and its wait is over."""
        code = self.process.poll()
        if code is None or self.once:
            return
        if self._start_at is None:
            wait = self._back_off.after(now - self._started)
            self._start_at = now + wait
            self.signal(signal.SIGKILL)
            _print(f"{self.name} ended (rc={code}) and is restarted in {wait:g} s.")
        elif now >= self._start_at:
            self.start()

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to all processes of the command's session that are left."""
        try:
            os.killpg(self.process.pid, number)
        except (ProcessLookupError, PermissionError):  # all have ended; macOS says it with the second
            return


class Supervisor:
    """Runs commands, given by name. Messages go to standard error.

    The first is started before the others, which wait until `ready` says that it serves: they would take
    processor time from what people wait for. What `afterwards` names is run once then, at the lowest
    priority. `before` is run beside the first, which waits for it by itself; if it fails, nothing is served.
    """

    def __init__(
        self,
        commands: Mapping[str, str],
        ready: Callable[[], bool] = lambda: True,
        afterwards: Callable[[], Sequence[str]] = tuple,
        before: Sequence[str] = (),
    ) -> None:
        self._commands = dict(commands)
        self._before = before
        self._ready = ready
        self._afterwards = afterwards
        self._stopping = False

    def run(self) -> int:
        """Returns 0 when it is told to stop, or what `before` returned if it failed."""
        for number in _STOP_SIGNALS:
            signal.signal(number, self._request_stop)
        waiting = list(self._commands.items())
        children = [_Child(*waiting.pop(0))]
        try:
            if failed := self._run_before():
                return failed
            began = time.monotonic()
            while not self._stopping:
                for child in children:
                    child.watch(time.monotonic())
                if waiting and (self._ready() or time.monotonic() - began > MOST_SECONDS_ALONE):
                    children += [_Child(*one) for one in waiting]
                    waiting = []
                    if afterwards := self._afterwards():
                        command = shlex.join(["exec", "nice", "-n", str(BEHIND), *afterwards])
                        children.append(_Child("prepare", command, once=True))
                time.sleep(POLL_SECONDS)
            return 0
        finally:
            self._stop(children)

    def _run_before(self) -> int:
        if not self._before:
            return 0
        with file_lock(preparing(), lambda _: None), subprocess.Popen(self._before) as running:
            while running.poll() is None and not self._stopping:
                time.sleep(POLL_SECONDS / 2)
            running.terminate()
        return 0 if self._stopping else running.returncode

    def _request_stop(self, *_: object) -> None:
        self._stopping = True

    def _stop(self, children: list[_Child]) -> None:
        children = [child for child in children if not (child.once and child.process.poll() is not None)]
        for child in children:
            child.signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        for child in children:
            try:
                code = child.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                code = None
            child.signal(signal.SIGKILL)
            _print(f"{child.name} stopped (rc={child.process.wait() if code is None else code})")


def _print(sentence: str) -> None:
    with suppress(OSError):  # what runs must not end because the log is on a disk that is full
        sys.stderr.write(f"{sentence}\n")
        sys.stderr.flush()


def main() -> int:
    """Serves until it is told to stop. Returns 1 and prints the reason if it cannot serve, or no longer."""
    try:
        refuse_development()
        with serving_lock("up.lock"):
            with serving_lock():
                check_port(settings.HOST, settings.PORT)
            os.chdir(settings.BASE_DIR)
            return _supervisor().run()
    except (CannotServe, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1


def _supervisor() -> Supervisor:
    prepare = ["scripts/with-parent", "--kill", sys.executable, "manage.py", "prepare", "--only"]

    def rest() -> list[str]:
        return [*prepare, "rest"] if left_to_prepare().exists() else []

    before = [*prepare, "first"] if "--prepare" in sys.argv else []
    return Supervisor(commands(settings.BASE_DIR / "Procfile"), _serves, rest, before)


def _serves() -> bool:
    try:
        socket.create_connection((settings.HOST, settings.PORT), timeout=1).close()
    except OSError:
        return False
    return True


def commands(procfile: Path) -> dict[str, str]:
    """The shell command of each process, by name."""
    lines = (line.partition(":") for line in procfile.read_text().splitlines() if line.strip())
    return {name.strip(): command.strip() for name, _, command in lines}


def check_port(host: str, port: int) -> None:
    """Raises CannotServe address_unusable if the port is taken or cannot be used."""
    try:
        [*_, (family, _, _, _, place)] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(family) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(place)
            listener.listen()
    except OSError as error:
        raise CannotServe(
            f"Port {port} of {host} cannot be used: {error.strerror}. (address_unusable)\n"
            "Stop the program that uses it, or choose another port: make up PORT=8001"
        ) from error


if __name__ == "__main__":
    sys.exit(main())
