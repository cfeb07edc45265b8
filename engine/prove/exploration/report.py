"""The report on a state graph and its drawing, as plain data."""

from __future__ import annotations

from typing import Any

import rustworkx as rx

from engine.play.actions import CLICK, EVERY_CELL
from engine.prove.exploration.graph import MOST_DRAWN, Node, NodeKind, StateGraph
from engine.prove.exploration.markov import chance, chance_within, moves_of, winnable
from engine.prove.exploration.markov_bounds import State
from engine.prove.exploration.snapshot_check import OUTSIDE_STATE

BUDGET = 1_000
"""Actions of a random player, unless the fewest known actions are known."""
_HEX = bytes.maketrans(bytes(range(16)), b"0123456789abcdef")


def report(graph: StateGraph, budget: int = BUDGET) -> dict[str, Any]:
    """The report on a graph. Its keys and the values of `identity` and `restored_by` are stored.

    `complete_to`: every path of so many actions or fewer was tried; None if every path was. `shortest_win`
    and `deepest_level` count actions from the start. `merge_density` is the share of edges that lead to a
    state known before, `self_loops` the number of edges that lead to their own state. `cycles` are strongly
    connected components of more than one state. `dead_ends` are states from which neither a win nor an
    unexplored state can be reached. In a graph that is not fully explored both count only the nodes seen.
    `identity` is the key of states (`engine.prove.exploration.graph`). `merges_compared`, `merges_identical`
    and `merges_depth` are those of `StateGraph`. `differences` were found before this graph and led to
    another key. `p_win` is the probability of ever winning, `p_win_within` that of winning with `budget`
    actions, for a player who draws uniformly from the valid actions. If states have declared places for
    clicks, or other actions beside clicks, `knows_places` is true: this is another player than one who draws
    among the available actions, and all cells.
    """
    nodes = graph.nodes
    states = chain(graph)
    of_kind = {kind: [index for index, node in enumerate(nodes) if node.kind == kind] for kind in NodeKind}
    wins = of_kind[NodeKind.WIN]
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
        "dead_ends": sum(index not in hopeful for index in of_kind[NodeKind.OPEN]),
        "wins": len(wins),
        "losses": len(of_kind[NodeKind.LOSS]),
        "faults": _faults(graph, of_kind[NodeKind.FAULT]),
        "shortest_win": None if first_win is None else nodes[first_win].depth,
        "shortest_win_actions": None if first_win is None else _path_as_json(graph, first_win),
        "p_win": ever.narrowed(lower=within.lower).as_json(),
        "p_win_within": {"steps": budget, **within.narrowed(upper=ever.upper).as_json()},
        "knows_places": any(map(_knows_places, nodes)),
        "depends_on_action_count": graph.depends_on_action_count,
        "not_merged_because": graph.why_unmerged or None,
        "identity": graph.identity.value,
        "identity_because": graph.why_complete or None,
        "merges_compared": graph.merges_compared,
        "merges_identical": graph.merges_identical,
        "merges_depth": graph.merges_depth,
        "differences": bool(graph.why_complete) + (graph.why_unmerged == OUTSIDE_STATE),
        "restored_by": graph.restored_by,
        "restored_by_path_because": graph.why_replay or None,
        "steps": graph.steps,
        "seconds": round(graph.seconds, 3),
        "nodes_per_second": round(len(nodes) / graph.seconds, 1) if graph.seconds else None,
    }


def _knows_places(node: Node) -> bool:
    every_cell = node.available == (CLICK,) and node.actions in (None, len(EVERY_CELL))
    return CLICK in node.available and not every_cell


def drawing(graph: StateGraph) -> dict[str, Any]:
    """The first `MOST_DRAWN` nodes of a graph, the nearest to its start, and the edges between them.

    {"of": the number of all nodes, "nodes": [{"kind", "depth", "frame": 4,096 hex digits row by row or null,
    "beyond": how many of its actions lead to nodes that are left out}], "edges": [[from, to, how many
    actions], ..], "tree": [[from, to, [id, x, y]], ..]}; `tree` has the first action that led to each node.
    """
    drawn = graph.nodes[:MOST_DRAWN]
    return {
        "of": len(graph.nodes),
        "nodes": [_drawn(node) for node in drawn],
        "edges": [
            [source, target, count]
            for source, node in enumerate(drawn)
            for target, count in node.moves.items()
            if target < MOST_DRAWN
        ],
        "tree": [
            [node.parent, index, [node.action.id, node.action.x, node.action.y]]
            for index, node in enumerate(drawn)
            if node.action is not None
        ],
    }


def chain(graph: StateGraph) -> list[State]:
    """The graph as a Markov chain; a state that was not expanded has one untried action."""
    return [
        State(node.moves, 1 if node.actions is None else node.actions, node.kind == NodeKind.WIN)
        for node in graph.nodes
    ]


def _cycles(states: list[State]) -> int:
    return sum(len(component) > 1 for component in rx.strongly_connected_components(moves_of(states)))


def _faults(graph: StateGraph, indices: list[int]) -> list[dict[str, Any]]:
    return [{"code": graph.nodes[index].code, "actions": _path_as_json(graph, index)} for index in indices]


def _path_as_json(graph: StateGraph, index: int) -> list[list[int | None]]:
    return [[action.id, action.x, action.y] for action in graph.path(index)]


def _drawn(node: Node) -> dict[str, Any]:
    frame = None
    if node.turn is not None:
        frame = node.turn.frames[-1].tobytes().translate(_HEX).decode("ascii")
    beyond = sum(count for target, count in node.moves.items() if target >= MOST_DRAWN)
    return {"kind": node.kind.value, "depth": node.depth, "frame": frame, "beyond": beyond}
