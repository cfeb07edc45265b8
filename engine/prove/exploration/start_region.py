"""Compares all states near a level's start that have the same declared key.

Every action is tried in every state of the region, so nothing there is left to chance.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.play.actions import Action
from engine.play.turns import Turn
from engine.prove.exploration.breadth_first import BreadthFirstSearch, Options, Progress
from engine.prove.exploration.graph import Limits, Node
from engine.prove.player import LevelPlayer
from engine.prove.state import Identity

type _Successors = tuple[list[Action], list[bytes]]
"""A state's valid actions, and the key of the state that each leads to."""


class StartRegionSearch(BreadthFirstSearch):
    """A search by complete identities that also records the declared key of each state."""

    def __init__(
        self,
        player: LevelPlayer,
        limits: Limits,
        options: Options,
        clock: Callable[[], float],
        progress: Progress,
    ) -> None:
        self._keys: dict[int, bytes] = {}
        self._expansions: list[tuple[int, list[Action], list[int]]] = []
        super().__init__(player, limits, options, clock, progress)

    def difference(self) -> str:
        """What differs between two states with the same declared key, "" if nothing does."""
        known: dict[bytes, _Successors] = {}
        for index, actions, targets in self._expansions:
            successors = actions, [self._keys.get(target, b"end %d" % target) for target in targets]
            first = known.setdefault(self._keys[index], successors)
            if first[0] != successors[0]:
                return "other actions are valid"
            if first[1] != successors[1]:
                return "they differ 1 action later"
        return ""

    @property
    def compared(self) -> int:
        """How many states were compared with an earlier one that has the same declared key."""
        return len(self._expansions) - len({self._keys[index] for index, _, _ in self._expansions})

    def _add(self, key: bytes, identity: Identity | None, node: Node, turn: Turn) -> int:
        index = super()._add(key, identity, node, turn)
        self._keys[index] = self._declared_key(turn)
        return index

    def _expanded(self, index: int, actions: list[Action], targets: list[int]) -> None:
        self._expansions.append((index, actions, targets))
