"""The client of confined processes: starts one, sends it requests, receives its messages, and ends it.

For callers that may block. The server's event loop talks to its hosts in `playtest.play.hosts.process`, which
starts them with the same command and reads the same framing and answers.

Every process ends in one of four ways, whatever the environment did to it: with what was asked for, with an
error that it reported, with EnvironmentFault host_died when it ended early, was stopped or wrote anything but
its messages, or with EnvironmentFault deadline_exceeded when it sent nothing for too long or took too long in
all. Then it is killed. All of this is judged here, from outside: nothing that the process does gives it time.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from engine.confine.answers import complete, error_of, packed, unpacked
from engine.confine.deadline import usage_of
from engine.confine.process import PROJECT, ProcessLimits, environment
from engine.errors import EnvironmentFault

POLL_SECONDS = 0.2
CLOSE_SECONDS = 1.0
STOPPED_SECONDS = 1.0
LONGEST_MESSAGE_BYTES = 64 * 1024 * 1024
MOST_BYTES = 512 * 1024 * 1024
"""Of all messages of one process together."""
_READ_BYTES = 64 * 1024

type Counts = Mapping[str, int]


class Patience:
    """What a process may still take: seconds without a message, in all, and while a signal has stopped it.

    What it waits for a processor does not count: on a busy machine that may be nearly all.
    Time counts as it is checked: the caller may have been busy, or stopped itself, for any time in between.
    """

    def __init__(self, process: int, silence: float, seconds: float) -> None:
        self._process = process
        self._silence = silence
        self._seconds = seconds
        self._all = self._silent = self._stopped = 0.0
        self._seen = time.monotonic()
        self._usage = usage_of(process)

    def check(self, *, heard: bool) -> None:
        """Raises EnvironmentFault deadline_exceeded, or host_died if the process is stopped."""
        seen = time.monotonic()
        if heard:
            self._silent = self._stopped = 0.0
            if seen - self._seen < POLL_SECONDS:  # counted with the next check
                return
        passed, self._seen = min(seen - self._seen, 2 * POLL_SECONDS), seen
        before, self._usage = self._usage, usage_of(self._process)
        stopped = self._usage is not None and self._usage.stopped
        self._stopped = self._stopped + passed if stopped and not heard else 0.0
        if self._stopped > STOPPED_SECONDS:
            raise EnvironmentFault("host_died", "The environment stopped its process.")
        waited = self._usage.waited - before.waited if before and self._usage else 0.0
        spent = max(0.0, passed - waited)
        self._all += spent
        self._silent = 0.0 if heard else self._silent + spent
        if self._silent > self._silence:
            raise overdue()
        if self._all > self._seconds:
            message = f"The environment was not done in the {self._seconds:g} s that it may take in all."
            raise EnvironmentFault("deadline_exceeded", message)


def converse(
    module: str,
    requests: bytes,
    limits: ProcessLimits,
    *,
    silence: float,
    seconds: float,
    hash_seed: str = "0",
) -> Generator[dict[str, Any] | None]:
    """The messages of `python -m module`, and None several times a second while there is none.

    `requests`: all of them, packed. The process is killed when the generator is closed. Raises
    EnvironmentFault deadline_exceeded after `silence` seconds without a message and after `seconds` in all,
    host_died once no message can follow.
    """
    with _process(module, requests, limits, hash_seed) as process:
        output = process.stdout
        assert output is not None
        received, size, patience = bytearray(), 0, Patience(process.pid, silence, seconds)
        while True:
            heard = bool(select.select([output], [], [], POLL_SECONDS)[0])
            patience.check(heard=heard)
            if not heard:
                yield None
                continue
            chunk = os.read(output.fileno(), _READ_BYTES)
            size += len(chunk)
            if size > MOST_BYTES:
                raise died()
            if not chunk:
                raise ended_by(_exit_code(process))
            received += chunk
            yield from messages_in(received)


def run_worker[T](
    module: str,
    request: Mapping[str, Any],
    limits: ProcessLimits,
    *,
    counts: tuple[str, ...],
    silence: float,
    seconds: float,
    check: Callable[[dict[str, Any]], T],
    on_progress: Callable[[Counts], None],
    on_call: Callable[[dict[str, Any]], None] = lambda call: None,
    hash_seed: str = "0",
) -> T:
    """Returns what `check` returns for the result of a one-shot worker (`engine.confine.workers.one_shot`).

    `on_progress` receives the latest progress, which has these `counts`, several times a second; it may
    raise, which ends the worker. `check` raises LookupError, TypeError or ValueError for a result that no
    worker sends. Raises EngineError as the worker reports it or as `converse`, and what `on_progress` raises.
    """
    latest: Counts = dict.fromkeys(counts, 0)
    sent = packed(dict(request))
    messages = converse(module, sent, limits, silence=silence, seconds=seconds, hash_seed=hash_seed)
    with closing(messages):
        for message in messages:
            match message:
                case None:
                    pass
                case {"progress": dict(progress)} if _are_counts(progress, counts):
                    latest = progress
                case {"call": dict(call)}:
                    on_call(call)
                case {"result": dict(result)}:
                    return _checked(result, check)
                case {"error": description}:
                    raise _checked(description, error_of)
                case _:
                    raise died()
            on_progress(latest)
    raise died()


def died() -> EnvironmentFault:
    """The fault of a process that ended early, or wrote anything but its messages."""
    return EnvironmentFault("host_died", "The environment ended its process.")


def ended_by(code: int | None) -> EnvironmentFault:
    """The fault of a process that ended with this exit code: the negative number of a signal, if by one."""
    if code == -signal.SIGSYS:
        message = "The environment tried something that is not allowed here: a system call."
        return EnvironmentFault("forbidden_operation", message)
    if code is None:
        return died()
    return EnvironmentFault("host_died", f"The environment ended its process (exit code {code}).")


def overdue() -> EnvironmentFault:
    """The fault of a process that is killed because it does not answer in time."""
    message = "The environment took too long for one action and could not be interrupted."
    return EnvironmentFault("deadline_exceeded", message)


@contextmanager
def _process(
    module: str, requests: bytes, limits: ProcessLimits, hash_seed: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that finds its requests in a file, so that neither side waits for the other."""
    with tempfile.TemporaryFile() as file:
        file.write(requests)
        file.seek(0)
        process = subprocess.Popen(
            limits.command(module),
            bufsize=0,
            stdin=file,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=PROJECT,
            env=environment(hash_seed),
            start_new_session=True,  # Ctrl-C in a terminal is not a fault of the environment
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    """Of a process that has closed its output, unless it goes on."""
    try:
        return process.wait(CLOSE_SECONDS)
    except subprocess.TimeoutExpired:
        return None


def messages_in(received: bytearray, longest: int = LONGEST_MESSAGE_BYTES) -> Iterator[dict[str, Any]]:
    """The messages that are complete. Raises EnvironmentFault host_died if no process of ours wrote them."""
    try:
        for body in complete(received, longest):
            yield unpacked(body)
    except ValueError as error:
        raise died() from error


def _checked[S, T](content: S, check: Callable[[S], T]) -> T:
    """Foreign code may have written the content of a message."""
    try:
        return check(content)
    except (LookupError, TypeError, ValueError) as error:
        raise died() from error


def _are_counts(progress: dict[Any, Any], counts: tuple[str, ...]) -> bool:
    return progress.keys() == set(counts) and all(
        type(count) is int and count >= 0 for count in progress.values()
    )
