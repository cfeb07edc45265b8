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

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from engine.play.actions import Action
from engine.play.turns import Turn
from engine.prove.exploration.graph_tables import GraphTables

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
