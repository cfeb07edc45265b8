"""Parts of qualifications done in confined processes of their own (`engine.trial`), watched from outside."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import Any

from django.conf import settings

from engine.actions import Action
from engine.qualification.fixed_checks import compare_traces
from engine.qualification.plan import DETERMINISM, LEVELS, LOAD, STRUCTURE, Finding, Part, Tape
from engine.source import Source
from playtest.studio.processes import Silent, converse

SILENCE_SECONDS = 25.0

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

    def share(number: int) -> Report:
        return lambda done: report((number * part.steps + done) // (1 + len(others)))

    first = _trial(source, part, (), share(0))
    besides = [Finding.of(finding) for finding in first["findings"]]
    if not first["traces"]:
        return besides
    trace, again = first["traces"]
    findings = compare_traces(trace, again, "nondeterministic")
    for number, (code, hash_seed) in enumerate(others, start=1):
        if findings:
            break
        other = _trial(source, part, (), share(number), hash_seed=hash_seed)
        findings = compare_traces(trace, (other["traces"] or [[[None, "process_ended"]]])[0], code)
    return findings + besides


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
        "live_deadline": settings.ENGINE_DEADLINE_SECONDS,
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
    talk = converse("engine.trial", request, silence=SILENCE_SECONDS, hash_seed=hash_seed)
    try:
        with closing(talk):
            for message in talk:
                if message is not None:
                    course.take(message)
                if course.end is not None:
                    break
                report(course.done)
    except Silent:
        course.silent = True
    return course
