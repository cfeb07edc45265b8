"""Where the people of a scope click on a level and where they stay, by cell."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from django.core.cache import cache
from django.db.models import Count, Q

from engine.play.actions import CLICK, RESET
from engine.play.frames import CELLS, SIZE, decode, keyframe_at_end, unpack
from playtest.insight.figures import Figure, Row, columns
from playtest.insight.pages.environment.first_frames import as_digits, first_frame
from playtest.insight.tables.results import Schema
from playtest.insight.tables.version import VersionResults
from playtest.people.release import computed
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.adjustments import adjustments_of_attempts
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.text import counted, persons

CLICKS, DWELL = "clicks", "dwell"

LONGEST_SECONDS = 10.0
"""Pauses count for no more than this, because the person may be away. The replay's heat map does the same."""
MOST_FRAMES, MOST_ACTIONS = 4_000, 20_000
"""The most frames that are read, or actions where frames are not needed; the newest attempts come first."""
MOST_CELLS = 1_000
"""A figure has at most this many cells, those with the largest values."""
COUNTER_SHARE, COUNTER_ACTIONS = 0.5, 20
"""A cell that changes with more than this share of at least so many actions is a counter and is left out."""

_CACHE_SECONDS = 60 * 60
_EARLIEST = datetime.min.replace(tzinfo=UTC)

type Heat = npt.NDArray[np.float64]
"""A value for each of the 4,096 cells, row by row."""


@dataclass(frozen=True)
class CellValues:
    """The heat of a level, from `actions` of `people` of the `of_people` who reached it."""

    heat: Heat
    actions: int
    people: int
    of_people: int


def takes_clicks(results: VersionResults) -> bool:
    return CLICK in results.version.available_actions


def cell_values(results: VersionResults, level: int, of: str) -> CellValues:
    """CLICKS: clicks on each cell. DWELL: seconds from a click to the next action.

    In an environment without clicks, DWELL counts for the cells that the action before the pause changed,
    because people look at what they have just moved.
    """
    here = results.levels.filter(pl.col("level") == level).sort("attempt", descending=True)
    known = here.select("attempt", "entered_seq", "last_seq").rows()
    digest = hashlib.sha256(repr(known).encode()).hexdigest()[:32]
    key = computed(f"cell-values:{results.version.digest}:{level}:{of}:{digest}")
    found: CellValues | None = cache.get(key)
    if found is None:
        attempts = here["attempt"].to_list()
        if of == CLICKS:
            found = _clicks(attempts, level)
        elif takes_clicks(results):
            found = _pauses_after_clicks(attempts, level)
        else:
            found = _pauses_after_changes(attempts, level)
        cache.set(key, found, _CACHE_SECONDS)
    return found


def where_figure(results: VersionResults, level: int, of: str) -> Figure:
    """The heat map on the level's first frame."""
    found = cell_values(results, level, of)
    frame = first_frame(results.version, level)
    clicked = of == CLICKS
    return Figure(
        name=f"{of}-{level}",
        kind="heatmap",
        title=_title(found, level, of),
        caption=_caption(found, of, changes=not clicked and not takes_clicks(results)),
        columns=columns("x x | y y | value " + ("Clicks" if clicked else "Time [seconds]")),
        rows=_cells(found.heat) if frame is not None else [],
        empty=_empty(level, of, takes_clicks(results)),
        options={
            "frame": as_digits(frame) if frame is not None else "",
            "value_label": "clicks" if clicked else "seconds",
            "spot": _spot(found.heat) if frame is not None else None,
        },
    )


def _cells(heat: Heat) -> list[Row]:
    largest = np.argsort(-heat, kind="stable")[:MOST_CELLS]
    return [
        (int(cell % SIZE), int(cell // SIZE), round(float(heat[cell]), 2))
        for cell in np.sort(largest)
        if heat[cell] > 0
    ]


def _clicks(attempts: list[int], level: int) -> CellValues:
    clicks = Entry.objects.filter(attempt__in=attempts, level=level, action=CLICK).order_by()
    heat = np.zeros(CELLS)
    for x, y, times in clicks.values_list("x", "y").annotate(times=Count("pk")):
        heat[y * SIZE + x] += times
    return CellValues(heat, int(heat.sum()), clicks.values("attempt").distinct().count(), len(attempts))


def _pauses_after_clicks(attempts: list[int], level: int) -> CellValues:
    """Capped seconds after each click, on its cell; the last action has no pause."""
    entries = Entry.objects.filter(attempt__in=attempts, level=level, seq__gt=0).order_by("-attempt", "seq")
    found = entries.values_list("attempt", "action", "x", "y", "server_time")[:MOST_ACTIONS]
    clocks = adjustments_of_attempts(Attempt.objects.filter(pk__in=attempts))
    rows = [
        (attempt, *facts, at - clocks[attempt].stopped(_EARLIEST, at) if attempt in clocks else at)
        for attempt, *facts, at in found
    ]
    seconds = (pl.col("at").shift(-1).over("attempt") - pl.col("at")).dt.total_microseconds() / 1e6
    clicks = (
        pl.DataFrame(rows, schema=_CLICK, orient="row")
        .with_columns(seconds.fill_null(0.0).clip(0.0, LONGEST_SECONDS).alias("seconds"))
        .filter(pl.col("action") == CLICK)
    )
    heat = np.zeros(CELLS)
    for x, y, total in clicks.group_by("x", "y").agg(pl.col("seconds").sum()).iter_rows():
        heat[y * SIZE + x] = total
    return CellValues(heat, clicks.height, clicks["attempt"].n_unique(), len(attempts))


_CLICK: Schema = {
    "attempt": pl.Int64, "action": pl.Int64, "x": pl.Int64, "y": pl.Int64, "at": pl.Datetime("us", "UTC"),
}  # fmt: skip


def _pauses_after_changes(attempts: list[int], level: int) -> CellValues:
    """Seconds after each action, capped, on every cell whose colour the action left changed."""
    heat, times, actions, people = np.zeros(CELLS), np.zeros(CELLS), 0, 0
    for pauses in _pauses(attempts, level):
        for seconds, cells in pauses:
            heat[cells] += seconds
            times[cells] += 1
        actions += len(pauses)
        people += bool(pauses)
    if actions >= COUNTER_ACTIONS:
        heat[times > COUNTER_SHARE * actions] = 0.0
    return CellValues(heat, actions, people, len(attempts))


type _Pause = tuple[float, npt.NDArray[np.intp]]


def _pauses(attempts: list[int], level: int) -> Iterator[list[_Pause]]:
    """The pauses of each attempt on the level, each with the cells that changed before it."""
    entered = Q(level_completed=True, levels_completed=level - 1)
    rows = (
        Entry.objects.filter(Q(level=level) | entered, attempt__in=attempts)
        .order_by("-attempt", "seq")
        .values_list("attempt", "action", "frames", "server_time", "frame_count")
    )
    clocks = adjustments_of_attempts(Attempt.objects.filter(pk__in=attempts))
    for attempt, entries in groupby(_within_budget(rows.iterator()), key=itemgetter(0)):
        yield _pauses_of(list(entries), clocks.get(attempt, NO_ADJUSTMENTS))


def _within_budget(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    frames = 0
    for row in rows:
        frames += row[4]
        if frames > MOST_FRAMES:
            return
        yield row


def _pauses_of(entries: list[tuple[Any, ...]], adjustments: Adjustments) -> list[_Pause]:
    """The pauses after all entries but the first, which entered the level, and resets."""
    opening = keyframe_at_end(inflate(entries[0][2]))
    if opening is None:
        return []
    pauses: list[_Pause] = []
    before = unpack(opening)
    for entry, following in pairwise(entries[1:]):
        _, action, payload, at, _ = entry
        after = [before, *decode(inflate(payload), before)][-1]
        cells = np.flatnonzero(before.reshape(CELLS) != after.reshape(CELLS))
        if action != RESET and len(cells):
            waited = following[3] - at - adjustments.stopped(at, following[3])
            pauses.append((min(waited.total_seconds(), LONGEST_SECONDS), cells))
        before = after
    return pauses


def _title(found: CellValues, level: int, of: str) -> str:
    if not found.heat.any():
        return f"Level {level}: where people {'click' if of == CLICKS else 'stay'}"
    if of == CLICKS:
        people = persons(found.people)
        return f"Level {level}: {counted(found.actions, 'click')} by {people}, most often at the mark"
    seconds = f"{found.heat.max():,.0f} s in total"
    return f"Level {level}: {persons(found.people)} paused longest at the mark, {seconds}"


def _spot(heat: Heat) -> list[int] | None:
    """The cell [x, y] with the largest value; None if all are 0."""
    cell = int(heat.argmax())
    return [cell % SIZE, cell // SIZE] if heat.any() else None


def _caption(found: CellValues, of: str, *, changes: bool) -> str:
    if of == CLICKS:
        caption = "How often each cell was clicked."
    elif changes:
        caption = (
            "Seconds before the next action, on the cells that the action before had changed (it takes no"
            " clicks), without resets and counters."
        )
    else:
        caption = "Seconds from a click to the next action, on the cell clicked."
    if of == DWELL:
        caption += f" No pause counts for more than {LONGEST_SECONDS:.0f} s."
    if found.people < found.of_people:
        caption += f" From {found.people} of the {found.of_people} people who reached the level."
    return caption


def _empty(level: int, of: str, clicks: bool) -> str:
    if of == CLICKS and not clicks:
        return "This environment takes no clicks. The other heat map uses the cells that change."
    what = "clicked on" if of == CLICKS else "acted on"
    return f"A heat map appears here when somebody has {what} level {level}."
