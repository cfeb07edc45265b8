"""Where a search stands: the one game it plays, and how it brings it back to a state seen before."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from engine.actions import Action
from engine.errors import EngineError
from engine.exploration.graph import Graph
from engine.game import WIN, Turn
from engine.player import LevelPlayer
from engine.state.contents import Irreversible
from engine.state.identity import Identifier, Identity
from engine.state.snapshots import Snapshot, SnapshotStore

MOST_SNAPSHOTS = 20_000
KEPT_EVERY = 8
"""Of the nodes that are done with, those at such depths keep their snapshots, for the ones beyond."""
FIRST_CHECKED = 16
CHECKED_EVERY = 64


class RestoreMismatch(Exception):
    """A state that was brought back is not what it was."""


class Restore(StrEnum):
    """How states are brought back: by snapshots of the level's objects, of all objects, or by playing."""

    LEVEL = "level"
    EVERYTHING = "everything"
    PATH = "path"


class Position:
    """The game of one search, and the node whose state it is in (None: that of no node).

    `before_step` is called before every action that only brings a state back; it may raise. Some nodes are
    checked when their snapshots are first put back: whether everything the next turns can depend on is what
    it was.
    """

    def __init__(
        self,
        player: LevelPlayer,
        graph: Graph,
        restore: Restore,
        before_step: Callable[[], None] = lambda: None,
    ) -> None:
        """Raises EngineError as `LevelPlayer.start`, RestoreMismatch where no snapshot can be taken."""
        self.game = player.start()
        self.at: int | None = 0
        self._player = player
        self._graph = graph
        self._before_step = before_step
        self._identifier = Identifier(player.source.text)
        self._store: SnapshotStore | None = None
        self._snapshots: dict[int, Snapshot] = {}
        self._unchecked: dict[int, bytes] = {}
        self._moved = True
        self._left_level = False
        if restore != Restore.PATH:
            try:
                everything = restore == Restore.EVERYTHING
                self._store = SnapshotStore(self.game, self._identifier, everything=everything)
            except Irreversible as problem:
                raise RestoreMismatch(str(problem)) from problem

    def identify(self) -> Identity:
        """The complete identity of the present state, comparable within this search."""
        return self._identifier.identify(self.game) if self._store is None else self._store.identify()

    def act(self, action: Action) -> tuple[Turn | None, str]:
        """Performs an action: its turn, or None and the code of the error."""
        self.at = None
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
        """As `act`, of an action that belongs to no edge of the graph."""
        self._before_step()
        self._graph.steps += 1
        return self.act(action)

    def keep(self, index: int, identity: Identity | None = None) -> None:
        """Notes that the present state is a new node's; `identity` is its complete one where known."""
        self.at = index
        if self._store is None:
            return
        if index < FIRST_CHECKED or index % CHECKED_EVERY == 0:
            identity = identity or self.identify()
            if not identity.opaque:
                self._unchecked[index] = identity.digest
        if not index or len(self._snapshots) < MOST_SNAPSHOTS:
            try:
                self._snapshots[index] = self._store.take()
                self._moved = False
            except Irreversible as problem:
                self._graph.why_path = str(problem)

    def leave(self, index: int) -> None:
        """Notes that all actions of a node were tried."""
        if index and self._graph.nodes[index].depth % KEPT_EVERY:
            self._snapshots.pop(index, None)

    def come_back(self, index: int) -> None:
        """Brings the game to a node's state. Raises RestoreMismatch, EngineError."""
        if self.at == index:
            return
        ancestor = self._put_back(index)
        for action in self._graph.path(index)[self._graph.nodes[ancestor].depth :]:
            self._before_step()
            self._moved = True
            self._player.act(self.game, action)
            self._graph.steps += 1
        turn = self._graph.nodes[index].turn
        if turn is not None and turn.state_hash != self.game.turn.state_hash:
            raise RestoreMismatch("its actions do not lead there again")
        self.at = index
        if self._store is not None:
            self._check(self._store, index)

    def _put_back(self, index: int) -> int:
        """Puts back the nearest snapshot on the way to a node; whose it was."""
        if self._store is None:
            self.game = self._player.start()
            return 0
        while index not in self._snapshots:
            index = self._graph.nodes[index].parent
        try:
            snapshot, everything = self._snapshots[index], self._left_level
            self._store.put_back(snapshot, moved=self._moved, everything=everything)
        except Irreversible as problem:
            raise RestoreMismatch(str(problem)) from problem
        self._moved = self._left_level = False
        return index

    def _check(self, store: SnapshotStore, index: int) -> None:
        digest = self._unchecked.pop(index, None)
        if digest is None:
            return
        if store.has_strayed():
            raise RestoreMismatch("a turn changed something outside of its level")
        if store.identify().digest != digest:
            raise RestoreMismatch("a state that was put back is another")
