"""State identity: frame and declared hidden state, unless merged states behave differently."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from engine.play.source import Source
from engine.prove.exploration.explore import explore
from engine.prove.exploration.graph import Limits, NodeKind, StateGraph, StateIdentity
from engine.prove.exploration.report import report
from engine.prove.player import LevelPlayer, Player
from tests.engine import plain_search
from tests.engine.crowds import crowd
from tests.engine.mazes import Rooms, graph_of, maze, report_of
from tests.engine.sources import environment

DECLARES = "    def _get_hidden_state(self):\n        return np.array([{seen}])\n"


def chances(rights: int) -> Rooms:
    """Rooms in which the second of two doors leads on, so many times."""
    return {room: ("loss", room + 1 if room + 1 < rights else "win") for room in range(rights)}


def unseen(rooms: Rooms, *, declared: bool = False) -> Source:
    """Writes the same rooms, whose frames do not show the current room."""
    after = DECLARES.format(seen="self.room") if declared else ""
    return maze(rooms, step="self.dot.set_visible(False)", after=after)


@pytest.mark.parametrize("rights", [1, 3, 6])
@pytest.mark.parametrize("declared", [True, False])
def test_a_game_that_hides_its_state_has_the_exact_chance(rights: int, declared: bool) -> None:
    found = report_of(unseen(chances(rights), declared=declared))
    assert found["p_win"]["exact"] == str(Fraction(1, 2**rights))  # type: ignore[index]
    assert found["fully_explored"]
    hidden_counts = rights > 1 and not declared
    expected = StateIdentity.COMPLETE if hidden_counts else StateIdentity.DECLARED
    assert (found["identity"], found["differences"]) == (expected.value, int(hidden_counts))


@pytest.mark.parametrize("steps", [2, 20])
def test_a_hidden_counter_that_shows_after_some_steps_is_found(steps: int) -> None:
    """Only the last step changes the frame."""
    source = maze(
        {0: (0, 0)},
        prepare="self.n = 0",
        step=f"self.n += 1\nif self.n == {steps}: to = 'win' if index else 'loss'",
    )
    found = report_of(source, budget=steps)
    assert found["identity"] == StateIdentity.COMPLETE.value
    assert (found["nodes"], found["shortest_win"]) == (steps + 2, steps)
    assert found["p_win"]["exact"] == "1/2"  # type: ignore[index]


def test_a_lock_of_six_hidden_numbers_is_found_near_the_start() -> None:
    """Exploration tries every action in every state; random play opens it once in 4,000 tries."""
    code = (3, 1, 2, 0, 3, 2)
    source = maze(
        {0: (0, 0, 0, 0)},
        prepare="self.n = 0",
        step=f"self.n = self.n + 1 if index == {code}[self.n] else 0\nif self.n == 6: to = 'win'",
    )
    graph = graph_of(source)
    assert graph.identity == StateIdentity.COMPLETE
    assert [node.kind for node in graph.nodes] == [NodeKind.OPEN] * 6 + [NodeKind.WIN]


def test_hidden_state_without_effect_does_not_prevent_merges() -> None:
    graph = graph_of(maze({0: (0, 1), 1: (1, 0)}, prepare="self.n = 0", step="self.n += 1"))
    assert (graph.identity, graph.stopped_by) == (StateIdentity.DECLARED, "")
    assert [node.kind for node in graph.nodes] == [NodeKind.OPEN, NodeKind.OPEN]
    assert graph.merges_compared > graph.merges_identical
    assert graph.merges_depth >= 8


def test_a_merge_of_equal_states_needs_no_continuation() -> None:
    found = report_of(maze({0: (0, 1), 1: (0, "win")}))
    assert found["merges_compared"] >= found["merges_identical"] == 2  # type: ignore[operator]


def test_a_declared_hidden_state_distinguishes_states_with_equal_frames() -> None:
    source = maze(
        {0: (0, 0)},
        prepare="self.n = 0",
        step="if index == 0: self.n = min(self.n + 1, 3)\nif index == 1: to = 'win' if self.n == 3 else 0",
        after=DECLARES.format(seen="self.n"),
    )
    graph = graph_of(source)
    assert graph.identity == StateIdentity.DECLARED
    assert [node.kind for node in graph.nodes] == [NodeKind.OPEN] * 4 + [NodeKind.WIN]


@pytest.mark.parametrize("declares", ["raise ValueError", "return object()"])
def test_a_hidden_state_that_cannot_be_read_leads_to_the_complete_identity(declares: str) -> None:
    after = f"    def _get_hidden_state(self):\n        {declares}\n"
    found = report_of(maze({0: (0, 1), 1: (0, "win")}, after=after))
    assert found["identity"] == StateIdentity.COMPLETE.value
    assert "declared hidden state cannot be read" in str(found["identity_because"])
    assert (found["nodes"], found["fully_explored"]) == (3, True)


def test_states_with_other_available_actions_differ() -> None:
    step = "self._available_actions = [1, 2] if index else [1, 2, 3]"
    graph = graph_of(maze({0: (0, 0, "win")}, step=step))
    assert graph.identity == StateIdentity.COMPLETE
    assert [node.kind for node in graph.nodes].count(NodeKind.OPEN) == 2


def test_winning_does_not_change_earlier_states() -> None:
    """The next level has started and moves a sprite that no snapshot holds."""
    prepare = "level.get_sprites()[0].move(self.level_index, 0)"
    rooms: Rooms = {0: ("win", 1, 2), 1: ("win", 0, 3), 2: ("win", 3, 0), 3: ("win", "win", 1)}
    found = report_of(maze(rooms, prepare=prepare, step="self.dot.set_position(self.room, 5)"))
    assert (found["restored_by"], found["wins"]) == ("snapshots", 1)


def test_a_turn_that_changes_another_level_is_detected() -> None:
    """Snapshots omit sprites of other levels until one of them changes."""
    prepare = "self.other = lambda: self._levels[4].get_sprites()[0]\nself.other().set_name('d')"
    step = "if index == 0: self.other().set_name((self.other().name + 'x')[:4])"
    step += "\nif index == 1: to = 'win' if self.other().name == 'dxxx' else 0"
    graph = graph_of(maze({0: (0, 0)}, prepare=prepare, step=step), limits=Limits(nodes=40))
    assert graph.identity == StateIdentity.COMPLETE
    assert min(node.depth for node in graph.nodes if node.kind == NodeKind.WIN) == 4


def test_objects_stored_by_their_address_are_restored() -> None:
    """Addresses differ between games; they identify an object only."""
    prepare = "self.lamp = Sprite([[1]])\nself.lit = {id(self.dot): 0, id(self.lamp): 0}"
    step = "if index == 0: self.lit[id(self.lamp)] = 1\n"
    step += "if index == 1: to = 'win' if self.lit[id(self.lamp)] else 0"
    graph = graph_of(maze({0: (0, 0)}, prepare=prepare, step=step))
    assert (graph.restored_by, graph.why_unmerged) == ("snapshots", "")
    assert [node.kind for node in graph.nodes] == [NodeKind.OPEN, NodeKind.OPEN, NodeKind.WIN]


def test_a_level_with_many_sprites_has_the_graph_of_a_plain_search() -> None:
    source = crowd(sprites=70, moves=5, lamps=0)
    graph = explore(LevelPlayer(Player(source), 0, 2), Limits(), time.monotonic)
    plain = plain_search.search(source, 2, 10_000, plain_search.REPLAYS)
    assert (graph.stopped_by, graph.identity) == ("", StateIdentity.DECLARED)
    assert (len(graph.nodes), graph.edges) == (plain.states, plain.actions)
    assert min(node.depth for node in graph.nodes if node.kind == NodeKind.WIN) == plain.shortest_win


def test_the_report_on_an_unfinished_graph_is_about_the_states_seen() -> None:
    graph: StateGraph = graph_of(environment("wk01"), limits=Limits(nodes=5))
    found = report(graph)
    assert not found["fully_explored"]
    assert (found["nodes"], found["dead_ends"]) == (5, 0)
