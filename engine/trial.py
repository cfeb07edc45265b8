"""A process that does one part of a qualification and ends: `python -m engine.trial`.

Its messages (see `engine.errand`):

    request   part: {regime, number, seed, steps}, metadata, text, path, careful, live_deadline (seconds),
              recordings: [{name, kind, seed, level, as_arcengine, actions, state_hashes}, ..]
    progress  {"done": steps}                                      at first, then at most four a second
    careful   {"episode": [seed, level]}, {"action": [id, x, y]}   before each is done, if `careful`
    end       {"findings": [..], "traces": [[[tape, code], ..], ..]}

Foreign code runs as in `engine.host`: limits on time, memory, files, processes; what it prints goes nowhere.
Who started it asks for a careful run when it ended early, to know what was done last.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from engine.confined_player import ConfinedPlayer
from engine.errand import REPORT_SECONDS, Send, take
from engine.errors import EngineError
from engine.output import printed_bytes
from engine.player import Player
from engine.qualification.episodes import slow_findings
from engine.qualification.fixed_checks import check_recordings, check_structure
from engine.qualification.plan import DETERMINISM, LOAD, RECORDINGS, STRUCTURE, Finding, Part
from engine.qualification.random_checks import play_part, trace
from engine.qualification.speed import REPEATS, Paces, too_slow

LIVE_DEADLINE_SECONDS = 1.0


class Reporter:
    """Sends the progress, not more often than anyone wants to see it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._next = 0.0
        self._done = 0

    def __call__(self, done: int) -> None:
        self._done = done
        self.alive()

    def alive(self) -> None:
        """What is played over again counts for nothing, but goes on."""
        if (moment := time.monotonic()) >= self._next:
            self._next = moment + REPORT_SECONDS
            self._send({"done": self._done})


def do(request: dict[str, Any], player: Player, progress: Callable[[int], None]) -> dict[str, Any]:
    """The last message: what the part found."""
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
        paces: list[Paces] = [{}, {}]
        traces = [_traced(player, part, half, pace) for half, pace in zip(halves, paces, strict=True)]
        findings = _too_slow(player, part, paces, lambda: progress(part.steps))
    else:
        findings = play_part(player, part, progress)
    findings += slow_findings(player, request.get("live_deadline", LIVE_DEADLINE_SECONDS))
    return {"findings": [finding.as_json() for finding in findings], "traces": traces}


def _too_slow(player: Player, part: Part, paces: list[Paces], alive: Callable[[], None]) -> list[Finding]:
    """What is still too slow when it was timed often enough."""
    while (findings := too_slow(paces)) and len(paces) < REPEATS:
        paces.append({})
        _traced(player, part, lambda done: alive(), paces[-1])
    return findings


def _traced(player: Player, part: Part, progress: Callable[[int], None], paces: Paces) -> list[Any]:
    try:
        traced = trace(player, part.seed, part.steps, progress, paces)
        return [[tape.as_json(), code] for tape, code in traced]
    except EngineError as error:
        return [[None, error.code]]


def main() -> None:
    errand = take("engine.trial", "Does one part of a qualification; see engine/trial.py.", {"done": 0})
    reporter = Reporter(errand.send)
    player = ConfinedPlayer(
        errand.source,
        errand.confinement,
        errand.deadlines,
        before_call=errand.send if errand.request["careful"] else lambda call: None,
        after_action=reporter.alive,
    )
    errand.send(do(errand.request, player, reporter))


if __name__ == "__main__":
    main()
