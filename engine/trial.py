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

import resource
import time
from collections.abc import Callable
from typing import Any

from engine.actions import CLICK, Action
from engine.confinement import Confinement
from engine.errand import REPORT_SECONDS, Send, take
from engine.errors import EngineError, EnvironmentFault
from engine.game import Game, Turn
from engine.output import printed_bytes
from engine.policy import Policy
from engine.qualification.episodes import Operator, slow_findings
from engine.qualification.fixed_checks import check_recordings, check_structure
from engine.qualification.plan import DETERMINISM, LOAD, RECORDINGS, STRUCTURE, Finding, Part
from engine.qualification.random_checks import play_part, trace
from engine.qualification.speed import REPEATS, Paces, too_slow
from engine.source import Source

LIVE_DEADLINE_SECONDS = 1.0


class Confined(Operator):
    """Every call of the environment within the limits; `before` is told of it, `alive` of each action."""

    def __init__(
        self,
        source: Source,
        confinement: Confinement,
        deadlines: tuple[float, float],
        before: Send | None,
        alive: Callable[[], None],
    ) -> None:
        super().__init__(source)
        self._alive = alive
        self._confinement = confinement
        self._start_deadline, self._deadline = deadlines
        self._before = before
        self._memory: dict[int, int] = {}

    def start(self, seed: int, level: int, *, as_arcengine: bool = False) -> Game:
        if self._before is not None:
            self._before({"episode": [seed, level]})
        starting = super().start
        try:
            game, used = self._confinement.run(
                lambda: starting(seed, level, as_arcengine=as_arcengine), self._start_deadline, 0
            )
        except EnvironmentFault as fault:
            raise _of_the_start(fault) from fault
        self._memory = {id(game): used}
        return game

    def act(self, game: Game, action: Action) -> Turn:
        if self._before is not None:
            self._before({"action": [action.id, action.x, action.y]})
        used = self._memory.get(id(game), 0)
        begun = _Watch()
        turn, self._memory[id(game)] = self._confinement.run(lambda: game.act(action), self._deadline, used)
        self.seconds = begun.seconds()
        self._alive()
        return turn

    def choose(self, policy: Policy, game: Game) -> Action:
        choosing = super().choose
        if CLICK not in game.turn.available_actions:  # nothing is asked of the environment
            return choosing(policy, game)
        used = self._memory.get(id(game), 0)
        try:
            return self._confinement.run(lambda: choosing(policy, game), self._deadline, used)[0]
        except EnvironmentFault as fault:
            message = f"Asked for the places that can be clicked: {fault.message}"
            raise EnvironmentFault(fault.code, message) from fault

    def identity(self, game: Game) -> bytes | None:
        identify = super().identity
        used = self._memory.get(id(game), 0)
        try:
            return self._confinement.run(lambda: identify(game), self._start_deadline, used)[0]
        except EnvironmentFault:  # too large to be seen through is no fault
            return None


class _Watch:
    """How long something takes: the processor's time, so that a busy machine is not told of; where it gave
    the processor away of its own accord, as a sleep does, the clock's.
    """

    def __init__(self) -> None:
        self._waits, self._computing, self._clock = _waits(), time.thread_time(), time.monotonic()

    def seconds(self) -> float:
        waited = _waits() > self._waits
        return time.monotonic() - self._clock if waited else time.thread_time() - self._computing


def _waits() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def _of_the_start(fault: EnvironmentFault) -> EnvironmentFault:
    if fault.code != "deadline_exceeded":
        return fault
    return EnvironmentFault(fault.code, "The environment took too long to start.")


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


def do(request: dict[str, Any], operator: Operator, progress: Callable[[int], None]) -> dict[str, Any]:
    """The last message: what the part found."""
    part = Part(**request["part"])
    traces: list[Any] = []
    findings: list[Finding] = []
    if part.regime == STRUCTURE:
        findings = check_structure(operator, part.seed, progress)
        if printed := printed_bytes():
            message = f"It printed {printed:,} bytes while its levels were tried, which nobody sees."
            findings.append(Finding(LOAD, "prints", message, note=True))
    elif part.regime == RECORDINGS:
        findings = check_recordings(operator, request["recordings"], progress)
    elif part.regime == DETERMINISM:
        halves = (lambda done: progress(done // 2), lambda done: progress((part.steps + done) // 2))
        paces: list[Paces] = [{}, {}]
        traces = [_traced(operator, part, half, pace) for half, pace in zip(halves, paces, strict=True)]
        findings = _too_slow(operator, part, paces, lambda: progress(part.steps))
    else:
        findings = play_part(operator, part, progress)
    findings += slow_findings(operator, request.get("live_deadline", LIVE_DEADLINE_SECONDS))
    return {"findings": [finding.as_json() for finding in findings], "traces": traces}


def _too_slow(operator: Operator, part: Part, paces: list[Paces], alive: Callable[[], None]) -> list[Finding]:
    """What is still too slow when it was timed often enough."""
    while (findings := too_slow(paces)) and len(paces) < REPEATS:
        paces.append({})
        _traced(operator, part, lambda done: alive(), paces[-1])
    return findings


def _traced(operator: Operator, part: Part, progress: Callable[[int], None], paces: Paces) -> list[Any]:
    try:
        traced = trace(operator, part.seed, part.steps, progress, paces)
        return [[tape.as_json(), code] for tape, code in traced]
    except EngineError as error:
        return [[None, error.code]]


def main() -> None:
    errand = take("engine.trial", "Does one part of a qualification; see engine/trial.py.", {"done": 0})
    reporter = Reporter(errand.send)
    before = errand.send if errand.request["careful"] else None
    operator = Confined(errand.source, errand.confinement, errand.deadlines, before, reporter.alive)
    errand.send(do(errand.request, operator, reporter))


if __name__ == "__main__":
    main()
