"""A one-shot worker that does one part of a qualification: `python -m engine.confine.workers.qualification`.

Its messages (see `engine.confine.workers.one_shot`):

    request   part: {regime, number, seed, steps}, metadata, text, path, sends_calls, live_deadline (seconds),
              recordings: [{name, kind, seed, level, as_arcengine, actions, state_hashes}, ..]
    progress  {"done": steps}
    call      before each start and action, if `sends_calls`: so that the parent knows what was done last
    result    {"findings": [..], "traces": [[[trajectory, code], ..], ..], "samples": [trajectory, ..]}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.confine.process import printed_bytes
from engine.confine.workers.one_shot import Worker
from engine.errors import EngineError
from engine.prove.player import Player
from engine.prove.qualification.determinism import trace
from engine.prove.qualification.episodes import slow_findings
from engine.prove.qualification.findings import REPEATS, Finding, Timings, slow_levels
from engine.prove.qualification.fixed_checks import check_recordings, check_structure
from engine.prove.qualification.plan import DETERMINISM, LOAD, RECORDINGS, STRUCTURE, Part
from engine.prove.qualification.random_checks import play_part


def main() -> None:
    worker = Worker.start(
        "engine.confine.workers.qualification", "Does one part of a qualification.", ("done",)
    )
    player = worker.player(sends_calls=worker.request["sends_calls"])
    worker.answer(lambda: _result(worker.request, player, lambda done: worker.progress(done=done)))


def _result(request: dict[str, Any], player: Player, progress: Callable[[int], None]) -> dict[str, Any]:
    part = Part(**request["part"])
    traces: list[Any] = []
    findings: list[Finding] = []
    if part.regime == STRUCTURE:
        findings = check_structure(player, part.seed, progress)
        if printed := printed_bytes():
            message = f"It printed {printed:,} bytes while its levels were tried, which nobody sees."
            findings.append(Finding(LOAD, "prints", message, note=True))
    elif part.regime == RECORDINGS:
        findings = check_recordings(player, request["recordings"], progress)
    elif part.regime == DETERMINISM:
        halves = (lambda done: progress(done // 2), lambda done: progress((part.steps + done) // 2))
        timings: list[Timings] = [{}, {}]
        traces = [_traced(player, part, half, timing) for half, timing in zip(halves, timings, strict=True)]
        findings = _slow_levels(player, part, timings, lambda: progress(part.steps))
    else:
        findings = play_part(player, part, progress)
    findings += slow_findings(player, request["live_deadline"])
    findings += player.seen.values()
    samples = [sample.as_json() for sample in player.samples.values()]
    return {
        "findings": [finding.as_json() for finding in findings],
        "traces": traces,
        "samples": samples + [trajectory for trajectory, _ in (traces[0] if traces else ()) if trajectory],
    }


def _slow_levels(
    player: Player, part: Part, timings: list[Timings], alive: Callable[[], None]
) -> list[Finding]:
    """The levels that are still too slow when the same actions were timed several times."""
    while (findings := slow_levels(timings)) and len(timings) < REPEATS:
        timings.append({})
        _traced(player, part, lambda done: alive(), timings[-1])
    return findings


def _traced(player: Player, part: Part, progress: Callable[[int], None], timings: Timings) -> list[Any]:
    try:
        traced = trace(player, part.seed, part.steps, progress, timings)
        return [[trajectory.as_json(), code] for trajectory, code in traced]
    except EngineError as error:
        return [[None, error.code]]


if __name__ == "__main__":
    main()
