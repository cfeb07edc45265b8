"""Random play in confined processes of their own (`engine.random_play`), watched from outside."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from typing import Any

from engine.errors import EnvironmentFault
from engine.random_play import Batch
from engine.source import Source
from playtest.studio.processes import Silent, converse
from playtest.studio.searches import died, error_told

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
                    raise error_told(message["error"])
                if message is not None and "report" in message:
                    return checked(message["report"], batch)
                told = message.get("done") if message else done
                done = told if isinstance(told, int) and done <= told <= batch.tries else done
                report(done)
    except Silent:
        sentence = "The environment took too long and would not be interrupted."
        raise EnvironmentFault("deadline_exceeded", sentence) from None
    raise died()


def checked(report: object, batch: Batch) -> dict[str, Any]:
    """A report of this batch. Raises `died` where it is none: foreign code wrote it."""
    match report:
        case {
            "tries": int(tries),
            "wins": list(wins),
            "lost": int(lost),
            "stuck": int(stuck),
            "actions": int(actions),
            "faults": dict(faults),
        } if len(wins) + lost + stuck <= tries == batch.tries - _count(faults) and _are_wins(wins, batch):
            told = {"tries": tries, "wins": wins, "lost": lost, "stuck": stuck}
            if min(lost, stuck, tries) >= 0 <= actions <= tries * batch.budget:
                return told | {"actions": actions, "faults": faults}
    raise died()


def _are_wins(wins: list[Any], batch: Batch) -> bool:
    numbers = range(batch.first, batch.first + batch.tries)
    return all(
        isinstance(win, list)
        and len(win) == 2
        and win[0] in numbers
        and isinstance(win[1], int)
        and 1 <= win[1] <= batch.budget
        for win in wins
    )


def _count(faults: dict[Any, Any]) -> int:
    """How many tries they ended; more than any batch has where they are none."""
    sound = all(
        isinstance(code, str) and isinstance(times, int) and times > 0 for code, times in faults.items()
    )
    return sum(faults.values()) if sound else 10**9
