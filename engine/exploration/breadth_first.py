"""The search of a state graph, breadth first. What counts as a state is said in `engine.exploration`."""

from __future__ import annotations

import gc
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.actions import Action
from engine.errors import EngineError, EnvironmentFault
from engine.exploration.cursor import Cursor
from engine.exploration.graph import DRAWN, Graph, Kind, Limits, Node, StateIdentity
from engine.exploration.merge_checks import Inconsistent, Merge, MergeTrials
from engine.exploration.snapshot_check import RestoreMethod
from engine.player import LevelPlayer
from engine.state import Identity
from engine.turns import GAME_OVER, WIN, Turn

SAMPLED_MERGES = 16


class DrawsFound(Exception):
    """An action drew from the global generators."""


class LimitMet(Exception):
    """`args[0]` names the limit."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a search is done: what names a state, whether states merge, whether the number of actions counts,
    and how states are brought back."""

    identity: StateIdentity = StateIdentity.DECLARED
    merges: bool = True
    seq_counts: bool = False
    restore: RestoreMethod = RestoreMethod.REPLAY


class Search:
    """One breadth-first search. `tell` is called after every action with the graph so far."""

    def __init__(
        self,
        player: LevelPlayer,
        limits: Limits,
        options: Options,
        clock: Callable[[], float],
        tell: Callable[[Graph], None] = lambda graph: None,
    ) -> None:
        """Raises EngineError as `LevelPlayer.start`; RestoreMismatch; Inconsistent as `run`."""
        self.graph = Graph(
            [],
            seq_counts=options.seq_counts,
            restored_by="path" if options.restore == RestoreMethod.REPLAY else "snapshots",
            identity=options.identity,
        )
        self.sampled: list[Merge] = []
        self._player = player
        self._limits = limits
        self._options = options
        self._clock = clock
        self._tell = tell
        self._began = clock()
        self._known: dict[bytes, int] = {}
        self._waiting: deque[int] = deque()
        self._random = random.Random(player.seed)
        self._cursor = Cursor(player, self.graph, options.restore, self._before_step)
        self._trials = MergeTrials(player, self.graph, self._random, options.identity)
        turn = self._cursor.game.turn
        self._add(*self._key(turn), Node(Kind.OPEN, 0, 0, None), turn)

    def run(self) -> Graph:
        """Explores until nothing is left or a limit is met.

        Raises DrawsFound, RestoreMismatch; Inconsistent when states of one name go on differently.
        """
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
        del self._cursor
        gc.collect()

    def _expand(self, index: int) -> None:
        node = self.graph.nodes[index]
        if self._limits.depth is not None and node.depth >= self._limits.depth:
            self.graph.stopped_by = "depth"
            return
        self._cursor.go_to(index)
        try:
            actions = self._player.actions(self._cursor.game)
        except EngineError as error:
            node.kind, node.code, node.actions = Kind.FAULT, error.code, 0
            self._cursor.node = None
            return
        node.actions = len(actions)
        targets = []
        for action in actions:
            self._cursor.go_to(index)
            self._check_limits()
            target = self._try(index, action)
            targets.append(target)
            node.moves[target] = node.moves.get(target, 0) + 1
            self.graph.edges += 1
            self._tell(self.graph)
        self._expanded(index, actions, targets)
        self._cursor.release(index)
        if index >= DRAWN:
            node.turn = None

    def _expanded(self, index: int, actions: list[Action], targets: list[int]) -> None:
        """Called when all actions of a node were tried, with where each of them leads."""

    def _before_step(self) -> None:
        self._check_limits()
        self._tell(self.graph)

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
        game = self._cursor.game
        seq, before = game.seq, game.turn
        turn, code = self._cursor.act(action)
        if not self._options.seq_counts and game.drew():
            raise DrawsFound
        if turn is None:
            return self._end(index, action, Kind.FAULT, code.encode(), code)
        if turn.level_completed or turn.state == WIN:
            return self._end(index, action, Kind.WIN, turn.state_hash, turn=turn)
        if turn.state == GAME_OVER:
            return self._end(index, action, Kind.LOSS, turn.state_hash, turn=turn)
        key, identity = self._key(turn)
        target = self._known.get(key)
        if target is None:
            self._check_node()
            return self._add(key, identity, self._reached(index, action, Kind.OPEN), turn)
        self._merge(Merge(target, index, action), turn)
        if self._options.identity == StateIdentity.COMPLETE:
            if target == index:
                game.seq, game.turn = seq, before
            self._cursor.node = target
        return target

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
            self._trials.note(target, wins=kind == Kind.WIN)
        return target

    def _reached(self, index: int, action: Action, kind: Kind) -> Node:
        return Node(kind, self.graph.nodes[index].depth + 1, index, action)

    def _add(self, key: bytes, identity: Identity | None, node: Node, turn: Turn) -> int:
        index = self._known[key] = len(self.graph.nodes)
        node.turn = self._cursor.game.turn = _last(turn)
        node.available = turn.available_actions
        self.graph.nodes.append(node)
        self._waiting.append(index)
        self._trials.note(index)
        self._cursor.add(index, identity)
        return index

    def _key(self, turn: Turn) -> tuple[bytes, Identity | None]:
        """What names the present state; its complete identity where that does."""
        if self._options.identity == StateIdentity.DECLARED:
            return self._declared(turn), None
        identity = self._cursor.identify()
        if identity.opaque and self._options.merges:
            self.graph.unmerged = f"cannot read {identity.opaque}"
        key = turn.state_hash + identity.digest + self._number()
        if not self._options.merges:
            key += len(self.graph.nodes).to_bytes(4, "little")
        return key, identity

    def _declared(self, turn: Turn) -> bytes:
        try:
            hidden = self._player.hidden(self._cursor.game)
        except EngineError as error:
            raise Inconsistent(f"its declared hidden state cannot be read ({error.code})") from error
        return turn.state_hash + self._number() + hidden

    def _number(self) -> bytes:
        return self._cursor.game.seq.to_bytes(4, "little") if self._options.seq_counts else b""

    def _merge(self, merge: Merge, turn: Turn) -> None:
        """Tries a merge now and then, and keeps some, each as likely as the others."""
        self.graph.merges += 1
        if len(self.sampled) < SAMPLED_MERGES:
            self.sampled.append(merge)
        elif (place := self._random.randrange(self.graph.merges)) < SAMPLED_MERGES:
            self.sampled[place] = merge
        if self._options.identity == StateIdentity.DECLARED:
            if turn.available_actions != self.graph.nodes[merge.target].available:
                raise Inconsistent("other actions are available")
            if self._trials.is_due():
                self._trials.try_arrival(self._cursor, merge)


def is_short_of_memory(problem: Exception) -> bool:
    """Whether a path that was played before cannot be played again because the search fills the memory."""
    return getattr(problem, "code", "memory_exceeded") == "memory_exceeded"


def _last(turn: Turn) -> Turn:
    """The turn without its animation, which would fill the memory."""
    return replace(turn, frames=turn.frames[-1:])
