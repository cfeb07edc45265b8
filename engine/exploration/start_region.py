"""The states near a level's start by their complete identities: do those of one name go on alike?

Every action is tried in every state, so that nothing is left to chance as far as it goes.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.actions import Action
from engine.exploration.breadth_first import Options, Search
from engine.exploration.graph import Graph, Limits, Node
from engine.player import LevelPlayer
from engine.state import Identity
from engine.turns import Turn

type _Onwards = tuple[list[Action], list[bytes]]
"""A state's valid actions, and the name of the state that each leads to."""


class PrefixSearch(Search):
    """A search by complete identities that also notes what the report would name each state."""

    def __init__(
        self,
        player: LevelPlayer,
        limits: Limits,
        options: Options,
        clock: Callable[[], float],
        tell: Callable[[Graph], None] = lambda graph: None,
    ) -> None:
        self._names: dict[int, bytes] = {}
        self._expansions: list[tuple[int, list[Action], list[int]]] = []
        super().__init__(player, limits, options, clock, tell)

    def difference(self) -> str:
        """What differs between two states of one name, "" when nothing does."""
        known: dict[bytes, _Onwards] = {}
        for index, actions, targets in self._expansions:
            onwards = actions, [self._names.get(target, b"end %d" % target) for target in targets]
            first = known.setdefault(self._names[index], onwards)
            if first[0] != onwards[0]:
                return "other actions are valid"
            if first[1] != onwards[1]:
                return "they differ 1 action later"
        return ""

    @property
    def compared(self) -> int:
        """States that were compared with an earlier one of the same name."""
        return len(self._expansions) - len({self._names[index] for index, _, _ in self._expansions})

    def _add(self, key: bytes, identity: Identity | None, node: Node, turn: Turn) -> int:
        index = super()._add(key, identity, node, turn)
        self._names[index] = self._declared(turn)
        return index

    def _expanded(self, index: int, actions: list[Action], targets: list[int]) -> None:
        self._expansions.append((index, actions, targets))
