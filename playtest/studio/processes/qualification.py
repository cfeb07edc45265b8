"""Parts of qualifications in confined processes of their own (`engine.confine.workers.qualification`)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.conf import settings

from engine.confine.client import died, run_worker
from engine.errors import EngineError
from engine.play.actions import Action
from engine.play.source import Source
from engine.prove.qualification.differences import compare_traces
from engine.prove.qualification.findings import REPEATS, Finding, Trajectory
from engine.prove.qualification.plan import DETERMINISM, LEVELS, LOAD, STRUCTURE, Part
from playtest.studio.processes.limits import seconds_for, worker_limits
from playtest.studio.processes.live import compare_with_live

SILENCE_SECONDS = 25.0

type Report = Callable[[int], None]
"""Receives how many steps of a part are done, several times a second; may raise, which ends the part."""
type Trace = list[Any]
"""What one game showed, as [[trajectory, code], ..]."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a part found; its traces are those of two games, for a part that checks determinism.

    `samples` are trajectories, to be played again where people play.
    """

    findings: list[Finding]
    traces: list[Trace] = field(default_factory=list)
    samples: list[Trajectory] = field(default_factory=list)


@dataclass(slots=True)
class _LastCalls:
    """The episode that was played last, and its actions."""

    seed: int = 0
    level: int = 1
    actions: list[Action] = field(default_factory=list)

    def add(self, call: dict[str, Any]) -> None:
        match call:
            case {"episode": [int(seed), int(level)]}:
                self.seed, self.level, self.actions = seed, level, []
            case {"action": [int(identifier), x, y]}:
                self.actions.append(Action(identifier, x, y))


def run_part(
    source: Source, part: Part, recordings: Sequence[Mapping[str, Any]], report: Report
) -> list[Finding]:
    """Does one part in this thread; returns what it found. Raises only what `report` raises."""
    done = _compare_processes if part.regime == DETERMINISM else _run
    found = done(source, part, recordings, report)
    return found.findings + compare_with_live(source, found.samples, lambda: report(part.steps))


def _compare_processes(
    source: Source, part: Part, recordings: Sequence[Mapping[str, Any]], report: Report
) -> Result:
    """Compares two games of one process with those of another and of two with other hash seeds."""
    others = [
        ("nondeterministic_in_another_process", "0"),
        ("nondeterministic_with_another_hash_seed", str(1 + part.seed)),
        ("nondeterministic_with_another_hash_seed", str(2 + part.seed)),
    ]

    def share(number: int) -> Report:
        return lambda done: report((number * part.steps + done) // (1 + len(others)))

    first = _run(source, part, recordings, share(0))
    if not first.traces:
        return first
    trace, again = first.traces
    findings = compare_traces(trace, again, "nondeterministic")
    for number, (code, hash_seed) in enumerate(others, start=1):
        if findings:
            break
        other = _run(source, part, recordings, share(number), hash_seed=hash_seed)
        third = other.traces[0] if other.traces else [[None, "process_ended"]]
        findings = compare_traces(trace, third, code)
    return Result(findings + first.findings, samples=first.samples)


def _run(
    source: Source,
    part: Part,
    recordings: Sequence[Mapping[str, Any]],
    report: Report,
    hash_seed: str = "0",
) -> Result:
    """The worker's result. Where the worker ends early it is run again, to learn what was done last."""
    request = {
        "part": asdict(part),
        "metadata": source.metadata,
        "text": source.text,
        "path": source.path,
        "recordings": list(recordings),
        "live_deadline": settings.ENGINE_DEADLINE_SECONDS,
    }
    calls = _LastCalls()
    steps = part.steps * (2 + REPEATS) if part.regime == DETERMINISM else part.steps
    steps += sum(len(recording["actions"]) for recording in recordings)

    def run(*, sends_calls: bool) -> Result:
        return run_worker(
            "engine.confine.workers.qualification",
            request | {"sends_calls": sends_calls},
            worker_limits(),
            counts=("done",),
            silence=SILENCE_SECONDS,
            seconds=seconds_for(steps),
            check=_result,
            on_progress=lambda counts: report(counts["done"]),
            on_call=calls.add,
            hash_seed=hash_seed,
        )

    try:
        return run(sends_calls=False)
    except EngineError:
        try:
            return run(sends_calls=True)
        except EngineError as error:
            return Result([_ended_early(part, calls, error)])


def _result(result: dict[str, Any]) -> Result:
    findings = [Finding.of(finding) for finding in result["findings"]]
    traces = result["traces"]
    if not isinstance(traces, list) or len(traces) not in (0, 2):
        raise ValueError("these are not traces")
    return Result(findings, traces, [Trajectory.of(sample) for sample in result["samples"]])


def _ended_early(part: Part, calls: _LastCalls, error: EngineError) -> Finding:
    check = part.regime
    if check == STRUCTURE:
        check = LEVELS if calls.actions or calls.level > 1 else LOAD
    trajectory = Trajectory(calls.seed, calls.level, tuple(calls.actions))
    code = "process_ended" if error.code == died().code else error.code
    return Finding(check, code, error.message, calls.level, recording=trajectory.as_json())
