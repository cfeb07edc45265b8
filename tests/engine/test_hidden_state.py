"""States with equal frames that behave differently are not merged."""

from __future__ import annotations

import pytest

from engine.play.game import Game
from engine.play.source import Source
from engine.prove.exploration.graph import Limits, NodeKind, StateGraph, StateIdentity
from engine.prove.state import identify
from tests.engine.mazes import graph_of, maze
from tests.engine.sources import environment, moves

# Door 1 leads back to room 0, and is counted where no frame shows it; door 2 wins after three times.
TRICK = {0: (0, 0)}
OPENS = "if index == 1:\n    to = 'win' if {seen} >= 3 else 0\n"
HIDDEN = {
    "an attribute": ("self.n = 0", "if index == 0: self.n = min(self.n + 1, 3)", "self.n", ""),
    "a closure": (
        "self.bump, self.count = counter()",
        "if index == 0: self.bump()",
        "self.count()",
        "def counter():\n    n = 0\n    def bump():\n        nonlocal n\n        n = min(n + 1, 3)\n"
        "    return bump, lambda: n\n",
    ),
    "a default argument": (
        "remember.__defaults__[0].clear()",
        "if index == 0: remember()",
        "len(remember.__defaults__[0])",
        "def remember(seen=[]):\n    seen.append(1)\n    del seen[3:]\n",
    ),
    "a global of the module": ("global N\nN = 0", "global N\nif index == 0: N = min(N + 1, 3)", "N", ""),
    "an attribute of the class": ("Xx02.n = 0", "if index == 0: Xx02.n = min(Xx02.n + 1, 3)", "Xx02.n", ""),
    "a generator's loop": (
        "self.count = 0\nself.script = script()\nnext(self.script)",
        "if index == 0: next(self.script)",
        "self.script.send(1)",
        "def script():\n    for n in [0, 1, 2]:\n        while (yield n): pass\n    while True: yield 3\n",
    ),
    "which list is the same": (
        "self.lists = [[], [], [], []]",
        "if index == 0: self.lists = [self.lists[0], *self.lists[:3]]",
        "sum(one is self.lists[0] for one in self.lists[1:])",
        "",
    ),
    "memory two arrays share": (
        "self.a = np.zeros(4)\nself.b = [np.zeros(2) for _ in range(3)]",
        "if index == 0: self.b = [self.a[:2], *self.b[:2]]",
        "sum(np.shares_memory(self.a, b) for b in self.b)",
        "",
    ),
    "a slot": (
        "self.box = Box()\nself.box.n = 0",
        "if index == 0: self.box.n = min(self.box.n + 1, 3)",
        "self.box.n",
        "class Box:\n    __slots__ = ('n',)\n",
    ),
    "the order of a dictionary": (
        "self.d = dict.fromkeys('abcd')",
        "if index == 0 and list(self.d)[-1] != 'c': self.d[k] = self.d.pop(k := next(iter(self.d)))",
        "'dabc'.index(list(self.d)[-1])",
        "",
    ),
    "the order of an OrderedDict": (
        "self.d = collections.OrderedDict.fromkeys('abcd')",
        "if index == 0 and list(self.d)[-1] != 'c': self.d.move_to_end(next(iter(self.d)))",
        "'dabc'.index(list(self.d)[-1])",
        "",
    ),
    "the order of a frozenset": (
        "self.f = frozenset(ORDERS[0])",
        "if index == 0: self.f = frozenset(ORDERS[min(ORDERS.index([*self.f]) + 1, 3)])",
        "ORDERS.index([*self.f])",
        "ORDERS = [[0, 8, 16], [0, 16, 8], [8, 0, 16], [8, 16, 0]]\n"
        "ORDERS = [[*frozenset(order)] for order in ORDERS]\n",
    ),
    "what a cache remembers": (
        "memory.cache_clear()\nmemory()['n'] = 0",
        "if index == 0: memory()['n'] = min(memory()['n'] + 1, 3)",
        "memory()['n']",
        "@functools.lru_cache(maxsize=4)\ndef memory(): return {}\n",
    ),
    "an array that a cache protects no longer": (
        "memory.cache_clear()\nmemory()",
        "if index == 0:\n    memory().setflags(write=True)\n    memory()[0] = min(memory()[0] + 1, 3)",
        "memory()[0]",
        "@functools.cache\ndef memory():\n    found = np.zeros(1)\n    found.setflags(write=False)\n"
        "    return found\n",
    ),
    "a text that could be a sprite's name": (
        "self.text = '00000000-0000-0000-0000-000000000000'",
        "if index == 0: self.text = self.text[:-1] + str(min(int(self.text[-1]) + 1, 3))",
        "int(self.text[-1])",
        "",
    ),
    "a generator of random numbers": (
        "self.random = random.Random(1)\nself.draws = [self.random.random() for _ in range(3)]\n"
        "self.random.seed(1)",
        "if index == 0 and self.random.getstate() != END: self.random.random()",
        "3 * (self.random.getstate() == END)",
        "_r = random.Random(1)\nfor _ in range(3): _r.random()\nEND = _r.getstate()\n",
    ),
}


def hidden_in(place: str) -> Source:
    prepare, step, seen, after = HIDDEN[place]
    return maze(TRICK, prepare=prepare, step=f"{step}\n{OPENS.format(seen=seen)}", after=after)


def shortest(graph: StateGraph) -> int | None:
    return min((node.depth for node in graph.nodes if node.kind == NodeKind.WIN), default=None)


@pytest.mark.parametrize("place", HIDDEN)
def test_states_with_a_hidden_difference_are_not_merged(place: str) -> None:
    graph = graph_of(hidden_in(place))
    assert not graph.stopped_by
    assert not graph.why_unmerged
    assert shortest(graph) == 4
    if place != "a generator's loop":  # which waits at two places of its code that mean the same
        assert [node.kind for node in graph.nodes] == [NodeKind.OPEN] * 4 + [NodeKind.WIN]


def test_a_state_that_cannot_be_restored_is_reached_by_its_path() -> None:
    graph = graph_of(hidden_in("a generator's loop"))
    assert graph.restored_by == "path"
    assert graph.why_replay == "a suspended generator cannot be restored"


def test_a_function_that_captured_the_game_still_has_the_same_game() -> None:
    """The lambda of a copied game would change the original game."""
    source = maze(
        TRICK,
        prepare="self.n = 0\nself.bump = lambda: setattr(self, 'n', min(self.n + 1, 3))",
        step="if index == 0: self.bump()\n" + OPENS.format(seen="self.n"),
    )
    graph = graph_of(source)
    assert graph.restored_by == "snapshots"
    assert (len(graph.nodes), shortest(graph)) == (5, 4)


def test_state_outside_of_the_environment_prevents_merging() -> None:
    source = maze(
        TRICK,
        prepare="sys.hidden = 0",
        step="if index == 0: sys.hidden = min(sys.hidden + 1, 3)\n" + OPENS.format(seen="sys.hidden"),
    )
    graph = graph_of(source, limits=Limits(nodes=40))
    assert graph.why_unmerged.startswith("equal states behave differently")
    assert shortest(graph) == 4


def test_a_late_difference_is_found_by_repeating_a_loop() -> None:
    """The hit count of a cache can be read by the game and has no effect on the frame."""
    source = maze(
        TRICK,
        prepare="memory.cache_clear()",
        step="if index == 0: memory()\n" + OPENS.format(seen="memory.cache_info().hits"),
        after="@functools.lru_cache(maxsize=4)\ndef memory(): return 0\n",
    )
    graph = graph_of(source, limits=Limits(nodes=60))
    assert graph.why_unmerged.startswith("equal states behave differently")
    assert shortest(graph) == 5


def test_what_a_pure_function_remembers_is_no_state() -> None:
    """Each action asks it for something new, so no two games remember the same."""
    source = maze(
        TRICK,
        prepare="self.n = 0",
        step="if index == 0: self.n = far((0, self.n))[0]\nfar((1, self.n))\n" + OPENS.format(seen="self.n"),
        after="@functools.cache\ndef far(key): return (min(key[1] + 1, 3), frozenset(key))\n",
    )
    graph = graph_of(source)
    assert (graph.restored_by, graph.why_unmerged) == ("snapshots", "")
    assert [node.kind for node in graph.nodes] == [NodeKind.OPEN] * 4 + [NodeKind.WIN]


def test_a_cached_function_that_is_not_pure_prevents_merging() -> None:
    """It remembers what the first call saw, and nothing else of the game tells."""
    source = maze(
        {0: (0, 0, 0)},
        prepare="global N\nN = 0\nfirst.cache_clear()",
        step="global N\nN = int(index == 2)\nif index != 1: first()\nN = 0\n"
        "if index == 1: to = 'win' if first() else 0\n",
        after="@functools.cache\ndef first(): return N\n",
    )
    graph = graph_of(source, limits=Limits(nodes=40))
    assert graph.why_unmerged.startswith("equal states behave differently")
    assert shortest(graph) == 2


def test_states_with_equal_sets_of_sprites_merge() -> None:
    """The hash of a sprite is its address, which differs in every game."""
    source = maze(
        {0: (0, 0, 0)},
        prepare="self.lit = set()\nself.lamps = [Sprite([[1]], name=str(i)) for i in range(3)]",
        step="if index >= 0: self.lit ^= {self.lamps[index]}\nif len(self.lit) == 3: to = 'win'",
    )
    graph = graph_of(source)
    assert not graph.why_unmerged
    assert len(graph.nodes) == 8


def test_valid_clicks_may_depend_on_the_last_action() -> None:
    source = maze(
        {0: (0,) * 6},
        step="if index == 5: to = 'win' if self.action.data['x'] == 2 else 'loss'",
        after="    def _get_valid_actions(self):\n"
        "        return [ActionInput(id=6, data={'x': self.action.id.value, 'y': 0})]\n"
        "from arcengine import ActionInput\n",
    )
    graph = graph_of(source)
    assert [node.kind for node in graph.nodes].count(NodeKind.OPEN) == 6
    assert shortest(graph) == 2


def test_attributes_without_string_names_are_opaque() -> None:
    source = maze(
        TRICK,
        prepare="self.__dict__[5] = 0",
        step="if index == 0: self.__dict__[5] = min(self.__dict__[5] + 1, 3)\n"
        + OPENS.format(seen="self.__dict__[5]"),
    )
    graph = graph_of(source, limits=Limits(nodes=40))
    assert graph.why_unmerged.startswith("cannot read the environment")
    assert shortest(graph) == 4


LATCH = "import threading\nself.latch = threading.Lock()"


def test_states_with_opaque_objects_are_not_merged_and_the_reason_is_reported() -> None:
    step = "if index == 0 and not self.latch.locked(): self.latch.acquire()\n"
    step += "if index == 1: to = 'win' if self.latch.locked() else 0"
    graph = graph_of(maze(TRICK, prepare=LATCH, step=step), limits=Limits(nodes=10))
    assert graph.why_unmerged == "cannot read the environment.latch (_thread.lock)"
    assert (len(graph.nodes), shortest(graph)) == (10, 2)


def test_an_opaque_object_without_effect_does_not_prevent_merges() -> None:
    graph = graph_of(maze({0: (0, 1), 1: (1, "win")}, prepare=LATCH))
    assert (graph.identity, graph.why_unmerged, graph.stopped_by) == (StateIdentity.DECLARED, "", "")
    assert [node.kind for node in graph.nodes] == [NodeKind.OPEN, NodeKind.OPEN, NodeKind.WIN]


def test_the_action_count_is_part_of_the_key_if_actions_draw_at_random() -> None:
    source = maze({0: (0,)}, step="to = 'win' if random.random() < 0.2 else 0")
    graph = graph_of(source, limits=Limits(nodes=10))
    assert graph.depends_on_action_count
    depths = [node.depth for node in graph.nodes]
    assert depths == sorted(set(depths))


def test_new_sprites_with_random_names_are_equal() -> None:
    draw_anew = (
        "self.current_level.remove_sprite(self.dot)\n"
        "self.dot = Sprite([[9]])\n"
        "self.current_level.add_sprite(self.dot)"
    )
    graph = graph_of(maze({0: (0, 1), 1: (0, "win")}, prepare=draw_anew, step=draw_anew))
    assert [node.kind for node in graph.nodes] == [NodeKind.OPEN, NodeKind.OPEN, NodeKind.WIN]


def test_equal_states_of_two_games_have_one_digest_and_unequal_ones_two() -> None:
    source = environment("wk01")
    digests = []
    for path in ("44", "4434", "444", "2"):
        game, _ = Game.start(source, 0)
        for action in moves(path):
            game.act(action)
        digests.append(identify(game).digest)
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3
