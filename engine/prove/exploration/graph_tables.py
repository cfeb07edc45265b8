"""What a search keeps of every state and action, in some ten bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from engine.play.actions import BOARD_SIZE, CLICK, Action
from engine.play.frames import STATE_HASH_BYTES

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
