"""Reads action patterns on a level from the journal, and keeps them in the memory of this process.

A level that is over is read once. A page reads for part of a second, shows what it has, and asks again: so it
answers also while the journals of many people are still to be read.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any

import numpy as np

from engine.errors import PayloadError
from engine.play.actions import CLICK
from engine.play.frames import Frame, decode_last, entering_frame
from engine.prove.masks import Cells
from playtest.insight.pages.environment.dwell import takes_clicks
from playtest.insight.tables.version import Span, VersionResults, entries_of, spans_on
from playtest.people.models import Withdrawal
from playtest.play.journal.masked import restated_entries
from playtest.play.journal.writer import inflate
from playtest.rules.action_patterns import Act, ActionPatterns, Box, Step, action_patterns
from playtest.studio.models import StateMask
from playtest.studio.queries.masks import masks_of


class Components:
    """The components of the newest frame; a click that changed nothing is not searched for again."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._labels: dict[int, Any] = {}

    def show(self, frame: Frame) -> None:
        """Replaces the frame."""
        self._frame, self._labels = frame, {}

    def at(self, x: int, y: int) -> tuple[Act, Box]:
        """The component that has this cell: cells of one colour that touch at their sides."""
        colour = int(self._frame[y, x])
        if colour not in self._labels:
            from scipy import ndimage  # takes 0.1 s, and most processes never need it

            self._labels[colour], _ = ndimage.label(self._frame == colour)
        labels = self._labels[colour]
        rows, columns = np.nonzero(labels == labels[y, x])
        box = Box(int(columns.min()), int(rows[0]), int(columns.max()), int(rows[-1]))
        return Act(CLICK, colour, int(columns[0]), int(rows[0])), box


SECONDS = 0.4
"""For how long one request reads at most; it always reads one person."""
MOST_KEPT = 10_000
"""Levels of people that are kept: some 50 MB if everybody does something else."""


@dataclass(frozen=True)
class PatternsOnLevel:
    """What people tried, by attempt, and with which entry each entered the level.

    `of_people` reached the level; those whose journal is not read yet, or is `damaged`, are not in `people`.
    """

    people: Mapping[int, ActionPatterns]
    entered: Mapping[int, int]
    of_people: int
    damaged: int

    @property
    def unread(self) -> int:
        return self.of_people - len(self.people) - self.damaged


class PatternCache:
    """The newest MOST_KEPT levels of people, without those of people who withdrew. None: damaged.

    A new mask of any version ends what is kept.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._changes: tuple[int, int] = (0, 0)
        self._known: OrderedDict[Span, ActionPatterns | None] = OrderedDict()

    def known(self, keys: list[Span]) -> dict[Span, ActionPatterns | None]:
        """Those of `keys` that are kept."""
        now = (Withdrawal.objects.count(), StateMask.objects.count())
        with self._lock:
            if now != self._changes:
                self._known.clear()
                self._changes = now
            found = [key for key in keys if key in self._known]
            for key in found:
                self._known.move_to_end(key)
            return {key: self._known[key] for key in found}

    def keep(self, key: Span, found: ActionPatterns | None) -> None:
        with self._lock:
            self._known[key] = found
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)


CACHE = PatternCache()


def patterns_on(results: VersionResults, level: int, seconds: float = SECONDS) -> PatternsOnLevel:
    """What the people of `results` tried on a level (from 1), read for at most about so many seconds."""
    keys = spans_on(results, level)
    known = CACHE.known(keys)
    clicks, until = takes_clicks(results), monotonic() + seconds
    missing = any(key not in known for key in keys)
    mask = masks_of([results.version.pk]).get(results.version.pk) if missing else None
    for key in keys:
        if key in known:
            continue
        known[key] = _read(key, mask, clicks=clicks)
        CACHE.keep(key, known[key])
        if monotonic() >= until:
            break
    return PatternsOnLevel(
        people={key.attempt: found for key, found in known.items() if found is not None},
        entered={key.attempt: key.entered for key in keys},
        of_people=len(keys),
        damaged=sum(found is None for found in known.values()),
    )


def _read(key: Span, mask: Cells | None, *, clicks: bool) -> ActionPatterns | None:
    """None if frames are damaged, which the check of the attempt explains."""
    columns = ("action", "x", "y", "changed", "state_hash", "level_completed")
    masked = restated_entries(key.attempt, mask, key.entered, key.last)
    stored = entries_of(key, "seq", *columns, *(("frames",) if clicks else ()))
    rows = ((*row[:3], *masked.get(seq, row[3:5]), *row[5:]) for seq, *row in stored)
    opening = next(rows)
    try:
        steps = list(_steps_with_clicks(opening, rows) if clicks else _steps(rows))
    except PayloadError:
        return None
    return action_patterns(bytes(opening[4]), steps)


def _steps(rows: Iterator[tuple[Any, ...]]) -> Iterator[Step]:
    for action, _, _, changed, state, completed in rows:
        yield Step(Act(action), changed, bytes(state), completed)


def _steps_with_clicks(opening: tuple[Any, ...], rows: Iterator[tuple[Any, ...]]) -> Iterator[Step]:
    frame = entering_frame(inflate(opening[-1]))
    shown = Components(frame)
    for action, x, y, changed, state, completed, frames in rows:
        if action == CLICK:
            act, box = shown.at(x, y)
            yield Step(act, changed, bytes(state), completed, (x, y), box)
        else:
            yield Step(Act(action), changed, bytes(state), completed)
        after = decode_last(inflate(frames), frame)
        if after is not None and after.tobytes() != frame.tobytes():
            frame = after
            shown.show(frame)
