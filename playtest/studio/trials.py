"""Parts of qualifications done in confined processes of their own (`engine.trial`), watched from outside."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from django.conf import settings

from engine.actions import Action
from engine.pipe import LENGTH_BYTES, length_of, packed, unpacked
from engine.qualify import DETERMINISM, LEVELS, LOAD, STRUCTURE, Finding, Part, Tape
from engine.source import Source
from engine.structure import compare_traces

ACTION_SECONDS = 5.0
START_SECONDS = 10.0
SILENCE_SECONDS = 25.0
LOOK_SECONDS = 0.2
LONGEST_MESSAGE_BYTES = 64 * 1024 * 1024
_READ_BYTES = 64 * 1024

type Report = Callable[[int], None]
"""Told how many steps of a part are done, several times a second; may raise, which ends the part."""


@dataclass(slots=True)
class _Course:
    """What a trial has told so far: its last message, and in a careful run what was done last.

    `silent`: it was ended because it said nothing any more.
    """

    end: dict[str, Any] | None = None
    silent: bool = False
    done: int = 0
    seed: int = 0
    level: int = 1
    actions: list[Action] = field(default_factory=list)

    def take(self, message: dict[str, Any]) -> None:
        if "findings" in message:
            self.end = message
        elif "episode" in message:
            self.seed, self.level = message["episode"]
            self.actions = []
        elif "action" in message:
            self.actions.append(Action(*message["action"]))
        else:
            self.done = message["done"]


def run_part(
    source: Source, part: Part, recordings: Sequence[Mapping[str, Any]], report: Report
) -> list[Finding]:
    """Does one part here and now; what it found. Raises only what `report` raises."""
    if part.regime == DETERMINISM:
        return _compare_processes(source, part, report)
    end = _trial(source, part, recordings, report)
    return [Finding.of(finding) for finding in end["findings"]]


def _compare_processes(source: Source, part: Part, report: Report) -> list[Finding]:
    """Traces of two games in one process, of another process, and of two with other hash seeds."""
    others = [
        ("nondeterministic_in_another_process", "0"),
        ("nondeterministic_with_another_hash_seed", str(1 + part.seed)),
        ("nondeterministic_with_another_hash_seed", str(2 + part.seed)),
    ]
    first = _trial(source, part, (), report)
    if not first["traces"]:
        return [Finding.of(finding) for finding in first["findings"]]
    trace, again = first["traces"]
    findings = compare_traces(trace, again, "nondeterministic")
    for code, hash_seed in others:
        if findings:
            break
        other = _trial(source, part, (), report, hash_seed=hash_seed)
        findings = compare_traces(trace, (other["traces"] or [[[None, "process_ended"]]])[0], code)
    return findings


def _trial(
    source: Source,
    part: Part,
    recordings: Sequence[Mapping[str, Any]],
    report: Report,
    hash_seed: str = "0",
) -> dict[str, Any]:
    """The trial's last message. When the process ends early, it is done again to learn what was done last."""
    request = {
        "part": asdict(part),
        "metadata": source.metadata,
        "text": source.text,
        "path": source.path,
        "recordings": list(recordings),
    }
    course = _run(request | {"careful": False}, report, hash_seed)
    if course.end is None:
        course = _run(request | {"careful": True}, report, hash_seed)
    return course.end or {"findings": [_ended_early(part, course).as_json()], "traces": []}


def _ended_early(part: Part, course: _Course) -> Finding:
    check = part.regime
    if check == STRUCTURE:
        check = LEVELS if course.actions or course.level > 1 else LOAD
    tape = Tape(course.seed, course.level, tuple(course.actions))
    code, message = "process_ended", "The environment took its process down."
    if course.silent:
        code, message = "deadline_exceeded", "The environment took too long and would not be interrupted."
    return Finding(check, code, message, course.level, recording=tape.as_json())


def _run(request: dict[str, Any], report: Report, hash_seed: str) -> _Course:
    course = _Course()
    with _process(hash_seed) as process:
        for message in _messages(process, packed(request), course):
            if message is not None:
                course.take(message)
            if course.end is not None:
                break
            report(course.done)
    return course


@contextmanager
def _process(hash_seed: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [
        *(sys.executable, "-m", "engine.trial", "--memory", str(settings.ENGINE_MEMORY_MEGABYTES)),
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
    process: subprocess.Popen[bytes], request: bytes, course: _Course
) -> Iterator[dict[str, Any] | None]:
    """What the trial says, and None while it says nothing, until it ends or has been silent for too long."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(request)
        process.stdin.close()
    except BrokenPipeError:
        return
    received = bytearray()
    heard = time.monotonic()
    while not course.silent:
        course.silent = time.monotonic() - heard > SILENCE_SECONDS
        if not select.select([process.stdout], [], [], LOOK_SECONDS)[0]:
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
            raise ValueError("no trial has so much to say")
        if len(received) < end:
            return
        body = bytes(received[LENGTH_BYTES:end])
        del received[:end]
        yield unpacked(body)
