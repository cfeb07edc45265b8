"""Random play in confined processes of its own (`engine.confine.workers.random_play`)."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from engine.confine.client import run_worker
from engine.play.source import Source
from engine.prove.chance import INFORMED_TRIES, INTERIM_RUNS, MOST, MOST_STAGES, SIZES, Question
from playtest.studio.processes.limits import seconds_for, worker_limits

SILENCE_SECONDS = 25.0
MEGABYTES = 2048
"""Of a whole process, which holds snapshots."""

type Report = Callable[[int], None]
"""Receives how much is done, several times a second; may raise, which ends the process."""


def play_at_random(source: Source, question: Question, report: Report) -> dict[str, Any]:
    """The report, as `engine.prove.random_play.answer` returns it.

    Raises as `engine.confine.client.run_worker`.
    """
    asked = asdict(question) | {"win": [[one.id, one.x, one.y] for one in question.win]}
    games = max(sum(SIZES) * INTERIM_RUNS[-1] * MOST_STAGES, *question.needed, 0)
    return run_worker(
        "engine.confine.workers.random_play",
        {"metadata": source.metadata, "text": source.text, "path": source.path, "question": asked},
        worker_limits(MEGABYTES),
        counts=("done",),
        silence=SILENCE_SECONDS,
        seconds=seconds_for(games * question.budget),
        check=lambda result: checked(result["report"], question),
        on_progress=lambda counts: report(min(counts["done"], MOST)),
    )


def checked(report: Any, question: Question) -> dict[str, Any]:
    """The report on this question. Raises ValueError if foreign code has written something else."""
    match report:
        case {
            "clicks": "uniform",
            "tries": int(tries),
            "wins": list(wins),
            "lost": int(lost),
            "stuck": int(stuck),
            "actions": int(actions),
            "faults": dict(faults),
            "informed": informed,
            "splitting": splitting,
        } if (
            len(wins) + lost + stuck <= tries
            and min(lost, stuck, tries) >= 0 <= actions <= tries * question.budget
            and _are_wins(wins, question)
            and all(isinstance(code, str) and _is_count(times) for code, times in faults.items())
            and (informed is None or _are_counts(informed, 2, INFORMED_TRIES))
            and (splitting is None or _are_runs(splitting))
        ):
            names = ("clicks", "tries", "wins", "lost", "stuck", "actions", "faults", "informed", "splitting")
            return {name: report[name] for name in names}
    raise ValueError("this is not a report of random play")


def _are_wins(wins: list[Any], question: Question) -> bool:
    return all(
        isinstance(win, list)
        and len(win) == 2
        and all(map(_is_count, win))
        and 1 <= win[1] <= question.budget
        for win in wins
    )


def _are_runs(splitting: Any) -> bool:
    match splitting:
        case {"particles": int(size), "stages": int(stages), "hits": list(hits), "wins": list(wins)}:
            return (
                size in SIZES
                and 1 <= stages <= MOST_STAGES + 1
                and len(hits) == len(wins) in INTERIM_RUNS
                and all(_are_counts(run, stages, size) for run in hits)
                and _are_counts(wins, len(hits), size)
            )
    return False


def _are_counts(found: Any, length: int, most: int) -> bool:
    """Whether it is a list of at most so many counts up to `most`."""
    return (
        isinstance(found, list)
        and 0 < len(found) <= length
        and all(_is_count(one) and one <= most for one in found)
    )


def _is_count(found: Any) -> bool:
    return isinstance(found, int) and found >= 0
