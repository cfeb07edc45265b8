"""The search of a state graph, breadth first. What counts as a state is said in `engine.graph`."""

from __future__ import annotations

import gc
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.actions import Action
from engine.contents import Irreversible
from engine.errors import EngineError, EnvironmentFault
from engine.game import GAME_OVER, WIN, Turn
from engine.graph import DRAWN, Graph, Kind, Limits, Node, Player
from engine.identity import Identifier, Identity
from engine.snapshot import Album, Snapshot

MOST_SNAPSHOTS = 20_000
KEPT_EVERY = 8
ALWAYS_COMPARED = 64
COMPARED_EVERY = 32
SAMPLED_MERGES = 16


class DrawsFound(Exception):
    """An action drew from the global generators."""


class Untrue(Exception):
    """A state that was put back is not what it was."""


class LimitMet(Exception):
    """`args[0]` names the limit."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a search is done: whether states merge, whether the number of actions counts, how it comes back."""

    merges: bool = True
    seq_counts: bool = False
    snapshots: bool = False


class Search:
    """One breadth-first search. `tell` is called after every action with the graph so far."""

    def __init__(
        self,
        player: Player,
        limits: Limits,
        way: Way,
        clock: Callable[[], float],
        tell: Callable[[Graph], None] = lambda graph: None,
    ) -> None:
        self.graph = Graph(
            [], seq_counts=way.seq_counts, restored_by="snapshots" if way.snapshots else "path"
        )
        self.sampled: list[tuple[int, int, Action]] = []
        self._player = player
        self._limits = limits
        self._way = way
        self._clock = clock
        self._tell = tell
        self._began = clock()
        self._identifier = Identifier(player.source.text)
        self._known: dict[bytes, int] = {}
        self._waiting: deque[int] = deque()
        self._digests: list[bytes] = []
        self._snapshots: dict[int, Snapshot] = {}
        self._returns = 0
        self._doubted = False
        self._random = random.Random(player.seed)
        self._game = player.start()
        self._at: int | None = 0
        self._album: Album | None = None
        identity = self._identifier.identify(self._game)
        if way.snapshots:
            self._album = Album(self._game, identity.things)
        self._add(
            self._key(self._game.turn, identity), Node(Kind.OPEN, 0, 0, None), self._game.turn, identity
        )

    def run(self) -> Graph:
        """Explores until nothing is left or a limit is met. Raises DrawsFound, Untrue."""
        try:
            while self._waiting:
                self._expand(self._waiting.popleft())
        except LimitMet as limit:
            self.graph.stopped_by = limit.args[0]
        except (MemoryError, EnvironmentFault) as problem:
            if not is_short_of_memory(problem):
                raise
            self._let_go()
        self.graph.seconds = self._clock() - self._began
        return self.graph

    def _let_go(self) -> None:
        """What was seen before takes too much memory now: that is the search's doing, not a state's."""
        self.graph.stopped_by = "memory"
        self._snapshots.clear()
        self._album = None
        del self._game
        gc.collect()

    def _expand(self, index: int) -> None:
        node = self.graph.nodes[index]
        if self._limits.depth is not None and node.depth >= self._limits.depth:
            self.graph.stopped_by = "depth"
            return
        self._come_back(index)
        try:
            actions = self._player.actions(self._game)
        except EngineError as error:
            node.kind, node.code, node.actions = Kind.FAULT, error.code, 0
            self._at = None
            return
        node.actions = len(actions)
        for action in actions:
            self._come_back(index)
            self._check_limits()
            target = self._try(index, action)
            node.moves[target] = node.moves.get(target, 0) + 1
            self.graph.edges += 1
            self._tell(self.graph)
        if index and node.depth % KEPT_EVERY:
            self._snapshots.pop(index, None)
        if index >= DRAWN:
            node.turn = None

    def _check_limits(self) -> None:
        graph, limits = self.graph, self._limits
        for name, reached in (
            ("edges", graph.edges >= limits.edges),
            ("steps", graph.steps >= limits.steps),
            ("seconds", self._clock() - self._began >= limits.seconds),
        ):
            if reached:
                raise LimitMet(name)

    def _check_node(self) -> None:
        """Before another node is kept. The move that led there counts as untried if it is too many."""
        if len(self.graph.nodes) >= self._limits.nodes:
            raise LimitMet("nodes")

    def _try(self, index: int, action: Action) -> int:
        """Performs an action in a node's state; the node it leads to."""
        self.graph.steps += 1
        seq, before = self._game.seq, self._game.turn
        self._at = None
        turn, code = self._act(action)
        if not self._way.seq_counts and self._game.drew():
            raise DrawsFound
        if turn is None:
            self._doubted = True
            return self._end(index, action, Kind.FAULT, code.encode(), code)
        if turn.level_completed or turn.state == WIN:
            return self._end(index, action, Kind.WIN, turn.state_hash, turn=turn)
        if turn.state == GAME_OVER:
            return self._end(index, action, Kind.LOSS, turn.state_hash, turn=turn)
        identity = self._identifier.identify(self._game)
        key = self._key(turn, identity)
        target = self._known.get(key)
        if target is None:
            self._check_node()
            target = self._add(key, self._reached(index, action, Kind.OPEN), turn, identity)
        else:
            self._sample(index, target, action)
        if target == index:
            self._game.seq, self._game.turn = seq, before
        self._at = target
        return target

    def _act(self, action: Action) -> tuple[Turn | None, str]:
        try:
            return self._player.act(self._game, action), ""
        except EngineError as error:
            return None, error.code

    def _end(
        self, index: int, action: Action, kind: Kind, name: bytes, code: str = "", turn: Turn | None = None
    ) -> int:
        """A terminal node. What it would do next does not matter, so its frame names it."""
        key = kind.encode() + name
        target = self._known.get(key)
        if target is None:
            self._check_node()
            target = self._known[key] = len(self.graph.nodes)
            node = self._reached(index, action, kind)
            node.turn, node.code, node.actions = turn and _last(turn), code, 0
            self.graph.nodes.append(node)
            self._digests.append(b"")
        return target

    def _reached(self, index: int, action: Action, kind: Kind) -> Node:
        return Node(kind, self.graph.nodes[index].depth + 1, index, action)

    def _add(self, key: bytes, node: Node, turn: Turn, identity: Identity) -> int:
        index = self._known[key] = len(self.graph.nodes)
        node.turn = self._game.turn = _last(turn)
        self.graph.nodes.append(node)
        self._digests.append(identity.digest)
        self._waiting.append(index)
        if identity.opaque and self._way.merges:
            self.graph.unmerged = f"cannot see into {identity.opaque}"
        if self._album is not None and (not index or len(self._snapshots) < MOST_SNAPSHOTS):
            try:
                self._snapshots[index] = self._album.take(identity.things)
            except Irreversible as problem:
                self.graph.why_path = str(problem)
        return index

    def _key(self, turn: Turn, identity: Identity) -> bytes:
        key = turn.state_hash + identity.digest
        if self._way.seq_counts:
            key += self._game.seq.to_bytes(4, "little")
        if not self._way.merges:
            key += len(self.graph.nodes).to_bytes(4, "little")
        return key

    def _sample(self, index: int, target: int, action: Action) -> None:
        """Keeps some of the merges, each as likely as the others."""
        self.graph.merges += 1
        if len(self.sampled) < SAMPLED_MERGES:
            self.sampled.append((target, index, action))
        elif (place := self._random.randrange(self.graph.merges)) < SAMPLED_MERGES:
            self.sampled[place] = target, index, action

    def _come_back(self, index: int) -> None:
        """Brings the game to a node's state. Raises Untrue."""
        if self._at == index:
            return
        self._returns += 1
        ancestor = 0 if self._album is None else self._put_back(self._album, index)
        if self._album is None:
            self._game = self._player.start()
        path = self.graph.path(index)[self.graph.nodes[ancestor].depth :]
        for action in path:
            self._check_limits()
            self._player.act(self._game, action)
            self.graph.steps += 1
            self._tell(self.graph)
        turn = self.graph.nodes[index].turn
        if turn is not None and turn.state_hash != self._game.turn.state_hash:
            raise Untrue("its actions do not lead there again")
        self._at = index
        if self._album is not None:
            self._compare(index)

    def _put_back(self, album: Album, index: int) -> int:
        """Puts back the nearest snapshot on the way to a node; whose it was."""
        while index not in self._snapshots:
            index = self.graph.nodes[index].parent
        try:
            album.put_back(self._snapshots[index])
        except Irreversible as problem:
            raise Untrue(str(problem)) from problem
        return index

    def _compare(self, index: int) -> None:
        """Whether the state that came back is the one that was there: at first always, then now and then."""
        if self._doubted or self._returns <= ALWAYS_COMPARED or self._returns % COMPARED_EVERY == 0:
            self._doubted = False
            if self._identifier.identify(self._game).digest != self._digests[index]:
                raise Untrue("a state that was put back is another")


def is_short_of_memory(problem: Exception) -> bool:
    """Whether a way that was gone before cannot be gone again because the search itself fills the memory."""
    return getattr(problem, "code", "memory_exceeded") == "memory_exceeded"


def _last(turn: Turn) -> Turn:
    """The turn without its animation, which would fill the memory."""
    return replace(turn, frames=turn.frames[-1:])
