"""Batches of random play in confined processes of their own (`engine.confine.workers.random_play`)."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from engine.confine.client import run_worker
from engine.play.source import Source
from engine.prove.player import Batch
from playtest.studio.processes.limits import seconds_for, worker_limits

SILENCE_SECONDS = 25.0

type Report = Callable[[int], None]
"""Receives how many tries of a batch are done, several times a second; may raise, which ends the batch."""


def play_batch(source: Source, batch: Batch, report: Report) -> dict[str, Any]:
    """The report of a batch, as `engine.prove.player.play` returns it.

    Raises as `engine.confine.client.run_worker`.
    """
    return run_worker(
        "engine.confine.workers.random_play",
        {"metadata": source.metadata, "text": source.text, "path": source.path, **asdict(batch)},
        worker_limits(),
        counts=("done",),
        silence=SILENCE_SECONDS,
        seconds=seconds_for(batch.tries * batch.budget),
        check=lambda result: checked(result["report"], batch),
        on_progress=lambda counts: report(min(counts["done"], batch.tries)),
    )


def checked(report: object, batch: Batch) -> dict[str, Any]:
    """The report of this batch. Raises ValueError if foreign code has written something else."""
    match report:
        case {
            "tries": int(tries),
            "wins": list(wins),
            "lost": int(lost),
            "stuck": int(stuck),
            "actions": int(actions),
            "faults": dict(faults),
        } if len(wins) + lost + stuck <= tries == batch.tries - _count(faults) and _are_wins(wins, batch):
            found = {"tries": tries, "wins": wins, "lost": lost, "stuck": stuck}
            if min(lost, stuck, tries) >= 0 <= actions <= tries * batch.budget:
                return found | {"actions": actions, "faults": faults}
    raise ValueError("this is not a report of the batch")


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
    """How many tries ended in a fault. Raises ValueError if `faults` is malformed."""
    if not all(
        isinstance(code, str) and isinstance(times, int) and times > 0 for code, times in faults.items()
    ):
        raise ValueError("these are not faults by their code")
    return sum(faults.values())
