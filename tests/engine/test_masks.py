"""Which cells are found to change with nearly every action, on boards that are drawn here."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from engine.play.frames import Frame, encode
from engine.prove.masks import Shown, Stretch, cells_of, find, packed, rectangles, restated, unpacked

WALKER, FLOOR, FULL, SPENT = 9, 1, 8, 4
type Draw = Callable[[Frame, int, int], None]
"""Draws on a board after so many actions, of which so many changed the place of the walker."""


def board(place: tuple[int, int]) -> Frame:
    """A floor with walls around the walker's 12 by 12 places of two cells."""
    frame = np.full((64, 64), FLOOR, dtype=np.uint8)
    x, y = place
    frame[20 + 2 * y : 22 + 2 * y, 20 + 2 * x : 22 + 2 * x] = WALKER
    return frame


def plays(draw: Draw, *, stretches: int = 8, actions: int = 40) -> list[Stretch]:
    """Random walks; every other one starts near a wall, so that many actions change no place."""
    made = []
    for seed in range(stretches):
        chance = random.Random(seed)
        x, y, moved = 0, seed % 3, 0
        acts, frames = list[int](), list[Frame]()
        for count in range(actions + 1):
            frame = board((x, y))
            draw(frame, count, moved)
            frames.append(frame)
            act = chance.choice([1, 2, 3, 4])
            acts.append(act)
            dx, dy = {1: (0, -1), 2: (0, 1), 3: (-1, 0), 4: (1, 0)}[act]
            if 0 <= x + dx < 12 and 0 <= y + dy < 12:
                x, y, moved = x + dx, y + dy, moved + 1
        made.append(Stretch(1, acts[:actions], frames))
    return made


def nothing_drawn(_frame: Frame, _count: int, _moved: int) -> None:
    pass


def counter_row(frame: Frame, count: int, _moved: int) -> None:
    """64 cells, used up from the right, one an action."""
    frame[0] = FULL
    frame[0, 64 - count :] = SPENT


def bar_of_moves(frame: Frame, _count: int, moved: int) -> None:
    """Two rows of 40 cells that shrink with what moved, and are full again every 25 moves."""
    frame[61:63, 10:50] = FULL
    if used := moved % 25:
        frame[61:63, 50 - used : 50] = SPENT


def clock(frame: Frame, count: int, _moved: int) -> None:
    """A binary number in a corner."""
    for bit in range(6):
        frame[1, 62 - bit] = FULL if count >> bit & 1 else SPENT


def moves_by_itself(frame: Frame, count: int, _moved: int) -> None:
    """A thing of play that walks along the middle, whatever is done."""
    frame[50:52, 22 + count % 5] = FULL


@pytest.mark.parametrize(
    ("draw", "areas"),
    [
        (nothing_drawn, []),
        (counter_row, [(0, 0, 64, 1)]),
        (bar_of_moves, [(10, 61, 40, 2)]),
        (clock, [(57, 1, 6, 1)]),
    ],
)
def test_counters_are_found_and_nothing_else(draw: Draw, areas: list[tuple[int, int, int, int]]) -> None:
    found = find(plays(draw))
    assert rectangles(found.mask) == areas
    assert not found.undecided.any()


def test_what_moves_by_itself_within_the_board_is_undecided() -> None:
    found = find(plays(moves_by_itself))
    assert not found.mask.any()
    assert rectangles(found.undecided) == [(22, 50, 5, 2)]


def test_what_play_changes_nearly_always_is_left_to_a_person() -> None:
    """The floor is wide enough here that hardly any action leads against a wall."""
    open_floor = []
    for seed in range(6):
        chance, light, frames, acts = random.Random(seed), 0, list[Frame](), list[int]()
        for _ in range(40):
            frame = board((seed, seed))
            frame[2, 2] = light
            frames.append(frame)
            act = chance.choice([1, 1, 1, 2, 2, 2, 3, 3, 3, 4])
            acts.append(act)
            light = (light + act % 4) % 5
        open_floor.append(Stretch(1, acts[:39], frames))
    found = find(open_floor)
    assert not found.mask.any()
    assert rectangles(found.undecided) == [(2, 2, 1, 1)]


@pytest.mark.parametrize(("length", "areas"), [(64, [(0, 53, 64, 1)]), (30, [])])
def test_a_line_that_one_action_uses_up_is_a_bar_only_if_it_crosses_the_board(
    length: int, areas: list[tuple[int, int, int, int]]
) -> None:
    """Action 5 uses up a cell and does nothing else; a short line may be what it builds."""
    made = []
    for seed in range(6):
        chance, place, used = random.Random(seed), seed, 0
        acts, frames = list[int](), list[Frame]()
        for _ in range(41):
            frames.append(board((place, 3)))
            frames[-1][53, :length] = FULL
            frames[-1][53, length - used : length] = SPENT
            acts.append(chance.choice([1, 2, 5, 5, 5, 5]))
            place = min(11, max(0, place + {1: 1, 2: -1, 5: 0}[acts[-1]]))
            used += acts[-1] == 5
        made.append(Stretch(1, acts[:40], frames))
    assert rectangles(find(made).mask) == areas


def test_too_little_play_finds_nothing() -> None:
    assert not find(plays(counter_row, stretches=2)).enough
    assert not find(plays(counter_row, stretches=2)).mask.any()


def test_one_plan_played_again_and_again_finds_nothing() -> None:
    [one] = plays(counter_row, stretches=1)
    assert not find([one] * 5).mask.any()


def test_rates_on_masked_frames_are_those_without_the_counter() -> None:
    """The same walks drawn without a counter: the same actions change nothing, the same states come back."""
    with_counter, without = plays(counter_row), plays(nothing_drawn)
    mask = find(with_counter).mask
    for counted, plain in zip(with_counter, without, strict=True):
        seen, raw = (
            list(restated(_entries(one), cells)) for one, cells in ((counted, mask), (plain, mask & False))
        )
        assert [changed for changed, _ in seen] == [changed for changed, _ in raw]
        first = [[pair[1] for pair in pairs].index(state) for pairs in (seen, raw) for _, state in pairs]
        assert first[: len(seen)] == first[len(seen) :]


def _entries(one: Stretch) -> list[Shown]:
    before: list[Frame | None] = [None, *one.frames[:-1]]
    return [
        Shown(1, 0, "NOT_FINISHED", encode([frame], previous))
        for frame, previous in zip(one.frames, before, strict=True)
    ]


def test_rectangles_are_the_cells_and_back() -> None:
    areas = [(0, 0, 64, 1), (3, 5, 2, 4), (10, 5, 1, 1)]
    assert rectangles(cells_of(areas)) == areas
    assert (unpacked(packed(cells_of(areas))) == cells_of(areas)).all()
    with pytest.raises(ValueError, match="60 0 5 1"):
        cells_of([(60, 0, 5, 1)])
