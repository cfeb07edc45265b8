"""What is said about a level's state graph, and how the search that says it is chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import rustworkx as rx

from engine.bounds import State
from engine.breadth_first import DrawsFound, Search, Untrue, Way, is_short_of_memory
from engine.errors import EnvironmentFault
from engine.graph import DRAWN, Graph, Kind, Limits, Node, Player
from engine.markov import chance, chance_within, winnable
from engine.proof import Proof, false_merge, prove_snapshots

BUDGET = 1_000
LEAST_SHARE = 0.2
_HEX = bytes.maketrans(bytes(range(16)), b"0123456789abcdef")


def explore(
    player: Player,
    limits: Limits,
    clock: Callable[[], float],
    tell: Callable[[Graph], None] = lambda graph: None,
) -> Graph:
    """The state graph of the player's level within the limits.

    Begins with what merges most and comes back fastest, and again with less where that turns out wrong.
    Raises EngineError when the level cannot be started, or does not repeat itself (`diverged`).
    """
    began = clock()
    proof = _tried(
        lambda: prove_snapshots(player, has_time=lambda: clock() - began < limits.seconds * LEAST_SHARE),
        Proof(False, "there is not enough memory to try it", draws=False),
    )
    way = Way(snapshots=proof.holds, seq_counts=proof.draws, merges=not proof.outside)
    why_path, unmerged = proof.why, proof.why if proof.outside else ""

    def has_time() -> bool:
        return clock() - began < limits.seconds * (1 + LEAST_SHARE)

    while True:
        left = max(limits.seconds * LEAST_SHARE, limits.seconds - (clock() - began))
        search = Search(player, replace(limits, seconds=left), way, clock, tell)
        try:
            graph = search.run()
        except DrawsFound:
            way = replace(way, seq_counts=True)
            continue
        except Untrue as problem:
            if not way.snapshots:
                message = f"The same actions do not lead to the same state again: {problem}."
                raise EnvironmentFault("diverged", message) from problem
            why_path, way = str(problem), replace(way, snapshots=False)
            continue
        merges = search.sampled if way.merges else []
        false = _tried(partial(false_merge, player, graph, merges, has_time), "")
        if not false:
            break
        unmerged, way = false, replace(way, merges=False)
    graph.why_path = why_path or graph.why_path
    graph.unmerged = unmerged or graph.unmerged
    graph.seconds = clock() - began
    return graph


def _tried[T](try_it: Callable[[], T], otherwise: T) -> T:
    """What trying something out says; `otherwise` when states leave no memory for it."""
    try:
        return try_it()
    except (MemoryError, EnvironmentFault) as problem:
        if not is_short_of_memory(problem):
            raise
        return otherwise


def report(graph: Graph, budget: int = BUDGET) -> dict[str, Any]:
    """What is said about a graph, as plain data.

    Every way of `complete_to` actions or fewer was tried; None says that every way was.
    `shortest_win` and `deepest_level` count actions from the start. `merge_density` is the share of edges
    that lead to a state known before, `self_loops` of them to the state they come from. `cycles` are strongly
    connected components of more than one state. `dead_ends` go on, but no win can be reached from them, nor
    a state that was not explored. `p_win` is the chance of ever winning, `p_win_within` that with `budget`
    actions, for a player who draws uniformly from the valid actions.
    """
    nodes = graph.nodes
    states = chain(graph)
    of_kind = {kind: [index for index, node in enumerate(nodes) if node.kind == kind] for kind in Kind}
    wins = of_kind[Kind.WIN]
    frontier = [index for index, state in enumerate(states) if state.untried]
    hopeful = winnable(states, [*wins, *frontier])
    ever, within = chance(states), chance_within(states, budget)
    first_win = min(wins, key=lambda index: nodes[index].depth, default=None)
    return {
        "nodes": len(nodes),
        "edges": graph.edges,
        "fully_explored": not frontier,
        "complete_to": min((nodes[index].depth for index in frontier), default=None),
        "stopped_by": graph.stopped_by or None,
        "frontier": len(frontier),
        "merge_density": 1 - (len(nodes) - 1) / graph.edges if graph.edges else 0.0,
        "self_loops": sum(node.moves.get(index, 0) for index, node in enumerate(nodes)),
        "deepest_level": max(node.depth for node in nodes),
        "cycles": _cycles(states),
        "dead_ends": sum(index not in hopeful for index in of_kind[Kind.OPEN]),
        "wins": len(wins),
        "losses": len(of_kind[Kind.LOSS]),
        "faults": _faults(graph, of_kind[Kind.FAULT]),
        "shortest_win": None if first_win is None else nodes[first_win].depth,
        "shortest_win_actions": None if first_win is None else _written(graph, first_win),
        "p_win": ever.narrowed(lower=within.lower).as_json(),
        "p_win_within": {"steps": budget, **within.narrowed(upper=ever.upper).as_json()},
        "depends_on_action_count": graph.seq_counts,
        "not_merged_because": graph.unmerged or None,
        "merges_compared": graph.merges_compared,
        "restored_by": graph.restored_by,
        "restored_by_path_because": graph.why_path or None,
        "steps": graph.steps,
        "seconds": round(graph.seconds, 3),
        "nodes_per_second": round(len(nodes) / graph.seconds, 1) if graph.seconds else None,
    }


def drawing(graph: Graph) -> dict[str, Any]:
    """The first `DRAWN` nodes of a graph, which are the nearest to its start, and the edges between them.

    {"of": how many nodes there are, "nodes": [{"kind", "depth", "frame": 4,096 hex digits row by row or null,
    "beyond": how many of its actions lead to nodes that are left out}], "edges": [[from, to, how many
    actions], ..], "tree": [[from, to, [id, x, y]], ..]}; `tree` has the actions that first led to each node.
    """
    drawn = graph.nodes[:DRAWN]
    return {
        "of": len(graph.nodes),
        "nodes": [_drawn(node) for node in drawn],
        "edges": [
            [source, target, count]
            for source, node in enumerate(drawn)
            for target, count in node.moves.items()
            if target < DRAWN
        ],
        "tree": [
            [node.parent, index, [node.action.id, node.action.x, node.action.y]]
            for index, node in enumerate(drawn)
            if node.action is not None
        ],
    }


def chain(graph: Graph) -> list[State]:
    """The graph as a Markov chain; a state that was not looked at has one action, untried."""
    return [
        State(node.moves, 1 if node.actions is None else node.actions, node.kind == Kind.WIN)
        for node in graph.nodes
    ]


def _cycles(states: list[State]) -> int:
    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(len(states)))
    graph.add_edges_from_no_data(
        [(source, target) for source, state in enumerate(states) for target in state.moves]
    )
    return sum(len(component) > 1 for component in rx.strongly_connected_components(graph))


def _faults(graph: Graph, indices: list[int]) -> list[dict[str, Any]]:
    return [{"code": graph.nodes[index].code, "actions": _written(graph, index)} for index in indices]


def _written(graph: Graph, index: int) -> list[list[int | None]]:
    return [[action.id, action.x, action.y] for action in graph.path(index)]


def _drawn(node: Node) -> dict[str, Any]:
    frame = None
    if node.turn is not None:
        frame = node.turn.frames[-1].tobytes().translate(_HEX).decode("ascii")
    beyond = sum(count for target, count in node.moves.items() if target >= DRAWN)
    return {"kind": node.kind.value, "depth": node.depth, "frame": frame, "beyond": beyond}
