"""Explorations in confined processes of their own (`engine.confine.workers.exploration`)."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.confine.client import Counts, run_worker
from engine.play.source import Source
from engine.prove.exploration.graph import unpacked
from playtest.rules.protocol import DEFAULT
from playtest.studio.processes.limits import EXPLORATION_MEGABYTES, worker_limits

SILENCE_SECONDS = (20.0, 180.0)
"""At least and at most. Computing the chances of a large graph takes long, and not longer than its search."""

type Report = Callable[[Counts], None]
"""Receives nodes, edges, steps and depth several times a second; may raise, which ends the exploration."""


def explore(
    source: Source,
    *,
    seed: int,
    level: int,
    limits: Mapping[str, Any],
    budget: int | None,
    fewest: int | None,
    report: Report,
) -> dict[str, Any]:
    """The worker's result: report, graph, states, state_hashes.

    `budget`: actions of a random player; None for those of one try, by the `fewest` known to win the level or
    found to. Raises as `engine.confine.client.run_worker`.
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
    shortest, longest = SILENCE_SECONDS
    silence = min(max(limits["seconds"], shortest), longest)
    return run_worker(
        "engine.confine.workers.exploration",
        request,
        worker_limits(EXPLORATION_MEGABYTES),
        counts=("nodes", "edges", "steps", "depth"),
        silence=silence,
        seconds=2 * limits["seconds"] + silence,  # searches that are repeated may go beyond the limit
        check=_checked,
        on_progress=report,
    )


def _checked(result: dict[str, Any]) -> dict[str, Any]:
    match result:
        case {
            "report": {"nodes": int(count), "shortest_win_actions": _},
            "graph": dict(),
            "states": states,
            "state_hashes": list(),
        } if states is None or _is_graph(states, count):
            return result
    raise ValueError("this is not the result of an exploration")


def _is_graph(states: Any, count: int) -> bool:
    """Whether these are the tables of a graph of so many states; raises ValueError if they are none."""
    match states:
        case {"nodes": bytes(nodes), "edges": bytes(edges)}:
            return len(unpacked(nodes, edges).nodes) == count
    return False
