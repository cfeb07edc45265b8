"""State graphs match levels computed by hand, and random levels match brute force."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EnvironmentFault
from engine.play.actions import Action
from engine.play.game import Game
from engine.play.turns import Turn
from engine.prove.exploration.explore import explore
from engine.prove.exploration.graph import MOST_DRAWN, Limits
from engine.prove.exploration.markov import chance, chance_within
from engine.prove.exploration.markov_bounds import MOST_DENSE, State
from engine.prove.exploration.report import drawing, report
from engine.prove.player import LevelPlayer, Player
from tests.engine.mazes import EIGHTH, Rooms, graph_of, maze, report_of
from tests.games.rules import known, source

# Room 2 can only be left for itself; 3 and 4 lead to one another.
CORRIDOR: Rooms = {0: (0, 1), 1: (0, 3), 3: (4, 2), 4: (3, 5), 5: ("loss", "win"), 2: (2, 2)}


def test_three_correct_choices_of_two_have_a_chance_of_one_in_eight() -> None:
    found = report_of(maze(EIGHTH), budget=3)
    assert found["p_win"] == {"lower": 0.125, "upper": 0.125, "exact": "1/8"}
    assert found["p_win_within"] == {"steps": 3, "lower": 0.125, "upper": 0.125, "exact": "1/8"}
    assert report_of(maze(EIGHTH), budget=2)["p_win_within"] == {
        "steps": 2,
        "lower": 0,
        "upper": 0,
        "exact": "0/1",
    }
    assert found["shortest_win"] == 3
    assert found["shortest_win_actions"] == [[2, None, None]] * 3
    assert found["fully_explored"]


def test_a_corridor_with_a_cycle_and_a_loss_has_its_exact_numbers() -> None:
    found = report_of(maze(CORRIDOR))
    # x3 = 1/2 x4 and x4 = (x3 + 1/2) / 2, so x3 = 1/6; the rooms before lead to 3 in the end.
    assert found["p_win"]["exact"] == "1/6"  # type: ignore[index]
    names = ("nodes", "edges", "self_loops", "cycles", "dead_ends", "wins", "losses", "deepest_level")
    assert [found[name] for name in names] == [8, 12, 3, 2, 1, 1, 1, 5]
    assert found["merge_density"] == 1 - 7 / 12
    assert found["shortest_win"] == 5


@pytest.mark.parametrize("limits", [Limits(nodes=4), Limits(depth=2), Limits(edges=5), Limits(steps=6)])
def test_the_chance_of_an_unfinished_graph_lies_between_the_bounds(limits: Limits) -> None:
    found = report_of(maze(CORRIDOR), limits=limits)
    assert not found["fully_explored"]
    assert found["stopped_by"]
    bounds = found["p_win"]
    assert isinstance(bounds, dict)
    assert bounds["exact"] is None
    assert bounds["lower"] <= 1 / 6 <= bounds["upper"]


def test_an_exploration_stops_at_its_limits_and_not_before() -> None:
    """The last tried actions find no new state, and each is preceded by the path to its state."""
    source = maze({0: (0, 1), 1: (1, 2), 2: (2, 2)}, prepare="self.waiting = iter(range(9))")
    full = report_of(source)
    assert (full["nodes"], full["restored_by"], full["fully_explored"]) == (3, "path", True)
    for name in ("nodes", "edges", "steps"):
        count = full[name]
        assert isinstance(count, int)
        assert report_of(source, limits=Limits(**{name: count}))["fully_explored"]
        for limit in range(1, count):
            found = report_of(source, limits=Limits(**{name: limit}))
            assert found["stopped_by"] == name
            assert found[name] <= limit  # type: ignore[operator]


def test_a_game_that_is_won_at_once_has_a_win() -> None:
    found = report_of(maze({0: (0, 0)}, step="if index == 1: self.win()"))
    assert (found["wins"], found["losses"], found["shortest_win"]) == (1, 0, 1)


def test_checks_take_no_more_than_their_share_of_the_time() -> None:
    now = 0.0

    class Slow(LevelPlayer):
        def act(self, game: Game, action: Action) -> Turn:
            nonlocal now
            now += 1.0
            return super().act(game, action)

    graph = explore(Slow(Player(maze({0: (0, 1), 1: (1, 0)})), 0, 1), Limits(seconds=5), lambda: now)
    assert len(graph.nodes) == 2
    assert now < 3 * 5


def test_without_memory_the_graph_so_far_is_reported() -> None:
    class Full(LevelPlayer):
        starts = 0

        def start(self) -> Game:
            self.starts += 1
            if self.starts > 12:
                raise EnvironmentFault("memory_exceeded", "All that was seen takes the memory.")
            return super().start()

    by_path = maze({0: (1, 0), 1: (2, 0), 2: (3, 0), 3: (3, "win")}, prepare="self.kept = iter(())")
    graph = explore(Full(Player(by_path), 0, 1), Limits(), time.monotonic)
    assert graph.stopped_by == "memory"
    assert graph.edges > 2


def test_the_limit_on_seconds_stops_an_exploration() -> None:
    ticks = iter(range(10_000))
    player = LevelPlayer(Player(maze({room: ((room + 1) % 4_000,) for room in range(4_000)})), 0, 1)
    graph = explore(player, Limits(seconds=100), lambda: float(next(ticks)))
    assert graph.stopped_by == "seconds"
    assert 10 < len(graph.nodes) <= 100


def test_a_fault_ends_its_branch_only() -> None:
    found = report_of(maze(EIGHTH, step="assert self.room != 1 or index"))
    assert found["faults"] == [{"code": "environment_raised", "actions": [[2, None, None], [1, None, None]]}]
    assert found["shortest_win"] == 3


def test_a_state_whose_valid_actions_cannot_be_listed_is_a_fault() -> None:
    class Mute(LevelPlayer):
        def actions(self, game: Game) -> list[Action]:
            if getattr(game.state[0], "room", 0) == 1:
                raise EnvironmentFault("deadline_exceeded", "It goes on for ever.")
            return super().actions(game)

    found = report(
        explore(Mute(Player(maze({0: (1, 2), 1: (0, 0), 2: (0, "win")})), 0, 1), Limits(), time.monotonic)
    )
    assert found["faults"] == [{"code": "deadline_exceeded", "actions": [[1, None, None]]}]
    assert (found["shortest_win"], found["fully_explored"]) == (2, True)


def test_a_small_graph_can_be_drawn_with_its_frames() -> None:
    drawn = drawing(graph_of(maze(EIGHTH)))
    assert sorted(node["kind"] for node in drawn["nodes"]) == ["loss"] * 3 + ["open"] * 3 + ["win"]
    assert {len(node["frame"]) for node in drawn["nodes"]} == {4096}
    assert drawn["tree"][0] == [0, 1, [1, None, None]]
    assert len(drawn["edges"]) == len(drawn["tree"]) == 6
    assert (drawn["of"], {node["beyond"] for node in drawn["nodes"]}) == (7, {0})


def test_a_drawing_of_a_large_graph_has_the_states_nearest_to_the_start() -> None:
    line = {room: (room + 1, 0) for room in range(300)} | {300: ("win", 0)}
    drawn = drawing(graph_of(maze(line)))
    assert (drawn["of"], len(drawn["nodes"])) == (302, MOST_DRAWN)
    assert [node["depth"] for node in drawn["nodes"]] == list(range(MOST_DRAWN))
    assert [node["beyond"] for node in drawn["nodes"]] == [0] * (MOST_DRAWN - 1) + [1]
    assert all(node["frame"] for node in drawn["nodes"])
    assert max(max(source, target) for source, target, _ in drawn["edges"]) == MOST_DRAWN - 1
    assert len(drawn["tree"]) == MOST_DRAWN - 1


def test_the_shortest_win_of_a_shipped_level_matches_its_rules() -> None:
    environment, level = "bh93", 1
    player = LevelPlayer(Player(source(environment)), 0, level)
    found = report(explore(player, Limits(depth=8), time.monotonic))
    its = known(environment)
    assert found["shortest_win"] == len([*its.actions(its.FEWEST[level - 1])])
    game, turn = Game.start(source(environment), 0, level=level)
    assert isinstance(found["shortest_win_actions"], list)
    for identifier, x, y in found["shortest_win_actions"]:
        action = next(one for one in player.actions(game) if (one.id, one.x, one.y) == (identifier, x, y))
        turn = game.act(action)
    assert turn.level_completed


rooms = st.integers(1, 5).flatmap(
    lambda count: st.lists(
        st.lists(st.sampled_from([*range(count), "win", "loss"]), min_size=2, max_size=2),
        min_size=count,
        max_size=count,
    )
)


def by_force(maze_rooms: list[list[int | str]], steps: int) -> Fraction:
    """Returns the chance to win within some steps, by enumerating all paths."""
    odds = {0: Fraction(1)}
    won = Fraction(0)
    for _ in range(steps):
        after: dict[int, Fraction] = {}
        for room, odd in odds.items():
            for to in maze_rooms[room]:
                if to == "win":
                    won += odd / 2
                elif isinstance(to, int):
                    after[to] = after.get(to, Fraction(0)) + odd / 2
        odds = after
    return won


def as_states(maze_rooms: list[list[int | str]]) -> list[State]:
    count = len(maze_rooms)
    places = {"win": count, "loss": count + 1}
    states = []
    for doors in maze_rooms:
        moves: dict[int, int] = {}
        for to in doors:
            index = places[to] if isinstance(to, str) else to
            moves[index] = moves.get(index, 0) + 1
        states.append(State(moves, 2))
    return [*states, State({}, 0, wins=True), State({}, 0)]


@given(rooms)
def test_the_chance_is_the_sum_over_all_paths(maze_rooms: list[list[int | str]]) -> None:
    states = as_states(maze_rooms)
    for steps in (0, 1, 4):
        assert chance_within(states, steps).exact == by_force(maze_rooms, steps)
    odds = [chance(states, start).exact or Fraction(0) for start in range(len(states))]
    reached = by_force(maze_rooms, len(maze_rooms))
    assert (odds[0] == 0) == (reached == 0)
    assert odds[0] >= reached
    for room, doors in enumerate(maze_rooms):  # what the chances are is what their equations say
        next_rooms = [len(maze_rooms) + (to == "loss") if isinstance(to, str) else to for to in doors]
        assert 2 * odds[room] == sum(odds[to] for to in next_rooms)


@given(rooms, st.data())
def test_bounds_hold_for_any_untried_actions(maze_rooms: list[list[int | str]], data: st.DataObject) -> None:
    states = as_states(maze_rooms)
    full, full_within = chance(states).exact, chance_within(states, 5).exact
    assert full is not None
    assert full_within is not None
    for index in range(len(maze_rooms)):
        left_out = data.draw(st.sets(st.sampled_from(list(states[index].moves))))
        moves = {to: count for to, count in states[index].moves.items() if to not in left_out}
        states[index] = State(moves, 2)
    found, within = chance(states), chance_within(states, 5)
    assert found.exact == full or found.lower <= full <= found.upper
    assert within.exact == full_within or within.lower <= full_within <= within.upper


@settings(max_examples=8)
@given(rooms)
def test_a_level_has_the_chance_and_the_shortest_win_of_its_rooms(maze_rooms: list[list[int | str]]) -> None:
    found = report(graph_of(maze(dict(enumerate(maze_rooms)))), 10)
    exact = chance(as_states(maze_rooms)).exact
    assert exact is not None
    assert found["p_win"]["exact"] == f"{exact.numerator}/{exact.denominator}"
    first = next((steps for steps in range(8) if by_force(maze_rooms, steps)), None)
    assert found["shortest_win"] == first


def line(count: int) -> list[State]:
    """Rooms in a row, equal chances for both directions; the far end wins, the near one loses."""
    states = [State({room + 1: 1, room - 1 if room else count + 1: 1}, 2) for room in range(count)]
    return [*states, State({}, 0, wins=True), State({}, 0)]


def test_a_long_cycle_is_exact() -> None:
    assert chance(line(400), start=99).exact == Fraction(100, 401)
    long = chance_within(line(50), 1_000, start=49)
    assert long.exact is not None
    assert Fraction(str(long.as_json()["exact"])) == long.exact


def test_a_cycle_too_long_for_fractions_has_close_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.prove.exploration.markov.LARGEST_EXACT_CYCLE", 250)
    found = chance(line(400), start=99)
    assert found.exact is None
    assert 0 < found.upper - found.lower < 1e-8
    assert found.lower <= Fraction(100, 401) <= found.upper


@pytest.mark.parametrize("count", [2, MOST_DENSE, MOST_DENSE + 1, 300])
def test_bounds_enclose_the_exact_chance_with_either_solver(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = chance(line(count), start=count // 2).exact
    assert exact is not None
    monkeypatch.setattr("engine.prove.exploration.markov.LARGEST_EXACT_CYCLE", 1)
    found = chance(line(count), start=count // 2)
    assert found.exact is None
    assert found.lower <= exact <= found.upper < found.lower + 1e-8


def test_bounds_hold_where_leaving_a_state_is_improbable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.prove.exploration.markov.LARGEST_EXACT_CYCLE", 1)
    rooms = [State({0: 4_095, room + 1: 1}, 4_096) for room in range(30)]
    found = chance([*rooms, State({}, 0, wins=True)])
    assert found.exact is None
    assert found.lower <= 1 == found.upper
