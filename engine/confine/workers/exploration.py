"""A one-shot worker that explores one level and ends: `python -m engine.confine.workers.exploration`.

Its messages (see `engine.confine.workers.one_shot`):

    request   metadata, text, path, seed, level, limits: {nodes, edges, steps, seconds, depth},
              budget: actions, or null for `factor` times the fewest known to win (`fewest`, or null)
    progress  {"nodes", "edges", "steps", "depth"}
    result    {"report", "graph", "states", "state_hashes"}: as `engine.prove.exploration` returns them,
              `states` as `compact.packed`; the hex state hashes of the opening and of each action of the
              shortest win
"""

from __future__ import annotations

import time
from typing import Any

from engine.confine.workers.one_shot import Worker
from engine.play.actions import Action
from engine.prove.exploration.explore import explore
from engine.prove.exploration.graph import Limits, NodeKind, StateGraph, packed
from engine.prove.exploration.report import BUDGET, drawing, report
from engine.prove.player import LevelPlayer


def main() -> None:
    worker = Worker.start(
        "engine.confine.workers.exploration", "Explores one level.", ("nodes", "edges", "steps", "depth")
    )
    worker.answer(lambda: _explored(worker))


def _explored(worker: Worker) -> dict[str, Any]:
    request = worker.request
    # The graph's own memory grows between the calls of the environment.
    player = LevelPlayer(worker.player(adds_up_memory=False), request["seed"], request["level"])

    def progress(graph: StateGraph) -> None:
        worker.progress(
            nodes=len(graph.nodes), edges=graph.edges, steps=graph.steps, depth=graph.nodes[-1].depth
        )

    graph = explore(player, Limits(**request["limits"]), time.monotonic, progress)
    found = report(graph, _budget(graph, request))
    return {
        "report": found,
        "graph": drawing(graph),
        "states": packed(graph),
        "state_hashes": _hashes(player, found),
    }


def _budget(graph: StateGraph, request: dict[str, Any]) -> int:
    """The actions of a random player: what was asked for, else by the fewest that are known to win."""
    if request["budget"] is not None:
        return int(request["budget"])
    wins = [node.depth for node in graph.nodes if node.kind == NodeKind.WIN]
    known = [*wins, *filter(None, [request["fewest"]])]
    return int(request["factor"]) * min(known) if known else BUDGET


def _hashes(player: LevelPlayer, found: dict[str, Any]) -> list[str]:
    if found["shortest_win_actions"] is None:
        return []
    game = player.start()
    turns = [game.turn, *(player.act(game, Action(*action)) for action in found["shortest_win_actions"])]
    return [turn.state_hash.hex() for turn in turns]


if __name__ == "__main__":
    main()
