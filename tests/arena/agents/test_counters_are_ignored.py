"""The frontier agent learns which cells count actions, and takes nothing else for a counter."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playtest_agents.counters import Counters
from playtest_agents.frontier import FrontierPlayer
from playtest_agents.game import GAME_OVER, NOT_FINISHED, WIN, Action, Choice, Frame, Turn

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
@settings(max_examples=40, deadline=None)
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
