"""The stored tables of a state graph, and what of states is used outside of their package."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.prove.state
from engine.play.actions import BOARD_SIZE, CLICK, Action
from engine.play.game import Game
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
from engine.prove.state import NotRestorable, SnapshotStore, identify, restore
from tests.engine.mazes import Rooms, graph_of, maze
from tests.engine.sources import environment, moves

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


ROOT = Path(__file__).parents[2]
PACKAGE = "engine.prove.state"


def used(source: str) -> Iterator[str]:
    """Returns the names and modules of the package that a module imports."""
    if PACKAGE not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith(f"{PACKAGE}."))
        elif isinstance(node, ast.ImportFrom) and node.module == PACKAGE:
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PACKAGE}."):
            yield str(node.module)


def test_only_exported_names_are_used_outside() -> None:
    files = [file for folder in ("engine", "playtest", "tests") for file in (ROOT / folder).rglob("*.py")]
    outside = [file for file in files if not file.is_relative_to(ROOT / "engine" / "prove" / "state")]
    found = {str(file): set(used(file.read_text())) - set(engine.prove.state.__all__) for file in outside}
    assert {file: names for file, names in found.items() if names} == {}
    assert any(set(used(file.read_text())) for file in outside)


def test_a_restored_game_has_the_identity_and_the_turn_of_its_snapshot() -> None:
    game, _ = Game.start(environment("wk01"), 0)
    store = SnapshotStore(game)
    game.act(moves("4")[0])
    before, turn, state = identify(game), game.turn, store.take()
    for action in moves("44"):
        game.act(action)
    assert identify(game).digest != before.digest
    restore(game, state)
    assert (identify(game).digest, game.turn, game.seq) == (before.digest, turn, 1)


def test_a_snapshot_of_another_game_is_refused() -> None:
    game, other = (Game.start(environment("wk01"), 0)[0] for _ in range(2))
    with pytest.raises(NotRestorable):
        restore(other, SnapshotStore(game).take())
