"""Processes of `engine` that do one long thing, confined, and tell how far they are."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.conf import settings

from engine.pipe import LENGTH_BYTES, length_of, packed, unpacked

ACTION_SECONDS = 5.0
START_SECONDS = 10.0
LOOK_SECONDS = 0.2
LONGEST_MESSAGE_BYTES = 64 * 1024 * 1024
_READ_BYTES = 64 * 1024


class Silent(Exception):
    """The process said nothing for too long."""


def converse(
    module: str, request: Mapping[str, Any], *, silence: float, hash_seed: str = "0"
) -> Generator[dict[str, Any] | None]:
    """What `python -m module` answers to one request, and None several times a second while it says nothing.

    Ends when the process does; closing it ends the process. Raises Silent after `silence`
    seconds without a message.
    """
    with _process(module, hash_seed) as process:
        yield from _messages(process, packed(dict(request)), silence)


@contextmanager
def _process(module: str, hash_seed: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [
        *(sys.executable, "-m", module, "--memory", str(settings.ENGINE_MEMORY_MEGABYTES)),
        *("--deadline", str(ACTION_SECONDS), "--start-deadline", str(START_SECONDS)),
    ]
    # No secrets, no Django; and the same games in every process, but for the hash seed that is asked for.
    environment = {"PYTHONHASHSEED": hash_seed, "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=settings.BASE_DIR,
        env=environment,
        start_new_session=True,  # what ends this process from a terminal is no fault of the environment
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def _messages(
    process: subprocess.Popen[bytes], request: bytes, silence: float
) -> Iterator[dict[str, Any] | None]:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(request)
        process.stdin.close()
    except BrokenPipeError:
        return
    received = bytearray()
    heard = time.monotonic()
    while True:
        if not select.select([process.stdout], [], [], LOOK_SECONDS)[0]:
            # Only what says nothing is silent: whoever listens may have been busy for as long.
            if time.monotonic() - heard > silence:
                raise Silent
            yield None
            continue
        chunk = os.read(process.stdout.fileno(), _READ_BYTES)
        if not chunk:
            return
        heard = time.monotonic()
        received += chunk
        try:
            yield from _complete(received)
        except ValueError:
            return


def _complete(received: bytearray) -> Iterator[dict[str, Any]]:
    """The whole messages at the beginning of what was received, which are taken out of it."""
    while len(received) >= LENGTH_BYTES:
        end = LENGTH_BYTES + length_of(bytes(received[:LENGTH_BYTES]))
        if end > LONGEST_MESSAGE_BYTES:
            raise ValueError("no process has so much to say")
        if len(received) < end:
            return
        body = bytes(received[LENGTH_BYTES:end])
        del received[:end]
        yield unpacked(body)
