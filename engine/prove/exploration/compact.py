"""A whole state graph in two tables, small enough to be stored: every state and every valid action.

Numbers are little-endian, so that the bytes are the same on any machine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.prove.exploration.graph import NodeKind, StateGraph
from engine.prove.exploration.graph_tables import MOST_ACTIONS, MOST_EDGES, MOST_NODES

KINDS = tuple(NodeKind)
"""The `kind` of a node is a place in this tuple."""
NODE = np.dtype([("state_hash", "<u8"), ("kind", "u1"), ("expanded", "u1")])
"""A state: its hash (0 of a fault), its kind, and whether all its valid actions were tried."""
EDGE = np.dtype([("source", "<u4"), ("target", "<u4"), ("action", "<u2")])
"""A valid action, as `graph_tables.action_number`. Sources ascend; a state that was not expanded has none."""


class CompactGraph(NamedTuple):
    """`nodes` is an array of NODE, `edges` one of EDGE. The level begins in node 0."""

    nodes: Any
    edges: Any


def packed(graph: StateGraph) -> dict[str, bytes] | None:
    """The bytes of both tables, for `unpacked`; None if the graph is too large to be kept."""
    tables = graph.tables
    if not tables.complete:
        return None
    nodes, edges = np.zeros(len(graph.nodes), NODE), np.zeros(len(tables.sources), EDGE)
    nodes["state_hash"] = np.frombuffer(bytes(tables.hashes), "<u8")
    nodes["kind"] = [KINDS.index(node.kind) for node in graph.nodes]
    nodes["expanded"] = [node.actions == sum(node.moves.values()) for node in graph.nodes]
    edges["source"], edges["target"], edges["action"] = tables.sources, tables.targets, tables.actions
    return {"nodes": nodes.tobytes(), "edges": edges.tobytes()}


def unpacked(nodes: bytes, edges: bytes) -> CompactGraph:
    """The graph in the bytes of `packed`. Raises ValueError if they are no graph."""
    graph = CompactGraph(np.frombuffer(nodes, NODE), np.frombuffer(edges, EDGE))
    count, sources = len(graph.nodes), graph.edges["source"]
    sound = (
        0 < count <= MOST_NODES
        and len(sources) <= MOST_EDGES
        and (graph.nodes["kind"] < len(KINDS)).all()
        and (graph.nodes["expanded"] < 2).all()
        and (sources < count).all()
        and (graph.edges["target"] < count).all()
        and (graph.edges["action"] < MOST_ACTIONS).all()
        and (sources[1:] >= sources[:-1]).all()
    )
    if not sound:
        raise ValueError("these bytes are no state graph")
    return graph
