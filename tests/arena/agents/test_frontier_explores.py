"""The frontier agent tries everything it can reach, no no-op twice, and never restarts a game."""

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from playtest_agents.frontier import FrontierPlayer, StateGraph, clickable_components
from playtest_agents.game import Frame
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
@settings(max_examples=50)
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
        graph.add(state, [1])
        graph.record(state, 1, state + 1)
    assert len(graph) == 3
    assert graph.path_to_untried(0) is None


@given(tables, st.frozensets(st.integers(1, PLACES - 1), max_size=2), st.randoms(use_true_random=False))
@settings(max_examples=60)
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
@settings(max_examples=40)
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
