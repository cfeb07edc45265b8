"""Level results, brought up to date with the journal."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

import polars as pl
from django.db import connection, transaction
from django.db.models import F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from playtest.insight import columns
from playtest.insight.models import LevelResult, Summary
from playtest.insight.queries.journal import Unread, parts, read
from playtest.people.models import Participant
from playtest.play.models import Attempt, Entry

type Computed = tuple[list[Unread], pl.DataFrame]
"""Some attempts and their results (`columns.RESULT`)."""

_FIGURES = [name for name in columns.RESULT if name not in ("attempt", "level")]
_NEWEST = Subquery(Entry.objects.filter(attempt=OuterRef("pk")).order_by("-seq").values("seq")[:1])
_LAST_ENTERED = Subquery(
    LevelResult.objects.filter(attempt=OuterRef("pk")).order_by("-level").values("entered_seq")[:1],
    output_field=IntegerField(),
)
_THREADS = 2  # one reads while the other computes


def bring_up_to_date(attempts: QuerySet[Attempt]) -> int:
    """Read what is new in these attempts' journals into their level results; how many attempts had news.

    Levels completed before stay as they are; the one in progress is read again from its beginning. Several
    processes may do so at once.
    """
    stale = _stale(attempts)
    for computed in _computed(stale):
        _keep(*computed, anew=False)
    return len(stale)


def rebuild(attempts: QuerySet[Attempt], report: Callable[[int], None] = lambda _done: None) -> int:
    """Delete the level results of these attempts and compute them anew; how many levels there are.

    `report` hears how many attempts are done. Safe while sessions run and pages are read.
    """
    rows = attempts.annotate(newest=Coalesce(_NEWEST, -1)).values_list("pk", Value(0), "newest")
    done = levels = 0
    for part, results in _computed([Unread(*row) for row in rows]):
        _keep(part, results, anew=True)
        done, levels = done + len(part), levels + len(results)
        report(done)
    return levels


def _stale(attempts: QuerySet[Attempt]) -> list[Unread]:
    up_to_date = Q(summary__through_seq=F("actions"), ended_at__isnull=False)
    rows = (
        attempts.filter(first_frame_at__isnull=False)
        .exclude(up_to_date)
        .annotate(newest=_NEWEST, begin=Coalesce(_LAST_ENTERED, 0))
        .filter(Q(summary__isnull=True) | ~Q(summary__through_seq=F("newest")), newest__isnull=False)
        .values_list("pk", "begin", "newest")
    )
    return [Unread(*row) for row in rows]


def _computed(unread: Iterable[Unread]) -> Iterator[Computed]:
    todo = list(parts(unread))
    if len(todo) == 1 or connection.in_atomic_block:  # in a transaction, only this connection sees all
        yield from ((part, columns.level_results(read(part))) for part in todo)
        return
    pool = ThreadPoolExecutor(_THREADS)
    try:
        yield from zip(todo, pool.map(_on_own_connection, todo), strict=True)
    finally:
        pool.shutdown(cancel_futures=True)


def _on_own_connection(part: list[Unread]) -> pl.DataFrame:
    try:
        return columns.level_results(read(part))
    finally:
        connection.close()


def _keep(part: list[Unread], results: pl.DataFrame, *, anew: bool) -> None:
    """Store what was computed of these attempts in one short transaction; `anew`: in place of what is there.

    Otherwise whoever read further in the meantime has the last word.
    """
    attempts = [one.attempt for one in part]
    with transaction.atomic():
        _take_turns(attempts)
        if anew:
            Summary.objects.filter(attempt__in=attempts).delete()
            LevelResult.objects.filter(attempt__in=attempts).delete()
        known = dict(Attempt.objects.filter(pk__in=attempts).values_list("pk", "summary__through_seq"))
        through = dict(results.group_by("attempt").agg(pl.col("last_seq").max()).iter_rows())
        news = [attempt for attempt in through if _is_news(attempt, through[attempt], known)]
        _store(results.filter(pl.col("attempt").is_in(news)), {attempt: through[attempt] for attempt in news})


def _is_news(attempt: int, through: int, known: Mapping[int, int | None]) -> bool:
    """Whether an attempt is still there and nobody has read so far yet."""
    if attempt not in known:
        return False
    before = known[attempt]
    return before is None or before < through


def _take_turns(attempts: list[int]) -> None:
    """Wait for whoever else stores results of these people, or deletes what a withdrawal deletes.

    PostgreSQL: by locks that the journal does not need, always taken in the same order. SQLite lets one
    transaction write at a time anyway.
    """
    people = Participant.objects.filter(pk__in=Attempt.objects.filter(pk__in=attempts).values("participant"))
    list(people.order_by("pk").select_for_update(no_key=True).values_list("pk"))


def _store(results: pl.DataFrame, through: dict[int, int]) -> None:
    LevelResult.objects.bulk_create(
        (LevelResult(**row) for row in results.rename({"attempt": "attempt_id"}).iter_rows(named=True)),
        update_conflicts=True,
        unique_fields=["attempt", "level"],
        update_fields=_FIGURES,
    )
    Summary.objects.bulk_create(
        (
            Summary(attempt_id=attempt, through_seq=seq, stamp=secrets.randbits(62))
            for attempt, seq in through.items()
        ),
        update_conflicts=True,
        unique_fields=["attempt"],
        update_fields=["through_seq", "stamp"],
    )
