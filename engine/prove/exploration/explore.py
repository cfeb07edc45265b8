"""Explores the state graph of a level: chooses how it is searched, and searches again where that fails."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.errors import EnvironmentFault
from engine.play.actions import Action
from engine.play.turns import Turn
from engine.prove.exploration.breadth_first import (
    BreadthFirstSearch,
    DrawsFound,
    LimitReached,
    Options,
    Progress,
    is_out_of_memory,
)
from engine.prove.exploration.cursor import Cursor, RestoreMismatch
from engine.prove.exploration.graph import Limits, Node, StateGraph, StateIdentity
from engine.prove.exploration.merge_checks import InconsistentStates, Merge, MergeChecks
from engine.prove.exploration.snapshot_check import (
    OUTSIDE_STATE,
    RestoreMethod,
    SnapshotCheck,
    check_snapshots,
)
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


SHARE_OF_CHECKS = 0.2
"""Of the seconds: the most for the check of snapshots, the most for checks in new games, and the least that
a repeated search gets."""
REGION_NODES, REGION_EDGES, REGION_EDGES_BY_REPLAY, REGION_SHARE = 256, 512, 64, 0.1
"""The limits of the start region; REGION_SHARE is its share of the seconds."""
MERGES_IN_NEW_GAMES, MERGES_AGAIN = 16, 4
"""Merges that are checked in new games; fewer if the search checks merges itself."""


def explore(
    player: LevelPlayer,
    limits: Limits,
    clock: Callable[[], float],
    progress: Progress = lambda graph: None,
) -> StateGraph:
    """The state graph of the player's level within the limits.

    Begins with the options that merge most states and restore them fastest, and starts again with safer ones
    if these turn out wrong. Raises EngineError if the level cannot be started, or the same actions lead to
    different states (`diverged`).
    """
    return _Exploration(player, limits, clock, progress).run()


class _Exploration:
    """One exploration: searches with safer and safer options until one is consistent."""

    def __init__(
        self, player: LevelPlayer, limits: Limits, clock: Callable[[], float], progress: Progress
    ) -> None:
        self._player = player
        self._limits = limits
        self._clock = clock
        self._progress = progress
        self._began = clock()
        self._options = Options()
        self._why_replay = self._why_complete = self._why_unmerged = ""
        self._depends_on_outside = False
        self._region: StartRegionSearch | None = None

    def run(self) -> StateGraph:
        self._check_snapshots()
        graph = self._try_search()
        while graph is None:
            graph = self._try_search()
        graph.why_replay = self._why_replay or graph.why_replay
        graph.why_complete = self._why_complete
        graph.why_unmerged = self._why_unmerged or graph.why_unmerged
        graph.seconds = self._elapsed()
        return graph

    def _check_snapshots(self) -> None:
        check = _unless_out_of_memory(
            lambda: check_snapshots(self._player, has_time=lambda: self._has_time(SHARE_OF_CHECKS)),
            SnapshotCheck(RestoreMethod.REPLAY, "there is not enough memory to check it", draws=False),
        )
        self._why_replay, self._depends_on_outside = check.why_replay, check.outside
        self._change(restore=check.method, counts_actions=check.draws)

    def _try_search(self) -> StateGraph | None:
        """None if the search needs other options; they are set then."""
        try:
            return self._search()
        except DrawsFound:
            self._change(counts_actions=True)
        except RestoreMismatch as problem:
            self._restore_otherwise(problem)
        except InconsistentStates as problem:
            self._distinguish_more(problem)
        return None

    def _search(self) -> StateGraph:
        """Raises DrawsFound, RestoreMismatch, InconsistentStates."""
        declared = self._options.identity == StateIdentity.DECLARED
        if declared and self._region is None:
            _unless_out_of_memory(self._search_region, None)
        left = max(self._limits.seconds * SHARE_OF_CHECKS, self._limits.seconds - self._elapsed())
        limits = replace(self._limits, seconds=left)
        search = BreadthFirstSearch(self._player, limits, self._options, self._clock, self._progress)
        graph = search.run()
        if declared and self._region is not None:
            graph.merges_compared += self._region.compared
            graph.merges_depth = max(graph.merges_depth, bool(self._region.compared))
        merges = search.sampled if self._options.merges else []
        del search
        _unless_out_of_memory(partial(self._check_in_new_games, graph, merges), None)
        return graph

    def _search_region(self) -> None:
        """Compares the states near the start. Raises InconsistentStates."""
        edges = min(REGION_EDGES, self._limits.edges, 4 * self._limits.nodes)
        if self._options.restore == RestoreMethod.REPLAY:
            edges = min(edges, REGION_EDGES_BY_REPLAY)
        limits = Limits(REGION_NODES, edges, 100 * edges, self._limits.seconds * REGION_SHARE)
        options = replace(self._options, identity=StateIdentity.COMPLETE)
        region = StartRegionSearch(self._player, limits, options, self._clock, self._progress)
        region.run()
        if difference := region.difference():
            raise InconsistentStates(difference)
        self._region = region

    def _check_in_new_games(self, graph: StateGraph, merges: Sequence[Merge]) -> None:
        """Checks merges again without snapshots, the nearest first, while there is time.

        Raises InconsistentStates.
        """
        nearest = sorted(merges, key=lambda merge: graph.nodes[merge.source].depth)
        ends = self._clock() + self._limits.seconds * SHARE_OF_CHECKS
        most = MERGES_AGAIN if self._options.identity == StateIdentity.DECLARED else MERGES_IN_NEW_GAMES
        steps = graph.steps

        def check_time() -> None:
            if self._clock() >= ends:
                raise LimitReached("seconds")

        cursor = Cursor(self._player, graph, RestoreMethod.REPLAY, check_time)
        checks = MergeChecks(self._player, graph, random.Random(self._player.seed), self._options.identity)
        try:
            for number in range(most if nearest else 0):
                checks.compare_continuations(cursor, nearest[number % len(nearest)])
        except LimitReached:
            pass
        finally:
            graph.steps = steps

    def _change(self, **options: Any) -> None:
        self._options = replace(self._options, **options)

    def _restore_otherwise(self, problem: RestoreMismatch) -> None:
        """Chooses a safer method. Raises EnvironmentFault diverged if there is none."""
        if self._options.restore == RestoreMethod.REPLAY:
            message = f"The same actions do not lead to the same state again: {problem}."
            raise EnvironmentFault("diverged", message) from problem
        if self._options.restore == RestoreMethod.LEVEL:
            self._change(restore=RestoreMethod.WHOLE_GAME)
        else:
            self._why_replay = str(problem)
            self._change(restore=RestoreMethod.REPLAY)

    def _distinguish_more(self, problem: InconsistentStates) -> None:
        """Chooses the complete identity, or no merges if that is not enough."""
        declared = self._options.identity == StateIdentity.DECLARED
        if declared:
            self._why_complete = f"states with equal frame and declared hidden state differ: {problem}"
            self._change(identity=StateIdentity.COMPLETE)
        if self._depends_on_outside or not declared:
            self._why_unmerged = OUTSIDE_STATE
            self._change(merges=False)

    def _elapsed(self) -> float:
        return self._clock() - self._began

    def _has_time(self, share: float) -> bool:
        return self._elapsed() < self._limits.seconds * share


def _unless_out_of_memory[T](attempt: Callable[[], T], otherwise: T) -> T:
    """The attempt's result, or `otherwise` if the states leave no memory for it."""
    try:
        return attempt()
    except (MemoryError, EnvironmentFault) as problem:
        if not is_out_of_memory(problem):
            raise
        return otherwise
