"""The one game of a breadth-first search, and its moves from node to node of the graph."""

from __future__ import annotations

from collections.abc import Callable

from engine.errors import EngineError
from engine.play.actions import Action
from engine.play.turns import WIN, Turn
from engine.prove.exploration.graph import StateGraph
from engine.prove.exploration.snapshot_check import RestoreMethod
from engine.prove.player import LevelPlayer
from engine.prove.state import Identity, NotRestorable, Snapshot, SnapshotStore, identify, restore

MOST_SNAPSHOTS = 20_000
KEEP_EVERY = 8
"""Of the expanded nodes, those at such depths keep their snapshots, for the nodes beyond."""
FIRST_CHECKED = 16
CHECK_EVERY = 64


class RestoreMismatch(Exception):
    """A restored state differs from the state that was left."""


class Cursor:
    """The game of one search, and the node whose state it is in (None: that of no node).

    `before_step` is called before every action that belongs to no edge of the graph; it may raise. Some nodes
    are checked when their snapshots are first restored: their complete identities must be what they were.
    """

    def __init__(
        self,
        player: LevelPlayer,
        graph: StateGraph,
        method: RestoreMethod,
        before_step: Callable[[], None] = lambda: None,
    ) -> None:
        """Raises EngineError as `LevelPlayer.start`, RestoreMismatch where no snapshot can be taken."""
        self.game = player.start()
        self.node: int | None = 0
        self._player = player
        self._graph = graph
        self._before_step = before_step
        self._store: SnapshotStore | None = None
        self._snapshots: dict[int, Snapshot] = {}
        self._unchecked: dict[int, bytes] = {}
        self._moved = True
        self._left_level = False
        if method != RestoreMethod.REPLAY:
            try:
                self._store = SnapshotStore(self.game, whole_game=method == RestoreMethod.WHOLE_GAME)
            except NotRestorable as problem:
                raise RestoreMismatch(str(problem)) from problem

    def identify(self) -> Identity:
        """The complete identity of the present state, comparable within this search."""
        return identify(self.game) if self._store is None else identify(self.game, self._store.outside)

    def act(self, action: Action) -> tuple[Turn | None, str]:
        """Performs an action: its turn, or None and the code of the error."""
        self.node = None
        self._moved = True
        try:
            turn = self._player.act(self.game, action)
        except EngineError as error:
            self._left_level = True
            return None, error.code
        if turn.level_completed or turn.state == WIN:  # arcengine has set the next level
            self._left_level = True
        return turn, ""

    def step(self, action: Action) -> tuple[Turn | None, str]:
        """Performs an action that belongs to no edge of the graph; returns as `act`."""
        self._before_step()
        self._graph.steps += 1
        return self.act(action)

    def add(self, index: int, identity: Identity | None = None) -> None:
        """Records the present state as that of a new node; `identity` is its complete one where known."""
        self.node = index
        if self._store is None:
            return
        if index < FIRST_CHECKED or index % CHECK_EVERY == 0:
            identity = identity or self.identify()
            if not identity.opaque:
                self._unchecked[index] = identity.digest
        if not index or len(self._snapshots) < MOST_SNAPSHOTS:
            try:
                self._snapshots[index] = self._store.take()
                self._moved = False
            except NotRestorable as problem:
                self._graph.why_replay = str(problem)

    def release(self, index: int) -> None:
        """Drops the snapshot of an expanded node, unless nodes beyond may need it."""
        if index and self._graph.nodes[index].depth % KEEP_EVERY:
            self._snapshots.pop(index, None)

    def go_to(self, index: int) -> None:
        """Brings the game into a node's state. Raises RestoreMismatch, EngineError."""
        if self.node == index:
            return
        ancestor = self._restore_nearest(index)
        for action in self._graph.path(index)[self._graph.nodes[ancestor].depth :]:
            self._before_step()
            self._moved = True
            self._player.act(self.game, action)
            self._graph.steps += 1
        turn = self._graph.nodes[index].turn
        if turn is not None and turn.state_hash != self.game.turn.state_hash:
            raise RestoreMismatch("its actions do not lead there again")
        self.node = index
        if self._store is not None:
            self._check(self._store, index)

    def _restore_nearest(self, index: int) -> int:
        """Restores the nearest snapshot on the path to a node; returns the node of the snapshot."""
        if self._store is None:
            self.game = self._player.start()
            return 0
        while index not in self._snapshots:
            index = self._graph.nodes[index].parent
        try:
            restore(self.game, self._snapshots[index], moved=self._moved, left_level=self._left_level)
        except NotRestorable as problem:
            raise RestoreMismatch(str(problem)) from problem
        self._moved = self._left_level = False
        return index

    def _check(self, store: SnapshotStore, index: int) -> None:
        digest = self._unchecked.pop(index, None)
        if digest is None:
            return
        if store.has_changed_outside():
            raise RestoreMismatch("a turn changed something outside of its level")
        if self.identify().digest != digest:
            raise RestoreMismatch("a restored state is another one")
