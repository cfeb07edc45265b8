"""A process that searches the state graph of one level and ends: `python -m engine.search`.

Its messages (see `engine.errand`):

    request   metadata, text, path, seed, level, limits: {nodes, edges, steps, seconds, depth},
              budget: actions, or null for `factor` times the fewest that are known to win (`fewest`, or null)
    progress  {"nodes", "edges", "steps", "depth"}      at first, then at most four a second
    end       {"report", "graph", "state_hashes"}       as `engine.exploration` tells them; hex state hashes
                                                        of the opening and each action of the shortest win
              {"error": {kind, code, message, details}} when there is no graph

Foreign code runs as in `engine.host`: limits on time, memory, files, processes; what it prints goes nowhere.
"""

from __future__ import annotations

import time
from typing import Any

from engine.actions import Action
from engine.confined_player import ConfinedPlayer
from engine.errand import REPORT_SECONDS, Send, take
from engine.errors import EngineError
from engine.exploration.explore import BUDGET, drawing, explore, report
from engine.exploration.graph import Graph, Kind, Limits
from engine.pipe import described
from engine.player import LevelPlayer

MOST_MEGABYTES = 2048
"""Of the whole search: it keeps states."""


class Reporter:
    """Sends the progress, not more often than anyone wants to see it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._next = 0.0

    def __call__(self, graph: Graph) -> None:
        if (moment := time.monotonic()) >= self._next:
            self._next = moment + REPORT_SECONDS
            self._send(
                {
                    "nodes": len(graph.nodes),
                    "edges": graph.edges,
                    "steps": graph.steps,
                    "depth": graph.nodes[-1].depth,
                }
            )


def do(request: dict[str, Any], player: LevelPlayer, send: Send) -> dict[str, Any]:
    """The last message."""
    try:
        graph = explore(player, Limits(**request["limits"]), time.monotonic, Reporter(send))
        told = report(graph, _budget(graph, request))
        return {"report": told, "graph": drawing(graph), "state_hashes": _hashes(player, told)}
    except EngineError as error:
        return {"error": described(error)}


def _budget(graph: Graph, request: dict[str, Any]) -> int:
    """The actions of a random player: what was asked for, else by the fewest that are known to win."""
    if request["budget"] is not None:
        return int(request["budget"])
    wins = [node.depth for node in graph.nodes if node.kind == Kind.WIN]
    known = [*wins, *filter(None, [request["fewest"]])]
    return int(request["factor"]) * min(known) if known else BUDGET


def _hashes(player: LevelPlayer, told: dict[str, Any]) -> list[str]:
    if told["shortest_win_actions"] is None:
        return []
    game = player.start()
    turns = [game.turn, *(player.act(game, Action(*action)) for action in told["shortest_win_actions"])]
    return [turn.state_hash.hex() for turn in turns]


def main() -> None:
    nothing = {"nodes": 0, "edges": 0, "steps": 0, "depth": 0}
    errand = take(
        "engine.search", "Searches one level's state graph; see engine/search.py.", nothing, MOST_MEGABYTES
    )
    request = errand.request
    player = ConfinedPlayer(
        errand.source,
        errand.confinement,
        errand.deadlines,
        adds_up_memory=False,  # the search's own memory grows between the calls
    )
    level_player = LevelPlayer(player, request["seed"], request["level"])
    errand.send(do(request, level_player, errand.send))


if __name__ == "__main__":
    main()
