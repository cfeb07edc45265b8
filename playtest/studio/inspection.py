"""What only running an environment tells, learnt in an engine host of its own (`engine.host`)."""

import struct
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import msgpack
from django.conf import settings

from engine.errors import EngineError
from engine.source import Source

_PATIENCE_SECONDS = 30
_LENGTH = struct.Struct("<I")


@dataclass(frozen=True)
class Facts:
    """How many levels there are, and the ids (1..7) of the actions available at the start."""

    levels: int
    available_actions: tuple[int, ...]


def inspect(source: Source) -> Facts:
    """Start the environment once, confined as for a participant.

    Raises EngineError with the engine's own code, or `host_died` when nothing came back in time.
    """
    requests: list[dict[str, Any]] = [
        {
            "op": "load",
            "digest": source.digest,
            "metadata": source.metadata,
            "text": source.text,
            "path": source.path,
        },
        {"op": "start", "game": 1, "digest": source.digest, "seed": 0, "full_reset": False},
    ]
    answers = _messages(_converse(b"".join(_framed(request) for request in requests)))
    for answer in answers:
        if problem := answer.get("error"):
            raise EngineError(problem["code"], problem["message"], **problem["details"])
    if len(answers) != 1 + len(requests):
        raise EngineError("host_died", f"{source.path}: the environment took its process down.")
    return Facts(answers[-1]["levels"], tuple(answers[-1]["available_actions"]))


def _converse(sent: bytes) -> bytes:
    command = [sys.executable, "-m", "engine.host", "--memory", str(settings.ENGINE_MEMORY_MEGABYTES)]
    environment = {"PYTHONHASHSEED": "0"}
    try:
        return subprocess.run(
            command,
            input=sent,
            stdout=subprocess.PIPE,
            cwd=settings.BASE_DIR,
            env=environment,
            timeout=_PATIENCE_SECONDS,
            check=False,
        ).stdout
    except subprocess.TimeoutExpired as error:
        return error.stdout or b""


def _framed(message: dict[str, Any]) -> bytes:
    packed: bytes = msgpack.packb(message)
    return _LENGTH.pack(len(packed)) + packed


def _messages(received: bytes) -> list[dict[str, Any]]:
    messages = []
    while len(received) >= _LENGTH.size:
        end = _LENGTH.size + _LENGTH.unpack_from(received)[0]
        if len(received) < end:
            break
        messages.append(msgpack.unpackb(received[_LENGTH.size : end]))
        received = received[end:]
    return messages
