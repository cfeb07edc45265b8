"""What is said about a level's state graph, and how the search that says it is chosen."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import rustworkx as rx

from engine.errors import EnvironmentFault
from engine.exploration.breadth_first import DrawsFound, LimitMet, Options, Search, is_short_of_memory
from engine.exploration.cursor import Cursor, RestoreMismatch
from engine.exploration.graph import DRAWN, Graph, Kind, Limits, Node, StateIdentity
from engine.exploration.markov import chance, chance_within, winnable
from engine.exploration.markov_bounds import State
from engine.exploration.merge_checks import Inconsistent, Merge, MergeTrials
from engine.exploration.snapshot_check import OUTSIDE_STATE, RestoreMethod, SnapshotCheck, check_snapshots
from engine.exploration.start_region import PrefixSearch
from engine.player import LevelPlayer

BUDGET = 1_000
LEAST_SHARE = 0.2
PREFIX_NODES, PREFIX_EDGES, PREFIX_EDGES_BY_PATH, PREFIX_SHARE = 256, 512, 64, 0.1
"""How far the states near the start are looked at; of the seconds, the share."""
TRIED_MERGES, TRIED_AGAIN = 16, 4
"""Merges tried in new games; fewer where the search itself has tried some on its way."""
_HEX = bytes.maketrans(bytes(range(16)), b"0123456789abcdef")


def explore(
    player: LevelPlayer,
    limits: Limits,
    clock: Callable[[], float],
    tell: Callable[[Graph], None] = lambda graph: None,
) -> Graph:
    """The state graph of the player's level within the limits.

    Begins with what merges most and brings states back fastest, and again with less where that turns out
    wrong. Raises EngineError when the level cannot be started, or does not repeat itself (`diverged`).
    """
    return _Exploration(player, limits, clock, tell).run()


class _Exploration:
    """One exploration: a search after another until one holds."""

    def __init__(
        self, player: LevelPlayer, limits: Limits, clock: Callable[[], float], tell: Callable[[Graph], None]
    ) -> None:
        self._player = player
        self._limits = limits
        self._clock = clock
        self._tell = tell
        self._began = clock()
        self._options = Options()
        self._why_path = self._why_identity = self._unmerged = ""
        self._outside = False
        self._prefix: PrefixSearch | None = None

    def run(self) -> Graph:
        self._begin()
        graph = self._try_search()
        while graph is None:
            graph = self._try_search()
        graph.why_path = self._why_path or graph.why_path
        graph.why_identity = self._why_identity
        graph.unmerged = self._unmerged or graph.unmerged
        graph.seconds = self._elapsed()
        return graph

    def _begin(self) -> None:
        check = _unless_short_of_memory(
            lambda: check_snapshots(self._player, has_time=lambda: self._has_time(LEAST_SHARE)),
            SnapshotCheck(RestoreMethod.REPLAY, "there is not enough memory to try it", draws=False),
        )
        self._why_path, self._outside = check.why_replay, check.outside
        self._change(restore=check.method, seq_counts=check.draws)

    def _try_search(self) -> Graph | None:
        """None when it turned out to need other options, which are set then."""
        try:
            return self._search()
        except DrawsFound:
            self._change(seq_counts=True)
        except RestoreMismatch as problem:
            self._restore_otherwise(problem)
        except Inconsistent as problem:
            self._distinguish_more(problem)
        return None

    def _search(self) -> Graph:
        """Raises DrawsFound, RestoreMismatch, Inconsistent."""
        declared = self._options.identity == StateIdentity.DECLARED
        if declared and self._prefix is None:
            _unless_short_of_memory(self._search_prefix, None)
        left = max(self._limits.seconds * LEAST_SHARE, self._limits.seconds - self._elapsed())
        limits = replace(self._limits, seconds=left)
        search = Search(self._player, limits, self._options, self._clock, self._tell)
        graph = search.run()
        if declared and self._prefix is not None:
            graph.merges_tried += self._prefix.compared
            graph.merges_depth = max(graph.merges_depth, bool(self._prefix.compared))
        merges = search.sampled if self._options.merges else []
        del search
        _unless_short_of_memory(partial(self._try_in_new_games, graph, merges), None)
        return graph

    def _search_prefix(self) -> None:
        edges = min(PREFIX_EDGES, self._limits.edges, 4 * self._limits.nodes)
        if self._options.restore == RestoreMethod.REPLAY:
            edges = min(edges, PREFIX_EDGES_BY_PATH)
        limits = Limits(PREFIX_NODES, edges, 100 * edges, self._limits.seconds * PREFIX_SHARE)
        options = replace(self._options, identity=StateIdentity.COMPLETE)
        prefix = PrefixSearch(self._player, limits, options, self._clock, self._tell)
        prefix.run()
        if difference := prefix.difference():
            raise Inconsistent(difference)
        self._prefix = prefix

    def _try_in_new_games(self, graph: Graph, merges: Sequence[Merge]) -> None:
        """Tries merges once more where no snapshot plays a part, the nearest first, while there is time.

        Raises Inconsistent.
        """
        nearest = sorted(merges, key=lambda merge: graph.nodes[merge.source].depth)
        ends = self._clock() + self._limits.seconds * LEAST_SHARE
        most = TRIED_AGAIN if self._options.identity == StateIdentity.DECLARED else TRIED_MERGES
        steps = graph.steps

        def check_time() -> None:
            if self._clock() >= ends:
                raise LimitMet("seconds")

        cursor = Cursor(self._player, graph, RestoreMethod.REPLAY, check_time)
        trials = MergeTrials(self._player, graph, random.Random(self._player.seed), self._options.identity)
        try:
            for trial in range(most if nearest else 0):
                trials.play_on(cursor, nearest[trial % len(nearest)])
        except LimitMet:
            pass
        finally:
            graph.steps = steps

    def _change(self, **options: Any) -> None:
        self._options = replace(self._options, **options)

    def _restore_otherwise(self, problem: RestoreMismatch) -> None:
        """Raises EnvironmentFault diverged when there is no other way to restore."""
        if self._options.restore == RestoreMethod.REPLAY:
            message = f"The same actions do not lead to the same state again: {problem}."
            raise EnvironmentFault("diverged", message) from problem
        if self._options.restore == RestoreMethod.LEVEL:
            self._change(restore=RestoreMethod.WHOLE_GAME)
        else:
            self._why_path = str(problem)
            self._change(restore=RestoreMethod.REPLAY)

    def _distinguish_more(self, problem: Inconsistent) -> None:
        declared = self._options.identity == StateIdentity.DECLARED
        if declared:
            self._why_identity = f"states of one frame and declared hidden state are not alike: {problem}"
            self._change(identity=StateIdentity.COMPLETE)
        if self._outside or not declared:
            self._unmerged = OUTSIDE_STATE
            self._change(merges=False)

    def _elapsed(self) -> float:
        return self._clock() - self._began

    def _has_time(self, share: float) -> bool:
        return self._elapsed() < self._limits.seconds * share


def _unless_short_of_memory[T](try_it: Callable[[], T], otherwise: T) -> T:
    """What trying something out says; `otherwise` when states leave no memory for it."""
    try:
        return try_it()
    except (MemoryError, EnvironmentFault) as problem:
        if not is_short_of_memory(problem):
            raise
        return otherwise


def report(graph: Graph, budget: int = BUDGET) -> dict[str, Any]:
    """What is said about a graph, as plain data.

    Every way of `complete_to` actions or fewer was tried; None says that every way was. `shortest_win` and
    `deepest_level` count actions from the start. `merge_density` is the share of edges that lead to a state
    known before, `self_loops` of them to the state they come from. `cycles` are strongly connected components
    of more than one state. `dead_ends` go on, but no win can be reached from them, nor a state that was not
    explored; of a graph that is not fully explored both count among the nodes seen. `identity` names states
    (`engine.exploration`); `merges_compared` arrivals at known states were tried, of which `merges_identical`
    had equal complete identities, and the others went on alike for up to `merges_depth` actions.
    `differences` were found before this graph, and led to another identity. `p_win` is the chance of ever
    winning, `p_win_within` that with `budget` actions, for a player who draws uniformly from the valid
    actions.
    """
    nodes = graph.nodes
    states = chain(graph)
    of_kind = {kind: [index for index, node in enumerate(nodes) if node.kind == kind] for kind in Kind}
    wins = of_kind[Kind.WIN]
    frontier = [index for index, state in enumerate(states) if state.untried]
    hopeful = winnable(states, [*wins, *frontier])
    ever, within = chance(states), chance_within(states, budget)
    first_win = min(wins, key=lambda index: nodes[index].depth, default=None)
    return {
        "nodes": len(nodes),
        "edges": graph.edges,
        "fully_explored": not frontier,
        "complete_to": min((nodes[index].depth for index in frontier), default=None),
        "stopped_by": graph.stopped_by or None,
        "frontier": len(frontier),
        "merge_density": 1 - (len(nodes) - 1) / graph.edges if graph.edges else 0.0,
        "self_loops": sum(node.moves.get(index, 0) for index, node in enumerate(nodes)),
        "deepest_level": max(node.depth for node in nodes),
        "cycles": _cycles(states),
        "dead_ends": sum(index not in hopeful for index in of_kind[Kind.OPEN]),
        "wins": len(wins),
        "losses": len(of_kind[Kind.LOSS]),
        "faults": _faults(graph, of_kind[Kind.FAULT]),
        "shortest_win": None if first_win is None else nodes[first_win].depth,
        "shortest_win_actions": None if first_win is None else _written(graph, first_win),
        "p_win": ever.narrowed(lower=within.lower).as_json(),
        "p_win_within": {"steps": budget, **within.narrowed(upper=ever.upper).as_json()},
        "depends_on_action_count": graph.seq_counts,
        "not_merged_because": graph.unmerged or None,
        "identity": graph.identity.value,
        "identity_because": graph.why_identity or None,
        "merges_compared": graph.merges_tried,
        "merges_identical": graph.merges_identical,
        "merges_depth": graph.merges_depth,
        "differences": bool(graph.why_identity) + (graph.unmerged == OUTSIDE_STATE),
        "restored_by": graph.restored_by,
        "restored_by_path_because": graph.why_path or None,
        "steps": graph.steps,
        "seconds": round(graph.seconds, 3),
        "nodes_per_second": round(len(nodes) / graph.seconds, 1) if graph.seconds else None,
    }


def drawing(graph: Graph) -> dict[str, Any]:
    """The first `DRAWN` nodes of a graph, which are the nearest to its start, and the edges between them.

    {"of": how many nodes there are, "nodes": [{"kind", "depth", "frame": 4,096 hex digits row by row or null,
    "beyond": how many of its actions lead to nodes that are left out}], "edges": [[from, to, how many
    actions], ..], "tree": [[from, to, [id, x, y]], ..]}; `tree` has the actions that first led to each node.
    """
    drawn = graph.nodes[:DRAWN]
    return {
        "of": len(graph.nodes),
        "nodes": [_drawn(node) for node in drawn],
        "edges": [
            [source, target, count]
            for source, node in enumerate(drawn)
            for target, count in node.moves.items()
            if target < DRAWN
        ],
        "tree": [
            [node.parent, index, [node.action.id, node.action.x, node.action.y]]
            for index, node in enumerate(drawn)
            if node.action is not None
        ],
    }


def chain(graph: Graph) -> list[State]:
    """The graph as a Markov chain; a state that was not looked at has one action, untried."""
    return [
        State(node.moves, 1 if node.actions is None else node.actions, node.kind == Kind.WIN)
        for node in graph.nodes
    ]


def _cycles(states: list[State]) -> int:
    graph = rx.PyDiGraph()
    graph.add_nodes_from(range(len(states)))
    graph.add_edges_from_no_data(
        [(source, target) for source, state in enumerate(states) for target in state.moves]
    )
    return sum(len(component) > 1 for component in rx.strongly_connected_components(graph))


def _faults(graph: Graph, indices: list[int]) -> list[dict[str, Any]]:
    return [{"code": graph.nodes[index].code, "actions": _written(graph, index)} for index in indices]


def _written(graph: Graph, index: int) -> list[list[int | None]]:
    return [[action.id, action.x, action.y] for action in graph.path(index)]


def _drawn(node: Node) -> dict[str, Any]:
    frame = None
    if node.turn is not None:
        frame = node.turn.frames[-1].tobytes().translate(_HEX).decode("ascii")
    beyond = sum(count for target, count in node.moves.items() if target >= DRAWN)
    return {"kind": node.kind.value, "depth": node.depth, "frame": frame, "beyond": beyond}
