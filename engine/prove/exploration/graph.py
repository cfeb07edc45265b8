"""The state graph of one level: its states from the level's start, and the valid actions between them.

The key of a state is that of the technical report (3.5.2): its frame and the hidden state that the
environment declares (arcengine `_get_hidden_state`). This is right if states with equal keys behave alike,
which explorations check (`engine.prove.exploration.merge_checks`). If they do not, the key is the complete
identity (`engine.prove.state`): everything that the next turns can depend on.

RESET is left out. A no-op is a self-loop. Completing the level, losing it and failing are terminal states.
Where an action draws from the global generators, the next turns depend on the number of actions so far, which
is then part of the key. Where part of a state cannot be read, or states with equal complete identities behave
differently, no states are merged.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from engine.play.actions import BOARD_SIZE, CLICK, Action
from engine.play.frames import STATE_HASH_BYTES
from engine.play.turns import Turn

MOST_NODES = 200_000
MOST_EDGES = 2_000_000
"""A larger graph is reported and not kept: some 20 MB as it crosses the pipe."""
FIRST_CELL = 8
MOST_ACTIONS = FIRST_CELL + BOARD_SIZE * BOARD_SIZE
_NO_HASH = bytes(STATE_HASH_BYTES)


def action_number(action: int, x: int | None, y: int | None) -> int:
    """An action as one number below MOST_ACTIONS: its id, or 8 and more for the cell of a click."""
    if action != CLICK or x is None or y is None:
        return action
    return FIRST_CELL + y * BOARD_SIZE + x


def numbered_action(number: int) -> Action:
    """The action of this number. Raises ActionError."""
    if number < FIRST_CELL:
        return Action(number)
    y, x = divmod(number - FIRST_CELL, BOARD_SIZE)
    return Action(CLICK, x, y)


class GraphTables:
    """The hash of each state, and each valid action of the expanded states by `action_number`.

    Of a graph that is too large no more is kept than shows this.
    """

    def __init__(self) -> None:
        self.hashes = bytearray()
        self.sources, self.targets, self.actions = array("I"), array("I"), array("H")

    @property
    def complete(self) -> bool:
        """Whether everything was kept."""
        return len(self.hashes) <= MOST_NODES * STATE_HASH_BYTES and len(self.sources) <= MOST_EDGES

    def state(self, state_hash: bytes | None) -> None:
        """The next node; None for a fault, whose state nobody sees."""
        if self.complete:
            self.hashes += state_hash or _NO_HASH

    def expanded(self, source: int, actions: Sequence[Action], targets: Sequence[int]) -> None:
        """All valid actions of a node, and the nodes that they lead to."""
        if self.complete:
            self.sources.extend([source] * len(targets))
            self.targets.extend(targets)
            self.actions.extend(action_number(one.id, one.x, one.y) for one in actions)


MOST_DRAWN = 200
"""Nodes that keep their frame for a drawing: those found first, which are the nearest to the start."""


class StateIdentity(StrEnum):
    """What the key of a state consists of; the values are stored in reports."""

    DECLARED = "frame and declared hidden state"
    COMPLETE = "complete"


class NodeKind(StrEnum):
    """OPEN: the level goes on. FAULT: the environment failed."""

    OPEN = "open"
    WIN = "win"
    LOSS = "loss"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an exploration; `steps` are all performed actions, those for restoring states too."""

    nodes: int = 100_000
    edges: int = 1_000_000
    steps: int = 10_000_000
    seconds: float = 900.0
    depth: int | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class Node:
    """A state: the node and action that first led to it, and the nodes that its tried actions lead to.

    `actions` is the number of valid actions, None until the node is expanded. `moves` counts the actions that
    lead to each node. `code` is that of a fault. `available` are the ids of the available actions.
    """

    kind: NodeKind
    depth: int
    parent: int
    action: Action | None
    turn: Turn | None = None
    actions: int | None = None
    moves: dict[int, int] = field(default_factory=dict)
    code: str = ""
    available: tuple[int, ...] = ()


@dataclass(slots=True)
class StateGraph:
    """The nodes and what the exploration reports about them.

    `stopped_by` is the limit that was reached, "" if everything was explored. Of `merges`, arrivals at known
    states, `merges_compared` were checked: in `merges_identical` of them the complete identities were equal,
    in the others both states behaved alike for up to `merges_depth` actions. `why_complete` says what led to
    the complete identity, `why_unmerged` why no states are merged, `why_replay` why states are restored by
    replaying. `tables` is what is stored of each state and action.
    """

    nodes: list[Node]
    edges: int = 0
    merges: int = 0
    steps: int = 0
    seconds: float = 0.0
    stopped_by: str = ""
    depends_on_action_count: bool = False
    why_unmerged: str = ""
    restored_by: str = "path"
    why_replay: str = ""
    identity: StateIdentity = StateIdentity.DECLARED
    why_complete: str = ""
    merges_compared: int = 0
    merges_identical: int = 0
    merges_depth: int = 0
    tables: GraphTables = field(default_factory=GraphTables)

    def path(self, index: int) -> list[Action]:
        """The actions of a shortest path from the start to a node."""
        actions = []
        while (action := self.nodes[index].action) is not None:
            actions.append(action)
            index = self.nodes[index].parent
        return actions[::-1]


KINDS = tuple(NodeKind)
"""The `kind` of a node is a place in this tuple."""
NODE = np.dtype([("state_hash", "<u8"), ("kind", "u1"), ("expanded", "u1")])
"""A state: its hash (0 of a fault), its kind, and whether all its valid actions were tried."""
EDGE = np.dtype([("source", "<u4"), ("target", "<u4"), ("action", "<u2")])
"""A valid action, as `action_number`. Sources ascend; a state that was not expanded has none."""


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
