"""Random play in confined processes of their own (`engine.random_play`), watched from outside."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from typing import Any

from engine.errors import EnvironmentFault
from engine.pipe import revived
from engine.random_play import Batch
from engine.source import Source
from playtest.studio.processes import Silent, converse

SILENCE_SECONDS = 25.0

type Report = Callable[[int], None]
"""Told how many tries of a batch are done, several times a second; may raise, which ends the batch."""


def play_batch(source: Source, batch: Batch, report: Report) -> dict[str, Any]:
    """What came of a batch, as `engine.random_play.play` tells it.

    Raises EngineError with the engine's code, EnvironmentFault deadline_exceeded or host_died when the
    process had to be ended or ended early, and what `report` raises.
    """
    request = {"metadata": source.metadata, "text": source.text, "path": source.path, **asdict(batch)}
    done = 0
    talk = converse("engine.random_play", request, silence=SILENCE_SECONDS)
    try:
        with closing(talk):
            for message in talk:
                if message is not None and "error" in message:
                    raise revived(message["error"])
                if message is not None and "report" in message:
                    found: dict[str, Any] = message["report"]
                    return found
                done = message["done"] if message else done
                report(done)
    except Silent:
        sentence = "The environment took too long and would not be interrupted."
        raise EnvironmentFault("deadline_exceeded", sentence) from None
    raise EnvironmentFault("host_died", "The environment took its process down.")
