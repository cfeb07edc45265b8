"""Searches of state graphs in confined processes of their own (`engine.search`), watched from outside."""

from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

from engine.answers import error_of
from engine.errors import EngineError, EnvironmentFault
from engine.source import Source
from playtest.rules.protocol import DEFAULT
from playtest.studio.processes import Silent, converse

SILENCE_SECONDS = 180.0
"""The chances of a large graph take their time."""

type Report = Callable[[Mapping[str, int]], None]
"""Told nodes, edges, steps and depth of a search, several times a second; may raise, which ends it."""


def search(
    source: Source,
    *,
    seed: int,
    level: int,
    limits: Mapping[str, Any],
    budget: int | None,
    fewest: int | None,
    report: Report,
) -> dict[str, Any]:
    """The search's last message: report, graph, state_hashes.

    `budget`: actions of a random player; None for those of one try, by the `fewest` known to win the level or
    found to.

    Raises EngineError with the engine's code, EnvironmentFault deadline_exceeded or host_died when the
    process had to be ended or ended early, and what `report` raises.
    """
    request = {
        "metadata": source.metadata,
        "text": source.text,
        "path": source.path,
        "seed": seed,
        "level": level,
        "limits": dict(limits),
        "budget": budget,
        "fewest": fewest,
        "factor": DEFAULT.random_player.budget_factor,
    }
    progress: Mapping[str, int] = {"nodes": 0, "edges": 0, "steps": 0, "depth": 0}
    talk = converse("engine.search", request, silence=SILENCE_SECONDS)
    try:
        with closing(talk):
            for message in talk:
                if message is not None and "error" in message:
                    raise error_told(message["error"])
                if message is not None and "report" in message:
                    return message
                progress = message or progress
                report(progress)
    except Silent:
        sentence = "The environment took too long and would not be interrupted."
        raise EnvironmentFault("deadline_exceeded", sentence) from None
    raise died()


def error_told(description: object) -> EngineError:
    """The error that a process told of; `died` where it makes no sense."""
    try:
        return error_of(description)
    except ValueError:  # foreign code wrote it
        return died()


def died() -> EnvironmentFault:
    """What is said of a process that ended early, or wrote what it would not."""
    return EnvironmentFault("host_died", "The environment took its process down.")
