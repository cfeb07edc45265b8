"""Runs several commands until told to end, and starts again what ended by itself.

Every command is a child of this process, and `scripts/with-parent` has the kernel end it when this process
does, however that came.
"""

import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping

LOOK_SECONDS = 0.2
STOP_SECONDS = 10.0
RESTART_SECONDS = 1.0
MOST_RESTARTS = 5
RESTARTS_WITHIN_SECONDS = 60.0
_TOLD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Child:
    """One command, as often as it has been started."""

    def __init__(self, name: str, command: str) -> None:
        self.name = name
        self._command = command
        self._ends: deque[float] = deque(maxlen=MOST_RESTARTS)
        self.start()

    def start(self) -> None:
        """In a session of its own, so that Ctrl-C reaches this process alone, which ends all in order."""
        self.process = subprocess.Popen(["/bin/sh", "-c", self._command], start_new_session=True)

    def ended_too_often(self, at: float) -> bool:
        """Note an end, in seconds of a clock that never goes back."""
        self._ends.append(at)
        return len(self._ends) == MOST_RESTARTS and at - self._ends[0] < RESTARTS_WITHIN_SECONDS

    def signal(self, number: signal.Signals) -> None:
        """Send it to all that the command has started in its session."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)


class Supervisor:
    """The commands by name, from start to end. What it has to say goes to standard error."""

    def __init__(self, commands: Mapping[str, str]) -> None:
        self._commands = commands
        self._told = False

    def run(self) -> int:
        """0 when told to end; 1 when one of the commands ended again and again, and so all had to."""
        for number in _TOLD:
            signal.signal(number, self._tell)
        children = [_Child(name, command) for name, command in self._commands.items()]
        try:
            return self._watch(children)
        finally:
            self._stop(children)

    def _tell(self, *_: object) -> None:
        self._told = True

    def _watch(self, children: list[_Child]) -> int:
        while not self._told:
            for child in children:
                if (code := child.process.poll()) is not None and not self._restart(child, code):
                    return 1
            time.sleep(LOOK_SECONDS)
        return 0

    def _restart(self, child: _Child, code: int) -> bool:
        if child.ended_too_often(time.monotonic()):
            _say(f"{child.name} ended (rc={code}) again and again, so everything ends. (process_unstable)")
            return False
        _say(f"{child.name} ended (rc={code}) and is started again.")
        time.sleep(RESTART_SECONDS)
        if not self._told:
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
            _say(f"{child.name} stopped (rc={code})")


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
