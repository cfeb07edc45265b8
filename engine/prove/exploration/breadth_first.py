"""Searches a state graph breadth first. `engine.prove.exploration.graph` describes states and their keys."""

from __future__ import annotations

import gc
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.errors import EngineError, EnvironmentFault
from engine.play.actions import Action
from engine.play.turns import GAME_OVER, WIN, Turn
from engine.prove.exploration.cursor import Cursor
from engine.prove.exploration.graph import MOST_DRAWN, Limits, Node, NodeKind, StateGraph, StateIdentity
from engine.prove.exploration.merge_checks import InconsistentStates, Merge, MergeChecks
from engine.prove.exploration.snapshot_check import RestoreMethod
from engine.prove.player import LevelPlayer
from engine.prove.state import Identity

MOST_SAMPLED_MERGES = 16

type Progress = Callable[[StateGraph], None]
"""Called after every action with the graph so far."""


class DrawsFound(Exception):
    """An action drew from the global generators."""


class LimitReached(Exception):
    """`args[0]` is the limit's name."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a graph is searched.

    `identity` says what a state's key is, `merges` whether states with equal keys are merged,
    `counts_actions` whether the number of actions is part of the key, `restore` how states are restored.
    """

    identity: StateIdentity = StateIdentity.DECLARED
    merges: bool = True
    counts_actions: bool = False
    restore: RestoreMethod = RestoreMethod.REPLAY


class BreadthFirstSearch:
    """One breadth-first search from the level's start; `sampled` are merges chosen uniformly at random."""

    def __init__(
        self,
        player: LevelPlayer,
        limits: Limits,
        options: Options,
        clock: Callable[[], float],
        progress: Progress,
    ) -> None:
        """Raises EngineError as `LevelPlayer.start`; RestoreMismatch; InconsistentStates as `run`."""
        self.graph = StateGraph(
            [],
            depends_on_action_count=options.counts_actions,
            restored_by="path" if options.restore == RestoreMethod.REPLAY else "snapshots",
            identity=options.identity,
        )
        self.sampled: list[Merge] = []
        self._player = player
        self._limits = limits
        self._options = options
        self._clock = clock
        self._progress = progress
        self._began = clock()
        self._known: dict[bytes, int] = {}
        self._waiting: deque[int] = deque()
        self._random = random.Random(player.seed)
        self._cursor = Cursor(player, self.graph, options.restore, self._before_step)
        self._checks = MergeChecks(player, self.graph, self._random, options.identity)
        turn = self._cursor.game.turn
        self._add(*self._key(turn), Node(NodeKind.OPEN, 0, 0, None), turn)

    def run(self) -> StateGraph:
        """Explores until no state is left or a limit is reached.

        Raises DrawsFound, RestoreMismatch; InconsistentStates if states with equal keys behave differently.
        """
        try:
            while self._waiting:
                self._expand(self._waiting.popleft())
        except LimitReached as limit:
            self.graph.stopped_by = limit.args[0]
        except (MemoryError, EnvironmentFault) as problem:
            if not is_out_of_memory(problem):
                raise
            self._release_memory()
        self.graph.seconds = self._clock() - self._began
        return self.graph

    def _release_memory(self) -> None:
        """Drops the snapshots: they fill the memory, and the graph can be reported without them."""
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
            node.kind, node.code, node.actions = NodeKind.FAULT, error.code, 0
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
            self._progress(self.graph)
        self.graph.tables.expanded(index, actions, targets)
        self._expanded(index, actions, targets)
        self._cursor.release(index)
        if index >= MOST_DRAWN:
            node.turn = None

    def _expanded(self, index: int, actions: list[Action], targets: list[int]) -> None:
        """Called when all actions of a node were tried; `targets` are the nodes that they lead to."""

    def _before_step(self) -> None:
        self._check_limits()
        self._progress(self.graph)

    def _check_limits(self) -> None:
        graph, limits = self.graph, self._limits
        for name, reached in (
            ("edges", graph.edges >= limits.edges),
            ("steps", graph.steps >= limits.steps),
            ("seconds", self._clock() - self._began >= limits.seconds),
        ):
            if reached:
                raise LimitReached(name)

    def _check_nodes(self) -> None:
        """Raises LimitReached if no node may be added; the action that led there then counts as not tried."""
        if len(self.graph.nodes) >= self._limits.nodes:
            raise LimitReached("nodes")

    def _try(self, index: int, action: Action) -> int:
        """Performs an action in a node's state; returns the node that it leads to."""
        self.graph.steps += 1
        game = self._cursor.game
        seq, before = game.seq, game.turn
        turn, code = self._cursor.act(action)
        if not self._options.counts_actions and game.drew_random_numbers():
            raise DrawsFound
        if turn is None:
            return self._end(index, action, NodeKind.FAULT, code.encode(), code)
        if turn.level_completed or turn.state == WIN:
            return self._end(index, action, NodeKind.WIN, turn.state_hash, turn=turn)
        if turn.state == GAME_OVER:
            return self._end(index, action, NodeKind.LOSS, turn.state_hash, turn=turn)
        key, identity = self._key(turn)
        target = self._known.get(key)
        if target is None:
            self._check_nodes()
            return self._add(key, identity, self._reached(index, action, NodeKind.OPEN), turn)
        self._merge(Merge(target, index, action), turn)
        if self._options.identity == StateIdentity.COMPLETE:
            if target == index:
                game.seq, game.turn = seq, before
            self._cursor.node = target
        return target

    def _end(
        self,
        index: int,
        action: Action,
        kind: NodeKind,
        name: bytes,
        code: str = "",
        turn: Turn | None = None,
    ) -> int:
        """The terminal node that an action leads to. The frame is its key, because no action follows."""
        key = kind.encode() + name
        target = self._known.get(key)
        if target is None:
            self._check_nodes()
            target = self._known[key] = len(self.graph.nodes)
            node = self._reached(index, action, kind)
            node.turn, node.code, node.actions = turn and _without_animation(turn), code, 0
            self.graph.nodes.append(node)
            self.graph.tables.state(None if turn is None else turn.state_hash)
            self._checks.note(target, wins=kind == NodeKind.WIN)
        return target

    def _reached(self, index: int, action: Action, kind: NodeKind) -> Node:
        return Node(kind, self.graph.nodes[index].depth + 1, index, action)

    def _add(self, key: bytes, identity: Identity | None, node: Node, turn: Turn) -> int:
        index = self._known[key] = len(self.graph.nodes)
        node.turn = self._cursor.game.turn = _without_animation(turn)
        node.available = turn.available_actions
        self.graph.nodes.append(node)
        self.graph.tables.state(turn.state_hash)
        self._waiting.append(index)
        self._checks.note(index)
        self._cursor.add(index, identity)
        return index

    def _key(self, turn: Turn) -> tuple[bytes, Identity | None]:
        """The key of the present state, and its complete identity if that is part of the key."""
        if self._options.identity == StateIdentity.DECLARED:
            return self._declared_key(turn), None
        identity = self._cursor.identify()
        if identity.opaque and self._options.merges:
            self.graph.why_unmerged = f"cannot read {identity.opaque}"
        key = turn.state_hash + identity.digest + self._action_count()
        if not self._options.merges:
            key += len(self.graph.nodes).to_bytes(4, "little")
        return key, identity

    def _declared_key(self, turn: Turn) -> bytes:
        try:
            hidden = self._player.hidden(self._cursor.game)
        except EngineError as error:
            raise InconsistentStates(f"its declared hidden state cannot be read ({error.code})") from error
        return turn.state_hash + self._action_count() + hidden

    def _action_count(self) -> bytes:
        return self._cursor.game.seq.to_bytes(4, "little") if self._options.counts_actions else b""

    def _merge(self, merge: Merge, turn: Turn) -> None:
        """Counts a merge, samples it and checks it if a check is due."""
        self.graph.merges += 1
        if len(self.sampled) < MOST_SAMPLED_MERGES:
            self.sampled.append(merge)
        elif (place := self._random.randrange(self.graph.merges)) < MOST_SAMPLED_MERGES:
            self.sampled[place] = merge
        if self._options.identity == StateIdentity.DECLARED:
            if turn.available_actions != self.graph.nodes[merge.target].available:
                raise InconsistentStates("other actions are available")
            if self._checks.is_due():
                self._checks.check_arrival(self._cursor, merge)


def is_out_of_memory(problem: Exception) -> bool:
    """Whether a call failed because the search fills the memory."""
    return getattr(problem, "code", "memory_exceeded") == "memory_exceeded"


def _without_animation(turn: Turn) -> Turn:
    """The turn with its last frame only: animations would fill the memory."""
    return replace(turn, frames=turn.frames[-1:])
