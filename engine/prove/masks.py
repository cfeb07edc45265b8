"""Cells that change with nearly every action (move counters, clocks, step bars): the mask of a version.

They make every state new, so states are compared without them. A stretch is what was shown from a level's
start, or a reset, up to the next one. Three rules look at the last frames of many stretches:

- **Bar.** Cells of one row or column turn from one colour to another, one run after another in one direction,
  at the same distance, and stay so: at least BAR_STEPS times, after at least BAR_ACTIONS different actions
  (or all that were made, if fewer), EVEN of the waits between two at most twice the usual one and one, in
  actions that changed anything: some bars count only these. What moves does not stay; what a player paints
  turns, stops and waits. The rest of the bar, in its colour before it is used up, belongs to it, unless that
  colour is the board's commonest. A bar that crosses the board (ACROSS cells with its rest) may be used up by
  one action, such as a try, if NEARLY all of these change nothing else: random play makes no other.
  It is found if at least two and BAR_SHARE of the stretches show it on that line, in which twice BAR_STEPS
  actions changed anything; it is undecided if half as many do. So a trail that the way through one level
  leaves, which everybody takes, is none.
- **Clock.** A cell shows the same after the same number of actions, whatever these were: in AGREEMENT of the
  comparisons of stretches of one level after they part, at least LEAST_COMPARED of them. Cells that touch
  are one clock. It is found if it changes in NEARLY every action and lies within EDGE cells of one side of
  the board; elsewhere it may be a thing that moves by itself, and is undecided.
- **Undecided.** Any other cell that changes in NEARLY every action: play may change it. A person decides.

Nothing is found in fewer than LEAST_STRETCHES stretches, LEAST_ACTIONS actions, or where all did the same.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.errors import PayloadError
from engine.play.frames import SIZE, Frame, decode_last, entering_frame, state_hash

type _Line = tuple[int, int]
"""0 with the number of a row, or 1 with that of a column."""
type Cells = npt.NDArray[np.bool_]
"""64 rows of 64: True for each cell that is meant."""

RULES = 2
"""The number of these rules: masks that were found by others are looked for again."""
NEARLY = 0.8
AGREEMENT = 0.98
BAR_STEPS = 6
BAR_ACTIONS = 3
BAR_SHARE = 0.5
EVEN = 0.9
WIDEST_GAP = 4
ACROSS = 48
EDGE = 10
LEAST_COMPARED = 20
LEAST_STRETCHES = 3
LEAST_ACTIONS = 60
MOST_PAIRS = 60
MASK_BYTES = SIZE * SIZE // 8


@dataclass(frozen=True)
class Stretch:
    """What was done on a level from its start or a reset, and the last frame before and after each action.

    There is one frame more than actions.
    """

    level: int
    actions: Sequence[Hashable]
    frames: Sequence[Frame]


@dataclass(frozen=True)
class Found:
    """The mask, what stays undecided, and the evidence: stretches with an action, and their actions."""

    mask: Cells
    undecided: Cells
    stretches: int
    actions: int

    @property
    def enough(self) -> bool:
        return self.stretches >= LEAST_STRETCHES and self.actions >= LEAST_ACTIONS


def nothing() -> Cells:
    """No cell."""
    return np.zeros((SIZE, SIZE), dtype=np.bool_)


def packed(cells: Cells) -> bytes:
    """MASK_BYTES bytes."""
    return np.packbits(cells).tobytes()


def unpacked(stored: bytes | memoryview) -> Cells:
    """The cells of `packed`."""
    return np.unpackbits(np.frombuffer(stored, dtype=np.uint8)).astype(np.bool_).reshape(SIZE, SIZE)


class Shown(NamedTuple):
    """An entry of a journal: `frames` is its payload, the rest the state after it."""

    level: int
    completed: int
    state: str
    frames: bytes


def masked_hash(frame: Frame, cells: Cells, level: int, completed: int, state: str) -> bytes:
    """As `engine.play.frames.state_hash`, of the frame without these cells."""
    return state_hash(np.where(cells, np.uint8(0), frame), level, completed, state)


def restated(entries: Iterable[Shown], cells: Cells) -> Iterator[tuple[bool, bytes]]:
    """Whether each entry changed anything beside these cells, and the hash of its state without them.

    The first entry opens the game or enters a level. Ends before an entry whose frames are damaged.
    """
    frame: Frame | None = None
    before = None
    for level, completed, state, frames in entries:
        try:
            frame = entering_frame(frames) if frame is None else decode_last(frames, frame)
        except PayloadError:
            return
        assert frame is not None
        named = masked_hash(frame, cells, level, completed, state)
        yield named != before, named
        before = named


def find(stretches: Iterable[Stretch]) -> Found:
    """The mask that these stretches show, by the rules above."""
    played = [one for one in stretches if one.actions]
    found = Found(nothing(), nothing(), len(played), sum(len(one.actions) for one in played))
    if not found.enough or len({tuple(one.actions) for one in played}) < 2:
        return found
    shown = [(one, np.stack(one.frames)) for one in played]
    bars, doubtful = _bars(shown)
    clocks, moving = _clocks(shown, bars)
    changed = np.zeros((SIZE, SIZE), dtype=np.int64)
    for _, frames in shown:
        changed += (frames[1:] != frames[:-1]).sum(axis=0)
    often = changed >= NEARLY * found.actions
    mask = bars | clocks
    undecided = (doubtful | moving | often) & ~mask
    return Found(mask, undecided, found.stretches, found.actions)


@dataclass
class _Bar:
    """Steps of one line from one colour to another: the cells turned, and when."""

    cells: list[int]
    at: list[int]
    gap: int | None = None
    direction: int = 0

    def takes(self, first: int, last: int, now: npt.NDArray[np.uint8], colour: int) -> bool:
        """Whether a step on these cells goes on with it."""
        if not (now[self.cells] == colour).all():
            return False
        low, high = min(self.cells), max(self.cells)
        direction, gap = (1, first - high - 1) if first > high else (-1, low - last - 1)
        if not 0 <= gap <= WIDEST_GAP:
            return False
        if self.gap is not None and (gap, direction) != (self.gap, self.direction):
            return False
        self.gap, self.direction = gap, direction
        return True

    def is_even(self, changes: npt.NDArray[np.int64]) -> bool:
        """Whether it has enough steps with even waits."""
        waits = np.diff(changes[self.at])
        return len(self.at) >= BAR_STEPS and bool((waits <= 2 * np.median(waits) + 1).mean() >= EVEN)

    def follows_any(self, stretch: Stretch) -> bool:
        """Whether actions of several kinds used it up."""
        made = {stretch.actions[at] for at in self.at}
        return len(made) >= min(BAR_ACTIONS, len(set(stretch.actions)))


def _bars(shown: list[tuple[Stretch, npt.NDArray[np.uint8]]]) -> tuple[Cells, Cells]:
    """The bars, and those that few stretches show."""
    cells, times, long = dict[_Line, Cells](), Counter[_Line](), 0
    for stretch, frames in shown:
        changes = (frames[1:] != frames[:-1]).any(axis=(1, 2)).cumsum()
        if changes[-1] < 2 * BAR_STEPS:
            continue
        long += 1
        here = _bars_of(stretch, frames, changes)
        times.update(here.keys())
        for place, mine in here.items():
            cells[place] = cells.get(place, mine) | mine
    bars, doubtful = nothing(), nothing()
    for (axis, line), found in cells.items():
        often = times[axis, line] / (BAR_SHARE * long)
        if often >= 0.5:
            board = bars if often >= 1 and times[axis, line] > 1 else doubtful
            (board if axis == 0 else board.T)[line] |= found
    return bars, doubtful


def _bars_of(
    stretch: Stretch, frames: npt.NDArray[np.uint8], changes: npt.NDArray[np.int64]
) -> dict[_Line, Cells]:
    """The cells of the bars of one stretch, with their rest, by line."""
    commonest = int(np.bincount(frames[0].reshape(-1), minlength=16).argmax())
    found: dict[_Line, Cells] = {}
    for axis in (0, 1):
        turned = frames if axis == 0 else frames.transpose(0, 2, 1)
        moved = turned[1:] != turned[:-1]
        for line in np.flatnonzero(moved.any(axis=2).sum(axis=0) >= BAR_STEPS).tolist():
            for old, bar in _bars_of_line(turned[:, line], moved[:, line], changes):
                mine = np.zeros(SIZE, dtype=np.bool_)
                mine[bar.cells] = True
                if old != commonest:
                    _take_rest(mine, turned[bar.at[-1] + 1, line], old, bar)
                steps = moved[bar.at]
                alone = (steps.any(axis=1) == steps[:, line]).all(axis=1).mean() >= NEARLY
                if bar.follows_any(stretch) or (alone and mine.sum() >= ACROSS):
                    found[axis, line] = found.get((axis, line), mine) | mine
    return found


def _bars_of_line(
    shown: npt.NDArray[np.uint8], moved: Cells, changes: npt.NDArray[np.int64]
) -> Iterator[tuple[int, _Bar]]:
    """The bars of one row or column, each with the colour that it uses up."""
    under_way: dict[tuple[int, int], _Bar] = {}
    for at in np.flatnonzero(moved.any(axis=1)).tolist():
        before, now = shown[at], shown[at + 1]
        positions = np.flatnonzero(moved[at])
        pairs = {(int(before[one]), int(now[one])) for one in positions}
        for old, new in pairs:
            step = positions[(before[positions] == old) & (now[positions] == new)].tolist()
            bar = under_way.get((old, new))
            together = step[-1] - step[0] + 1 == len(step)
            if together and bar is not None and bar.takes(step[0], step[-1], now, new):
                bar.cells += step
                bar.at.append(at)
                continue
            if bar is not None and bar.is_even(changes):
                yield old, bar
            under_way.pop((old, new), None)
            if together:
                under_way[old, new] = _Bar(step, [at])
    yield from ((old, bar) for (old, _), bar in under_way.items() if bar.is_even(changes))


def _take_rest(line: Cells, now: npt.NDArray[np.uint8], old: int, bar: _Bar) -> None:
    """Adds the cells ahead that are still to be used up, as far as they are at the bar's distance."""
    gap = bar.gap or 0
    at = max(bar.cells) + 1 if bar.direction > 0 else min(bar.cells) - 1
    missing = 0
    while 0 <= at < SIZE and missing <= gap:
        missing = 0 if now[at] == old else missing + 1
        line[at] |= now[at] == old
        at += bar.direction


def _clocks(shown: list[tuple[Stretch, npt.NDArray[np.uint8]]], bars: Cells) -> tuple[Cells, Cells]:
    """The clocks, and what moves by itself elsewhere."""
    from scipy import ndimage  # takes 0.1 s, and most processes never need it

    by_level: dict[int, list[tuple[Stretch, npt.NDArray[np.uint8]]]] = defaultdict(list)
    for pair in shown:
        by_level[pair[0].level].append(pair)
    compared, alike = (np.zeros((SIZE, SIZE), dtype=np.int64) for _ in range(2))
    for level in by_level.values():
        for one, other in islice(combinations(level, 2), MOST_PAIRS):
            begin = _parting(one[0].actions, other[0].actions)
            end = min(len(one[0].actions), len(other[0].actions)) + 1
            mine, theirs = one[1][begin:end], other[1][begin:end]
            moved = (mine != one[1][0]) | (theirs != other[1][0])
            compared += moved.sum(axis=0)
            alike += (moved & (mine == theirs)).sum(axis=0)
    same = (compared >= LEAST_COMPARED) & (alike >= AGREEMENT * compared) & ~bars
    clocks, moving = nothing(), nothing()
    labels, count = ndimage.label(ndimage.binary_dilation(same, np.ones((3, 3), dtype=bool)), np.ones((3, 3)))
    for number in range(1, count + 1):
        cells = same & (labels == number)
        changes = sum(int((frames[1:] != frames[:-1])[:, cells].any(axis=1).sum()) for _, frames in shown)
        if changes >= NEARLY * sum(len(stretch.actions) for stretch, _ in shown):
            (clocks if _at_edge(cells) else moving)[cells] = True
    return clocks, moving


def _parting(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The number of the first frame after which two stretches have not done the same."""
    same = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        same += 1
    return same + 1


def _at_edge(cells: Cells) -> bool:
    rows, columns = np.nonzero(cells)
    return bool(
        rows.max() < EDGE or columns.max() < EDGE or rows.min() >= SIZE - EDGE or columns.min() >= SIZE - EDGE
    )


type Rectangle = tuple[int, int, int, int]
"""Column and row of the first cell, width and height."""


def rectangles(cells: Cells) -> list[Rectangle]:
    """The fewest-first rectangles that together are these cells: runs of a row, joined downwards."""
    found: list[Rectangle] = []
    open_: dict[tuple[int, int], Rectangle] = {}
    for row in range(SIZE + 1):
        runs = _runs(cells[row]) if row < SIZE else []
        ended = [run for run in open_ if run not in runs]
        found += [open_.pop(run) for run in ended]
        for start, width in runs:
            x, y, wide, high = open_.get((start, width), (start, row, width, 0))
            open_[start, width] = (x, y, wide, high + 1)
    return sorted(found, key=lambda one: (one[1], one[0]))


def _runs(line: Cells) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(np.int8), [0]))))
    return [(int(begin), int(end - begin)) for begin, end in edges.reshape(-1, 2)]


def cells_of(areas: Iterable[Rectangle]) -> Cells:
    """The cells of these rectangles. ValueError if one is empty or leaves the board."""
    cells = nothing()
    for x, y, width, height in areas:
        if min(x, y) < 0 or min(width, height) < 1 or x + width > SIZE or y + height > SIZE:
            raise ValueError(f"{x} {y} {width} {height}")
        cells[y : y + height, x : x + width] = True
    return cells
