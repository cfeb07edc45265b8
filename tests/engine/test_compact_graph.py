"""The stored tables of a state graph hold every state with its hash, and every valid action."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.play.actions import BOARD_SIZE, CLICK, Action
from engine.prove.exploration import graph
from engine.prove.exploration.graph import (
    EDGE,
    KINDS,
    NODE,
    Limits,
    NodeKind,
    StateGraph,
    action_number,
    numbered_action,
    packed,
    unpacked,
)
from engine.prove.player import LevelPlayer, Player
from tests.engine.mazes import Rooms, graph_of, maze

CORRIDOR: Rooms = {0: (0, 1), 1: (0, 3), 3: (4, 2), 4: (3, 5), 5: ("loss", "win"), 2: (2, 2)}


@pytest.mark.parametrize("limits", [Limits(), Limits(nodes=4), Limits(depth=2), Limits(edges=5)])
def test_the_tables_say_what_the_graph_says(limits: Limits) -> None:
    graph = graph_of(maze(CORRIDOR), limits=limits)
    found = unpacked(**tables(graph))
    assert [KINDS[kind] for kind in found.nodes["kind"]] == [node.kind for node in graph.nodes]
    for index, node in enumerate(graph.nodes):
        here = found.edges[found.edges["source"] == index]
        if found.nodes["expanded"][index]:
            assert Counter(here["target"].tolist()) == Counter(node.moves)
            assert len(here) == node.actions
        else:
            assert len(here) == 0
            assert node.actions is None or node.actions > sum(node.moves.values())
    assert bool(found.nodes["expanded"].all()) == (not graph.stopped_by)


def test_every_action_leads_to_the_state_with_that_hash() -> None:
    source = maze(CORRIDOR)
    graph = graph_of(source)
    found = unpacked(**tables(graph))
    player = LevelPlayer(Player(source), 0, 1)
    for edge in found.edges:
        game = player.start()
        turn = game.turn
        for action in [*graph.path(int(edge["source"])), numbered_action(int(edge["action"]))]:
            turn = player.act(game, action)
        assert int.from_bytes(turn.state_hash, "little") == found.nodes["state_hash"][edge["target"]]
    assert NodeKind.WIN in [KINDS[kind] for kind in found.nodes["kind"]]


@given(st.integers(0, 7), st.integers(0, BOARD_SIZE - 1), st.integers(0, BOARD_SIZE - 1))
@settings(deadline=None)
def test_an_action_and_its_number_say_the_same(action: int, x: int, y: int) -> None:
    cell = (x, y) if action == CLICK else (None, None)
    number = action_number(action, *cell)
    assert number < graph.MOST_ACTIONS
    assert numbered_action(number) == Action(action, *cell)


def test_a_graph_that_is_too_large_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MOST_EDGES", 5)
    assert packed(graph_of(maze(CORRIDOR))) is None


@pytest.mark.parametrize(
    ("table", "name", "value"),
    [("nodes", "kind", 9), ("nodes", "expanded", 2), ("edges", "target", 99), ("edges", "source", 99),
     ("edges", "action", 5_000)],
)  # fmt: skip
def test_tables_that_are_no_graph_are_refused(table: str, name: str, value: int) -> None:
    good = tables(graph_of(maze(CORRIDOR)))
    changed = np.frombuffer(good[table], NODE if table == "nodes" else EDGE).copy()
    changed[name][0] = value
    with pytest.raises(ValueError, match="no state graph"):
        unpacked(**good | {table: changed.tobytes()})
    with pytest.raises(ValueError, match=r"buffer|no state graph"):
        unpacked(**good | {table: good[table][:-1]})
    with pytest.raises(ValueError, match="no state graph"):
        unpacked(b"", b"")


def tables(graph: StateGraph) -> dict[str, Any]:
    found = packed(graph)
    assert found is not None
    return found
