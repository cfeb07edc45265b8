"""A confined process that does the one thing it is asked: what `engine.search` and `engine.trial` share.

It reads one message (framed as in `engine.pipe`) from standard input, seals itself and writes messages to
standard output. It ends when its output is closed. Who started it watches it from outside.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from engine.confinement import Confinement
from engine.host import take_pipe
from engine.pipe import LENGTH_BYTES, length_of, packed, unpacked
from engine.source import Source, from_parts

REPORT_SECONDS = 0.25
"""Between two messages about progress: nobody wants to see it more often."""

type Send = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Errand:
    """What is asked, of which source, and how it may be done.

    `deadlines`: the seconds that a start may take, and an action. `send` sends a message to who asked.
    """

    request: dict[str, Any]
    source: Source
    confinement: Confinement
    deadlines: tuple[float, float]
    send: Send


def take(module: str, does: str, first: dict[str, Any], whole_megabytes: int | None = None) -> Errand:
    """Reads the request and seals the process, which then says `first`.

    `whole_megabytes` is what the process may use in all: twice what the environment may, unless said.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=does)
    parser.add_argument("--deadline", type=float, default=5.0, help="seconds an action may take")
    parser.add_argument("--start-deadline", type=float, default=10.0, help="seconds a start may take")
    parser.add_argument("--memory", type=int, default=512, help="MB the environment may use")
    options = parser.parse_args()
    requests, answers = take_pipe()
    request = unpacked(requests.read(length_of(requests.read(LENGTH_BYTES))))
    confinement = Confinement(options.memory, whole_megabytes or 2 * options.memory)
    confinement.seal(answers.fileno())
    gc.freeze()
    send = _sender(answers)
    send(first)
    source = from_parts(request["metadata"], request["text"], request["path"])
    return Errand(request, source, confinement, (options.start_deadline, options.deadline), send)


def _sender(answers: BinaryIO) -> Send:
    def send(message: dict[str, Any]) -> None:
        answers.write(packed(message))
        answers.flush()

    return send
