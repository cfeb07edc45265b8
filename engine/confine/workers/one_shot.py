"""Runs a one-shot worker: reads its request, seals the process, sends messages, and ends.

The request is one message (framed as in `engine.confine.answers`) on standard input: what the worker's own
module documents, and the source that it plays. Messages on standard output have one field each:

    progress  counts by name, all 0 at first, then at most four messages a second
    call      {"episode": [seed, level]} or {"action": [id, x, y]}, before it is done, if asked for
    result    what was asked for: the last message
    error     {kind, code, message, details}, in place of a result

Foreign code runs as in `engine.confine.host`: limits on time, memory, files, processes; what it prints goes
nowhere. The worker ends when its output is closed. Who started it watches it from outside
(`engine.confine.client`).
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from engine.confine.answers import LENGTH_BYTES, described, length_of, packed, unpacked
from engine.confine.confined_player import ConfinedPlayer
from engine.confine.confinement import Confinement
from engine.confine.process import ProcessLimits, take_pipe
from engine.errors import EngineError
from engine.play.source import from_parts

PROGRESS_SECONDS = 0.25
"""Between two messages about progress."""


@dataclass(slots=True)
class Worker:
    """A sealed process with its request, and the pipe to the process that sent it."""

    request: dict[str, Any]
    _confinement: Confinement
    _limits: ProcessLimits
    _messages: BinaryIO
    _counts: dict[str, int]
    _next_progress: float = 0.0

    @classmethod
    def start(cls, module: str, description: str, counts: tuple[str, ...]) -> Worker:
        """Reads the request, seals the process and sends the first progress, of the counts so named."""
        limits = ProcessLimits.from_command_line(module, description)
        requests, messages = take_pipe()
        request = unpacked(requests.read(length_of(requests.read(LENGTH_BYTES))))
        confinement = Confinement(limits.memory, limits.process_memory)
        confinement.seal(messages.fileno())
        gc.freeze()
        worker = cls(request, confinement, limits, messages, dict.fromkeys(counts, 0))
        worker.alive()
        return worker

    def player(self, *, sends_calls: bool = False, adds_up_memory: bool = True) -> ConfinedPlayer:
        """Plays the request's source within the limits; `sends_calls` as a message before each is done."""
        return ConfinedPlayer(
            from_parts(self.request["metadata"], self.request["text"], self.request["path"]),
            self._confinement,
            (self._limits.start_deadline, self._limits.deadline),
            before_call=(lambda call: self._send("call", call)) if sends_calls else lambda call: None,
            after_action=self.alive,
            adds_up_memory=adds_up_memory,
        )

    def progress(self, **counts: int) -> None:
        """Sends how much is done, if the last message about it is long enough ago."""
        self._counts = counts
        self.alive()

    def alive(self) -> None:
        """Sends the same progress again, for work that counts for nothing, if it is time to."""
        if (moment := time.monotonic()) >= self._next_progress:
            self._next_progress = moment + PROGRESS_SECONDS
            self._send("progress", self._counts)

    def answer(self, work: Callable[[], dict[str, Any]]) -> None:
        """Does the work and sends its result, or the EngineError it raises."""
        try:
            self._send("result", work())
        except EngineError as error:
            self._send("error", described(error))

    def _send(self, field: str, content: dict[str, Any]) -> None:
        self._messages.write(packed({field: content}))
        self._messages.flush()
