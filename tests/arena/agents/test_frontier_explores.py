"""The frontier agent tries everything it can reach once, and learns which cells count actions."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from playtest_agents.counters import Counters
from playtest_agents.frontier import FrontierPlayer, StateGraph, clickable_components
from playtest_agents.game import GAME_OVER, NOT_FINISHED, WIN, Action, Choice, Frame, Turn
from tests.arena.agents.worlds import World, play

PLACES = 6

places = st.integers(0, PLACES - 1)
tables = st.lists(st.dictionaries(st.integers(1, 5), places, min_size=1), min_size=PLACES, max_size=PLACES)


def reachable(table: list[dict[int, int]], lost: frozenset[int] = frozenset()) -> set[int]:
    found, left = {0}, [0]
    while left:
        place = left.pop()
        if place in lost:
            continue
        for reached in set(table[place].values()) - found - {World.WON}:
            found.add(reached)
            left.append(reached)
    return found


@given(tables, places, st.integers(1, PLACES))
def test_a_path_is_the_shortest_to_an_untried_move(
    table: list[dict[int, int]], untried: int, most: int
) -> None:
    graph = StateGraph[int, int]()
    for place in range(PLACES):
        graph.add(place, [*table[place], 9] if place == untried else table[place])
        for move, reached in table[place].items():
            graph.record(place, move, reached)
    path = graph.path_to_untried(0)
    distance = {0: 0}
    for _ in range(PLACES):
        for place in list(distance):
            for reached in table[place].values():
                distance[reached] = min(distance.get(reached, 99), distance[place] + 1)
    assert (None if path is None else len(path)) == distance.get(untried)
    end = 0
    for move in path or []:
        end = table[end][move]
    assert path is None or end == untried


def test_states_beyond_the_bound_are_not_stored() -> None:
    graph = StateGraph[int, int](most=3)
    for state in range(10):
        graph.add(state, [1, 2])
        graph.record(state, 1, state + 1)
    assert [list(graph.untried(state)) for state in range(10)] == [[2]] * 3 + [[]] * 7


@given(tables, st.frozensets(st.integers(1, PLACES - 1), max_size=2), st.randoms(use_true_random=False))
def test_it_wins_where_the_only_winning_move_is_anywhere_within_reach(
    table: list[dict[int, int]], lost: frozenset[int], draws: Random
) -> None:
    """Irreversible moves and losses are left by a RESET to the level's start."""
    within = sorted(reachable(table, lost) - lost)
    table = [dict(moves) for moves in table]
    table[draws.choice(within)][6 + 1] = World.WON
    world = World([table, [{1: World.WON}]], lost)
    _, ended = play(world, FrontierPlayer(Random(draws.random())))
    assert ended == "won"
    assert world.full_restarts == 0


def test_a_known_no_op_is_not_repeated_while_anything_else_is_left() -> None:
    corridor = [{1: min(place + 1, 9), 2: place, 3: place} for place in range(10)]
    corridor[9][4] = World.WON
    actions, ended = play(World([corridor]), FrontierPlayer(Random(0)))
    assert ended == "won"
    assert sum(action.id in (2, 3) for action in actions) <= 2 * len(corridor)


def test_the_same_seed_plays_the_same() -> None:
    corridor = [{1: min(place + 1, 9), 2: max(place - 1, 0)} for place in range(10)]
    played = [play(World([corridor]), FrontierPlayer(Random(7)), 60) for _ in range(2)]
    assert played[0] == played[1]
    assert played[0][1] == "limit"


def test_without_actions_it_stops() -> None:
    assert play(World([[{}]]), FrontierPlayer(Random(0))) == ([], "no_actions")


@st.composite
def drawings(draw: st.DrawFn) -> Frame:
    """A board of rectangles."""
    frame = np.full((64, 64), draw(st.integers(0, 15)), np.uint8)
    for _ in range(draw(st.integers(0, 12))):
        x, y = draw(st.integers(0, 63)), draw(st.integers(0, 63))
        width, height = draw(st.integers(1, 20)), draw(st.integers(1, 20))
        frame[y : y + height, x : x + width] = draw(st.integers(0, 15))
    return frame


@given(drawings())
def test_every_component_is_clicked_once_on_a_cell_of_its_own(frame: Frame) -> None:
    found = clickable_components(frame, most=4096)
    clicks = [one.click for one in found]
    labels = [ndimage.label(frame == colour) for colour in range(16)]
    hit = [
        (frame[click.y, click.x], labels[frame[click.y, click.x]][0][click.y, click.x]) for click in clicks
    ]
    assert len(set(hit)) == len(hit) == sum(count for _, count in labels)
    sizes = [int((labels[colour][0] == part).sum()) for colour, part in hit]
    assert sizes == sorted(sizes, reverse=True) == [one.size for one in found]
    assert [one.colour for one in found] == [colour for colour, _ in hit]
    assert clickable_components(frame, most=3) == found[:3]


MOVES = {1: (0, -1), 2: (0, 1), 3: (-1, 0), 4: (1, 0)}


class Room:
    """A walker of three by three cells in a room of eight by eight places, and a bar that is used up.

    The place in the corner wins. With `length` actions the bar is used up, and the level is lost. It lies
    along row or column 63 and loses one cell in `actions_a_cell` actions.
    """

    def __init__(self, length: int = 64, actions_a_cell: int = 1, *, column: bool = False) -> None:
        self.length, self.actions_a_cell, self.column = length, actions_a_cell, column
        self.reset()

    def reset(self) -> None:
        self.x, self.y, self.used = 0, 0, 0

    def act(self, action: int) -> None:
        dx, dy = MOVES[action]
        self.x, self.y = min(max(self.x + dx, 0), 7), min(max(self.y + dy, 0), 7)
        self.used += 1

    def turn(self) -> Turn:
        won = (self.x, self.y) == (7, 7)
        lost = self.used >= self.length * self.actions_a_cell
        state = WIN if won else GAME_OVER if lost else NOT_FINISHED
        return Turn("guid", (self.frame(),), state, int(won), 1, (1, 2, 3, 4))

    def frame(self) -> Frame:
        frame = np.full((64, 64), 5, np.uint8)
        frame[self.y * 6 : self.y * 6 + 3, self.x * 6 : self.x * 6 + 3] = 9
        bar = frame[:, 63] if self.column else frame[63]
        bar[: max(self.length - self.used // self.actions_a_cell, 0)] = 11
        return frame


@pytest.mark.parametrize("column", [False, True])
@pytest.mark.parametrize("actions_a_cell", [1, 2, 3])
def test_a_bar_is_found_and_states_come_back(actions_a_cell: int, column: bool) -> None:
    room, counters, draws = Room(50, actions_a_cell, column=column), Counters(), Random(3)
    before, found = room.frame(), 0
    for _ in range(30):
        action = draws.choice(list(MOVES))
        room.act(action)
        found += counters.observe(before, action, room.frame(), 4)
        before = room.frame()
    assert found == 1
    room.x = room.y = 0
    early = counters.masked(room.frame())
    room.used += 10
    assert (counters.masked(room.frame()) == early).all()
    room.x = 1
    assert (counters.masked(room.frame()) != early).any()
    assert not counters.spent(room.frame())
    room.used = (50 - 1) * actions_a_cell
    assert counters.spent(room.frame())


@given(st.lists(st.sampled_from(list(MOVES)), max_size=120))
def test_a_walker_is_no_counter(actions: list[int]) -> None:
    room, counters = Room(0), Counters()
    before = room.frame()
    for action in actions:
        room.act(action)
        assert not counters.observe(before, action, room.frame(), 4)
        before = room.frame()


def test_what_one_move_alone_fills_is_no_counter() -> None:
    counters = Counters()
    frame = np.zeros((64, 64), np.uint8)
    for at in range(40):
        after = frame.copy()
        after[10, at] = 3
        assert not counters.observe(frame, 4, after, 4)
        assert not counters.observe(after, 1, after, 4)
        frame = after


def test_it_wins_a_level_that_a_bar_of_a_hundred_actions_ends() -> None:
    """Fourteen right moves of four: without the bar's cells there are sixty-four states."""
    room, player, taken = Room(50, 2), FrontierPlayer(Random(0)), 0
    while not room.turn().won and taken < 1_500:
        choice = player.choose(room.turn())
        assert isinstance(choice, Choice)
        if choice.action == Action(0):
            room.reset()
        else:
            room.act(choice.action.id)
        taken += 1
    assert taken < 1_000
