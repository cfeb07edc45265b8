"""What only running an environment tells, learnt in an engine host of its own (`engine.host`)."""

import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from threading import Event
from typing import Any

from django.conf import settings

from engine.actions import Action
from engine.answers import error_of, printed_of, turn_of
from engine.errors import EngineError, EnvironmentFault, SourceError
from engine.game import WIN
from engine.pipe import complete, described, packed, unpacked
from engine.source import Source

_PATIENCE_SECONDS = 20
"""For the process itself, on top of what the start of an environment may take."""
_LOOK_SECONDS = 0.2
_LONGEST_OPENING = 16 * 1024 * 1024
_LONGEST_PLAY = 512 * 1024 * 1024
_READ_BYTES = 64 * 1024
_STUBBORN = EnvironmentFault(
    "deadline_exceeded", "The environment took too long for one action and could not be interrupted."
)


@dataclass(frozen=True)
class Facts:
    """How many levels there are, the ids (1..7) of the actions available at the start, what was printed."""

    levels: int
    available_actions: tuple[int, ...]
    printed_bytes: int = 0


def inspect(source: Source, stop: Event | None = None) -> Facts:
    """Start the environment once, confined as for a participant: time, memory and output are bounded.

    Once `stop` is set it ends at once, and what it tells then is worth nothing.

    Raises EngineError with the engine's own code, `no_levels`, or `host_died` when nothing sensible came back
    in time. How many levels are enough is no matter here: a prototype may be tried before it is complete.
    """
    try:
        requests = [*_opening(source, 0), {"op": "printed"}]
        answers = _said(source, requests, _LONGEST_OPENING, stop)
        if error := _error(answers):
            raise error
        facts = _facts(source, answers)
    except EngineError as error:
        if error.code == "deadline_exceeded":
            most = settings.INSPECTION_SECONDS
            message = f"The environment took more than {most:g} s to start."
            raise EnvironmentFault(error.code, message) from error
        raise
    if not facts.levels:
        raise SourceError("no_levels", "it has no level: add at least one.", file=source.path)
    return facts


def play(
    source: Source, seed: int, actions: Iterable[Action], level: int = 1, *, as_arcengine: bool = False
) -> tuple[list[dict[str, Any]], EngineError | None]:
    """The opening turn and every action's, as `engine.host` tells them, and the error that ended it, if any.

    Playing stops at the turn that wins. Raises EngineError as `carry_out`.
    """
    turns: list[dict[str, Any]] = []
    for answer in carry_out(source, seed, actions, level, as_arcengine=as_arcengine):
        if isinstance(answer, EngineError):
            return turns, answer
        turns.append(answer)
        if answer["state"] == WIN:
            break
    return turns, None


def carry_out(
    source: Source,
    seed: int,
    actions: Iterable[Action],
    level: int = 1,
    *,
    as_arcengine: bool = False,
    stop: Event | None = None,
) -> list[dict[str, Any] | EngineError]:
    """The opening turn, then for each action its turn or the error it led to.

    Where it went no further, the last is that error. `as_arcengine`: by arcengine's rules, not by those for
    people (`engine.game.Game.start`). Once `stop` is set it ends at once. Raises EngineError as `inspect`
    when there is not even an opening.
    """
    acts = [{"op": "act", "game": 1, "action": [action.id, action.x, action.y]} for action in actions]
    opening = _opening(source, seed, level, as_arcengine=as_arcengine)
    answers = _said(source, [*opening, *acts], _LONGEST_PLAY, stop)
    told = [_error([answer]) if "error" in answer else answer for answer in answers]
    error = next((one for one in told[: len(opening)] if isinstance(one, EngineError)), None)
    if error or len(told) < len(opening):
        raise error or _died(source)
    found = [one or _died(source) for one in told[len(opening) - 1 :]]
    _check(source, found)
    return found if len(found) > len(acts) else [*found, _died(source)]


def _check(source: Source, found: Iterable[dict[str, Any] | EngineError]) -> None:
    """Raises SourceError host_died unless these are a host's turns: foreign code may have written them."""
    turns = (one for one in found if not isinstance(one, EngineError))
    try:
        for seq, turn in enumerate(turns):
            turn_of(turn, seq)
    except ValueError as error:
        raise _died(source) from error


def _opening(
    source: Source, seed: int, level: int = 1, *, as_arcengine: bool = False
) -> list[dict[str, Any]]:
    begun = {"level": level} if level > 1 else {}
    return [
        {
            "op": "load",
            "digest": source.digest,
            "metadata": source.metadata,
            "text": source.text,
            "path": source.path,
        },
        {"op": "start", "game": 1, "digest": source.digest, "seed": seed, "as_arcengine": as_arcengine}
        | begun,
    ]


def _said(
    source: Source, requests: list[dict[str, Any]], most: int, stop: Event | None = None
) -> list[dict[str, Any]]:
    """What the host answered, the last that it would not be interrupted if it had to be ended."""
    numbered = ({"number": number, **request} for number, request in enumerate(requests))
    try:
        sent = b"".join(map(packed, numbered))
    except (ValueError, OverflowError, TypeError) as error:
        message = f"this metadata cannot be passed on: {error}."
        raise SourceError("metadata_invalid", message, file=source.path) from error
    try:
        received, silent = _converse(sent, most, stop or Event())
        return _messages(received) + ([{"error": described(_STUBBORN)}] if silent else [])
    except ValueError as error:
        raise _died(source) from error


def _error(answers: list[dict[str, Any]]) -> EngineError | None:
    told = next((answer["error"] for answer in answers if "error" in answer), None)
    try:
        return None if told is None else error_of(told)
    except ValueError:  # foreign code wrote it
        return None


def _facts(source: Source, answers: list[dict[str, Any]]) -> Facts:
    """What the answers say, if they are what a host says: foreign code may have written or changed them."""
    try:
        _, opening, printed = answers
        turn, size = turn_of(opening, 0), printed_of(printed)
    except ValueError as error:
        raise _died(source) from error
    return Facts(turn.levels, turn.available_actions, size)


def _died(source: Source) -> SourceError:
    return SourceError("host_died", "the environment took its process down.", file=source.path)


def _converse(sent: bytes, most: int, stop: Event) -> tuple[bytes, bool]:
    """All that the host says, until it ends or has said more than `most` bytes; whether it fell silent."""
    memory = settings.ENGINE_MEMORY_MEGABYTES
    command = [
        *(sys.executable, "-m", "engine.host", "--memory", str(memory), "--host-memory", str(2 * memory)),
        *("--start-deadline", str(settings.INSPECTION_SECONDS)),
    ]
    environment = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryFile() as requests:
        requests.write(sent)
        requests.seek(0)
        process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=requests,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=settings.BASE_DIR,
            env=environment,
            start_new_session=True,  # what ends this process from a terminal is no fault of the environment
        )
        try:
            return _received(process, most, stop)
        finally:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


def _received(process: subprocess.Popen[bytes], most: int, stop: Event) -> tuple[bytes, bool]:
    assert process.stdout is not None
    received = bytearray()
    heard = time.monotonic()
    silent = False
    while len(received) <= most and not silent and not stop.is_set():
        silent = time.monotonic() - heard > _PATIENCE_SECONDS + settings.INSPECTION_SECONDS
        if not select.select([process.stdout], [], [], _LOOK_SECONDS)[0]:
            continue
        chunk = os.read(process.stdout.fileno(), _READ_BYTES)
        if not chunk:
            break
        received += chunk
        heard, silent = time.monotonic(), False
    return bytes(received[:most]), silent


def _messages(received: bytes) -> list[dict[str, Any]]:
    """The whole answers, without their numbers; ValueError when they are none."""
    answers = [unpacked(body) for body in complete(bytearray(received), _LONGEST_PLAY)]
    for number, answer in enumerate(answers):
        if answer.pop("number", None) != number:
            raise ValueError("no answer of a host")
    return answers
