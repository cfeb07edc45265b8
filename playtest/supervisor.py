"""Runs several commands until it is told to stop, and restarts those that end by themselves.

Every command is a child of this process. `scripts/with-parent` makes the kernel end it when this process
ends, for whatever reason.
"""

import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping

POLL_SECONDS = 0.2
STOP_SECONDS = 10.0
RESTART_SECONDS = 1.0
MAX_RESTARTS = 5
RESTARTS_WITHIN_SECONDS = 60.0
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Child:
    """One command, started once or more."""

    def __init__(self, name: str, command: str) -> None:
        self.name = name
        self._command = command
        self._ends: deque[float] = deque(maxlen=MAX_RESTARTS)
        self.start()

    def start(self) -> None:
        """Starts it in its own session, so that Ctrl-C reaches only this process, which stops them all."""
        self.process = subprocess.Popen(["/bin/sh", "-c", self._command], start_new_session=True)

    def ended_too_often(self, at: float) -> bool:
        """Whether it has ended too often, with this end at `at`, in seconds of a monotonic clock."""
        self._ends.append(at)
        return len(self._ends) == MAX_RESTARTS and at - self._ends[0] < RESTARTS_WITHIN_SECONDS

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to all processes of the command's session."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)


class Supervisor:
    """Runs commands, given by name. Messages go to standard error."""

    def __init__(self, commands: Mapping[str, str]) -> None:
        self._commands = commands
        self._stopping = False

    def run(self) -> int:
        """Returns 0 when it is told to stop, 1 if one of the commands ended too often."""
        for number in _STOP_SIGNALS:
            signal.signal(number, self._request_stop)
        children = [_Child(name, command) for name, command in self._commands.items()]
        try:
            return self._watch(children)
        finally:
            self._stop(children)

    def _request_stop(self, *_: object) -> None:
        self._stopping = True

    def _watch(self, children: list[_Child]) -> int:
        while not self._stopping:
            for child in children:
                if (code := child.process.poll()) is not None and not self._restart(child, code):
                    return 1
            time.sleep(POLL_SECONDS)
        return 0

    def _restart(self, child: _Child, code: int) -> bool:
        if child.ended_too_often(time.monotonic()):
            _print(f"{child.name} ended (rc={code}) too often, so everything stops. (process_unstable)")
            return False
        _print(f"{child.name} ended (rc={code}) and is restarted.")
        time.sleep(RESTART_SECONDS)
        if not self._stopping:
            child.start()
        return True

    def _stop(self, children: list[_Child]) -> None:
        for child in children:
            child.signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        for child in children:
            try:
                code = child.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.signal(signal.SIGKILL)
                code = child.process.wait()
            _print(f"{child.name} stopped (rc={code})")


def _print(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
