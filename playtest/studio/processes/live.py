"""Plays samples of a qualification again in a host as people have them, and compares."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.conf import settings

from engine.confine.answers import GarbledAnswer, nothing_of, outcome_of, turn_of
from engine.confine.client import died
from engine.confine.forked import ForkedHost, forked_host
from engine.confine.process import ProcessLimits
from engine.errors import EngineError
from engine.play.source import Source
from engine.prove.qualification.differences import live_difference
from engine.prove.qualification.findings import COSTLY, Finding, Trajectory
from playtest.studio.processes.limits import seconds_for

SILENCE_SECONDS = 20.0


def compare_with_live(
    source: Source, samples: Sequence[Trajectory], alive: Callable[[], None]
) -> list[Finding]:
    """A finding of the first sample that goes on differently; none if all go on as they did.

    `alive` is called before each action, and may raise.
    """
    if not samples:
        return []
    limits = ProcessLimits(settings.ENGINE_DEADLINE_SECONDS, memory=settings.ENGINE_MEMORY_MEGABYTES)
    seconds = seconds_for(sum(len(sample.actions) for sample in samples))
    with forked_host(limits, silence=SILENCE_SECONDS, seconds=seconds) as host:
        asked = {"digest": source.digest, "metadata": source.metadata}
        _ask(host, nothing_of, op="load", text=source.text, path=source.path, **asked)
        for number, sample in enumerate(samples, start=1):
            if found := _difference(host, source, number, sample, alive):
                at, why = found
                return [live_difference(sample, at, why)]
    return []


def _difference(
    host: ForkedHost, source: Source, number: int, sample: Trajectory, alive: Callable[[], None]
) -> tuple[int, str] | None:
    """The first action at which a sample differs, and a sentence; 0 is its start."""
    rules = {"level": sample.level, "as_arcengine": sample.as_arcengine, "all_actions": False}
    start: dict[str, Any] = {"op": "start", "digest": source.digest, "seed": sample.seed, **rules}
    acts: list[dict[str, Any]] = [
        {"op": "act", "action": [action.id, action.x, action.y]} for action in sample.actions
    ]
    for at, request in enumerate([start, *acts]):
        alive()
        expected = sample.hashes[at] if at < len(sample.hashes) else None
        try:
            turn = _ask(host, partial(turn_of, seq=at), game=number, **request)
        except EngineError as error:
            # The machine, too, decides when time or memory run out.
            return None if expected is None or error.code in COSTLY else (at, error.message)
        if expected is None:
            return at, "It does not fail here."
        if turn.state_hash != expected:
            return at, "It leads to another state."
    _ask(host, nothing_of, op="stop", game=number)
    return None


def _ask[T](host: ForkedHost, check: Callable[[dict[str, Any]], T], **request: Any) -> T:
    """What the host answers. Raises EngineError, as it answers or if it ends."""
    try:
        outcome = outcome_of(host.ask(request), check)
    except GarbledAnswer as error:
        raise died() from error
    if isinstance(outcome, EngineError):
        raise outcome
    return outcome
