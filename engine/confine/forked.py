"""A host that is forked as those of people are (`engine.confine.fork_server`), for callers that may block.

What an environment showed elsewhere is compared with what it does here: nothing in such a process tells it
from one at which somebody plays.
"""

from __future__ import annotations

import select
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from engine.confine.answers import packed
from engine.confine.client import CLOSE_SECONDS, POLL_SECONDS, Patience, died, ended_by, messages_in
from engine.confine.process import FORK, PROJECT, REQUEST, ProcessLimits, environment

START_SECONDS = 60.0
LONGEST_ANSWER_BYTES = 4 * 1024 * 1024
_READ_BYTES = 64 * 1024
_ONLY = 1


class ForkedHost:
    """One host of a fork server of its own, asked one request after the other."""

    def __init__(self, control: socket.socket, silence: float, seconds: float) -> None:
        self._control = control
        self._told = bytearray()
        self._answers = bytearray()
        self._number = 0
        self._socket, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(control, [REQUEST.pack(FORK, _ONLY)], [theirs.fileno()])
        self._patience = Patience(self._await("pid", START_SECONDS), silence, seconds)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer, without its number. Raises EnvironmentFault as `engine.confine.client.converse`."""
        self._number += 1
        with suppress(OSError):  # it has ended, as is found below
            self._socket.sendall(packed({"number": self._number} | request))
        while True:
            for answer in messages_in(self._answers, LONGEST_ANSWER_BYTES):
                if answer.pop("number", None) != self._number:
                    raise died()
                return answer
            heard = bool(select.select([self._socket], [], [], POLL_SECONDS)[0])
            self._patience.check(heard=heard)
            if heard:
                self._read()

    def close(self) -> None:
        self._socket.close()

    def _read(self) -> None:
        try:
            chunk = self._socket.recv(_READ_BYTES)
        except OSError:
            chunk = b""
        if not chunk:
            raise ended_by(self._await("ended", CLOSE_SECONDS))
        self._answers += chunk

    def _await(self, fact: str, seconds: float) -> Any:
        """What the fork server says of the host: its process, or its exit code. Raises EnvironmentFault."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            for message in messages_in(self._told, LONGEST_ANSWER_BYTES):
                if fact in message:
                    return message[fact]
            if select.select([self._control], [], [], left)[0]:
                self._told += self._control.recv(_READ_BYTES)
        raise died()


@contextmanager
def forked_host(limits: ProcessLimits, *, silence: float, seconds: float) -> Iterator[ForkedHost]:
    """A host with these limits, which ends with the block. `silence`, `seconds`: as `converse` takes them."""
    control, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            limits.command("engine.confine.fork_server"),
            stdin=theirs.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=PROJECT,
            env=environment(),
            start_new_session=True,
        )
    try:
        host = ForkedHost(control, silence, seconds)
        try:
            yield host
        finally:
            host.close()
    finally:
        control.close()  # at which the process kills its host
        with suppress(subprocess.TimeoutExpired):
            process.wait(CLOSE_SECONDS)
        process.kill()
        process.wait()
