"""Press to paint in a study, and repeats of a held key that the levels of older attempts begin with."""

from dataclasses import dataclass
from functools import lru_cache

import polars as pl
from django.db.models import Q

from playtest.insight.figures import Figure, Row, columns
from playtest.insight.pages.study.histograms import Intervals
from playtest.insight.pages.study.links import StudyLinks
from playtest.insight.pages.study.results import StudyNumbers, StudyResults
from playtest.play.models import Entry, InputKind, Session
from playtest.play.sessions.events import reported_paints
from playtest.rules.lag import SLOW_MS, lag, press_to_paint, repeats_at_start

MOST_ACTIONS = 10_000
"""The newest attempts with so many actions are read: lag is about the rooms as they are."""
_PAINT = Intervals(20, 16)
_MOST_NAMED = 3


def presses(results: StudyResults) -> pl.DataFrame:
    """station, paint (milliseconds) and queued, of the actions whose press to paint is known."""
    newest = results.counted.sort("attempt", descending=True)
    newest = newest.filter(pl.col("attempt_actions").cum_sum().shift(1, fill_value=0) < MOST_ACTIONS)
    ids = newest["attempt"].to_list()
    stations = dict(Session.objects.filter(attempts__in=ids).values_list("attempts", "station"))
    entries = Entry.objects.filter(attempt__in=ids).order_by("attempt", "seq")
    fields = {"attempt": pl.Int64, "previous_paint_ms": pl.Int64, "queued_ms": pl.Int64}
    reported = reported_paints(ids)
    schema = {"station": pl.Int64, "paint": pl.Int64, "queued": pl.Boolean}
    rows = []
    read = pl.DataFrame(list(entries.values_list(*fields)), schema=fields, orient="row")
    for (attempt,), own in read.group_by("attempt", maintain_order=True):
        paints = press_to_paint(own["previous_paint_ms"].to_list(), reported.get(attempt, {}))
        queued = own["queued_ms"].to_list()
        rows += [(stations.get(attempt), paint, bool(q)) for paint, q in zip(paints, queued, strict=True)]
    return pl.DataFrame(rows, schema=schema, orient="row").drop_nulls("paint")


def lag_figure(results: StudyResults, _numbers: StudyNumbers, _links: StudyLinks) -> Figure:
    """How long people waited from a press to the painted frame; queued presses apart."""
    found = presses(results)
    counts = found.group_by(
        _PAINT.of(pl.col("paint")).alias("bar"),
        pl.when("queued").then(pl.lit("queued")).otherwise(pl.lit("sent at once")).alias("group"),
    ).agg(pl.len())
    rows: list[Row] = [
        (*_PAINT.ends(bar), count, group)
        for bar, group, count in counts.sort("group", "bar", descending=[True, False]).iter_rows()
    ]
    return Figure(
        name="lag",
        kind="histogram",
        title=_title(found),
        caption=(
            "Milliseconds from a press to its first painted frame, by the station, of the newest counted"
            f" attempts, about {MOST_ACTIONS:,} actions. Queued presses waited for the answer to the one"
            f" before.{_stations(found)}"
        ),
        columns=columns(
            "low From [ms] | high To under [ms] | people Presses [presses] | group How it was sent"
        ),
        rows=rows,
        empty="A bar appears here with the first press whose time to the painted frame is known.",
        options={"x_label": "Milliseconds from press to paint", "y_label": "Presses"},
    )


def _title(found: pl.DataFrame) -> str:
    whole = lag(found["paint"])
    if whole is None:
        return "Press to paint"
    return (
        f"Press to paint: {whole.p50} ms in the median, 95\u00a0% within {whole.p95} ms"
        f" (n = {whole.presses:,} presses, {found['queued'].sum():,} queued)"
    )


def _stations(found: pl.DataFrame) -> str:
    """A sentence about the slowest stations."""
    known = [
        (one, station)
        for (station,), own in found.drop_nulls("station").group_by("station")
        if (one := lag(own["paint"]))
    ]
    slowest = sorted(known, key=lambda pair: (-pair[0].p95, pair[1]))[:_MOST_NAMED]
    if not slowest:
        return ""
    said = (
        f"{station} ({one.p50}\u00a0ms, 95\u00a0% within {one.p95}\u00a0ms, n = {one.presses:,}"
        f"{', slow' if one.slow else ''})"
        for one, station in slowest
    )
    return (
        f" Slowest stations of {len(known)}: {', '.join(said)}. Slow: half take more than {SLOW_MS}\u00a0ms."
    )


@dataclass(frozen=True)
class EarlyRepeats:
    """Level results that contain repeats of a held key from just after the level's first frame."""

    levels: int
    attempts: tuple[int, ...]


def early_repeats(results: StudyResults) -> EarlyRepeats:
    """Of counted attempts from before pages said how old the screen was: since then none can be recorded."""
    ids = results.counted["attempt"].to_list()
    older = Entry.objects.filter(attempt__in=ids, seq=1, screen_age_ms=None).order_by("attempt")
    return _early_repeats(
        tuple((pk, bytes(seal or b"")) for pk, seal in older.values_list("attempt", "attempt__seal"))
    )


@lru_cache(maxsize=64)
def _early_repeats(sealed: tuple[tuple[int, bytes], ...]) -> EarlyRepeats:
    """Of attempts with their seals: what is sealed does not change, and to look through it takes time."""
    attempts = [attempt for attempt, _ in sealed]
    asked = Q(seq=0) | Q(level_completed=True) | Q(input_kind=InputKind.KEY_REPEAT)
    rows = Entry.objects.filter(asked, attempt__in=attempts).order_by("attempt", "seq")
    found = repeats_at_start(
        (attempt, level, seq == 0 or completed, kind == InputKind.KEY_REPEAT, at)
        for attempt, level, seq, completed, kind, at in rows.values_list(
            "attempt", "level", "seq", "level_completed", "input_kind", "server_time"
        )
    )
    return EarlyRepeats(len(found), tuple(sorted({attempt for attempt, _ in found})))
