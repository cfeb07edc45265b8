"""What only running an environment tells, learnt in an engine host of its own (`engine.host`)."""

import struct
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgpack
from django.conf import settings

from engine.actions import Action
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
    opening = _answers(source, _opening(source, 0))[-1]
    return Facts(opening["levels"], tuple(opening["available_actions"]))


def play(source: Source, seed: int, actions: Iterable[Action]) -> list[dict[str, Any]]:
    """The opening turn and every action's, as `engine.host` tells them. Raises EngineError as `inspect`."""
    acts = [{"op": "act", "game": 1, "action": [action.id, action.x, action.y]} for action in actions]
    return _answers(source, [*_opening(source, seed), *acts])[2:]


def _opening(source: Source, seed: int) -> list[dict[str, Any]]:
    return [
        {
            "op": "load",
            "digest": source.digest,
            "metadata": source.metadata,
            "text": source.text,
            "path": source.path,
        },
        {"op": "start", "game": 1, "digest": source.digest, "seed": seed, "full_reset": False},
    ]


def _answers(source: Source, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """That the host is ready, and what it says to each request."""
    answers = _messages(_converse(b"".join(_framed(request) for request in requests)))
    for answer in answers:
        if problem := answer.get("error"):
            raise EngineError(problem["code"], problem["message"], **problem["details"])
    if len(answers) != 1 + len(requests):
        raise EngineError("host_died", f"{source.path}: the environment took its process down.")
    return answers


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
