"""The state graph of one level: breadth first from its start, over valid actions, merging equal states.

What names a state is what the technical report names it by (3.5.2): its frame and the hidden state that the
environment declares (arcengine `_get_hidden_state`). That holds where states of one name go on alike, which
is tried (`engine.exploration`); where they do not, everything that the next turns can depend on names a
state (`engine.state`). RESET is left out; an action that changes nothing is a self-loop. Completing the
level, losing it and failing are terminal. Where an action draws from the global generators, what follows
depends on how many actions came before, so the number belongs to the state. Where something cannot be seen,
or states with equal complete identities turn out to behave differently, nothing merges.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from engine.actions import Action
from engine.turns import Turn

DRAWN = 200
"""Of so many nodes the frame is kept, for a drawing: the first found, which are the nearest to the start."""


class StateIdentity(StrEnum):
    """What names a state: as the report does, or with everything the next turns can depend on."""

    DECLARED = "frame and declared hidden state"
    COMPLETE = "complete"


class Kind(StrEnum):
    OPEN = "open"
    WIN = "win"
    LOSS = "loss"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a search may go; `steps` counts every action performed, those to come back among them."""

    nodes: int = 100_000
    edges: int = 1_000_000
    steps: int = 10_000_000
    seconds: float = 900.0
    depth: int | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class Node:
    """A state: how it was first reached, and what its tried actions lead to.

    `actions` is the number of valid ones, None until it is looked at; `moves` counts those that lead to each
    node. `code` is that of a fault. `available` are the ids of the actions that the environment says are.
    """

    kind: Kind
    depth: int
    parent: int
    action: Action | None
    turn: Turn | None = None
    actions: int | None = None
    moves: dict[int, int] = field(default_factory=dict)
    code: str = ""
    available: tuple[int, ...] = ()


@dataclass(slots=True)
class Graph:
    """What was found. `stopped_by` is the limit that was met, "" when everything was explored.

    `merges_tried` arrivals at known states were tried, of which `merges_identical` had the complete identity
    of the state they were merged with; the others went on alike for up to `merges_depth` actions.
    `why_identity` says what led to the complete identity.
    """

    nodes: list[Node]
    edges: int = 0
    merges: int = 0
    steps: int = 0
    seconds: float = 0.0
    stopped_by: str = ""
    seq_counts: bool = False
    unmerged: str = ""
    restored_by: str = "path"
    why_path: str = ""
    identity: StateIdentity = StateIdentity.DECLARED
    why_identity: str = ""
    merges_tried: int = 0
    merges_identical: int = 0
    merges_depth: int = 0

    def path(self, index: int) -> list[Action]:
        """The actions that lead from the start to a node, no more than are needed."""
        actions = []
        while (action := self.nodes[index].action) is not None:
            actions.append(action)
            index = self.nodes[index].parent
        return actions[::-1]
