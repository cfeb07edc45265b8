"""Computing and storing level results from the journal."""

import logging
import secrets
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import asdict, fields
from multiprocessing import get_context

import django
from django.db import transaction
from django.db.models import Case, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from engine.prove.masks import Cells
from playtest.insight.compute.journal import OF_KIND, OF_TASKS, Computed, Unread, computed, parts
from playtest.insight.models import LevelResult, Summary
from playtest.people.manifests import manifests
from playtest.people.models import Participant
from playtest.play.journal.masked import masks_of_attempts
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.adjustments import adjustments_of_attempts
from playtest.play.sessions.reads import PLAYED_AS_RECORDED, TASKS
from playtest.rules import results as rule
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.errors import RuleError

logger = logging.getLogger(__name__)

type Results = dict[int, Computed]
"""By attempt."""

_FIGURES = [field.name for field in fields(rule.LevelResult) if field.name != "level"]
_NEWEST = Subquery(Entry.objects.filter(attempt=OuterRef("pk")).order_by("-seq").values("seq")[:1])
_LAST_ENTERED = Subquery(
    LevelResult.objects.filter(attempt=OuterRef("pk")).order_by("-level").values("entered_seq")[:1],
    output_field=IntegerField(),
)
_BEGIN = Case(When(TASKS, then=Value(0)), default=Coalesce(_LAST_ENTERED, 0))
"""The first entry to read: a test input of a task may be shown again at any time."""
_COLUMNS = (*OF_KIND, "ended_at", OF_TASKS)


def bring_up_to_date(attempts: QuerySet[Attempt], pause: float = 0) -> int:
    """Computes the level results of new entries; returns how many attempts had any.

    Results of completed levels stay; the last level is read again from its first frame. Tasks are read again
    from their first entry, also once they have ended. Several processes may do this at once. `pause`: seconds
    after each few attempts, in which others can write. One whose journal is damaged has no newer result,
    and the log says so: others have theirs.
    """
    stale = _stale(attempts)
    for part in parts(stale):
        _replace(part, compute(part, leave_damaged=True), delete_stored=False)
        time.sleep(pause)
    return len(stale)


def rebuild(
    attempts: QuerySet[Attempt],
    report: Callable[[int], None] = lambda _done: None,
    *,
    processes: int = 1,
) -> int:
    """Deletes level results and computes them again; returns how many there are.

    Calls `report` with the number of attempts done. With more than one of `processes` this must not run in a
    transaction, which other processes cannot read. Safe while sessions run and pages are read.
    """
    known = attempts.filter(PLAYED_AS_RECORDED).annotate(newest=Coalesce(_NEWEST, -1))
    rows = known.values_list("pk", Value(0), "newest", *_COLUMNS)
    todo = list(parts((Unread.of(*row) for row in rows), processes))
    done = levels = 0
    with closing(_computed(todo, processes)) as computed:
        for part, results in zip(todo, computed, strict=True):
            _replace(part, results, delete_stored=True)
            done, levels = done + len(part), levels + sum(len(one.levels) for one in results.values())
            report(done)
    return levels


def compute(part: Iterable[Unread], *, leave_damaged: bool = False) -> Results:
    """The level results of the wanted entries of some attempts.

    Raises RuleError, naming the attempt, if its journal is damaged, unless these are left out.
    """
    part = list(part)
    results: Results = {}
    adjustments, masks = _adjustments(part), masks_of_attempts(one.attempt for one in part)
    while part:
        for one in part:
            try:
                results[one.attempt] = _levels(one, adjustments, masks.get(one.attempt))
            except RuleError as error:
                if not leave_damaged:
                    raise
                logger.error("no results: %s", error)
        # A pause that began and ended meanwhile may lie between two entries that were read.
        before, adjustments = adjustments, _adjustments(part)
        part = [one for one in part if before.get(one.attempt) != adjustments.get(one.attempt)]
    return results


def _adjustments(part: list[Unread]) -> Mapping[int, Adjustments]:
    return adjustments_of_attempts(Attempt.objects.filter(pk__in=[one.attempt for one in part]))


def _levels(one: Unread, adjustments: Mapping[int, Adjustments], mask: Cells | None) -> Computed:
    try:
        return computed(one, adjustments.get(one.attempt, NO_ADJUSTMENTS), mask)
    except RuleError as error:
        raise RuleError(error.code, f"Attempt {one.attempt}: {error.message}") from error


def _computed(todo: list[list[Unread]], processes: int) -> Generator[Results]:
    """`compute` of each part, in order."""
    if processes == 1 or len(todo) < 2:
        yield from map(compute, todo)
        return
    with ProcessPoolExecutor(processes, get_context("spawn"), initializer=django.setup) as pool:
        try:
            yield from pool.map(compute, todo)
        finally:
            pool.shutdown(cancel_futures=True)


def _stale(attempts: QuerySet[Attempt]) -> list[Unread]:
    without_end = TASKS & Q(ended_at__isnull=False, summary__through_end=False)
    up_to_date = Q(summary__through_seq=F("actions"), ended_at__isnull=False) & ~without_end
    has_news = Q(summary__isnull=True) | ~Q(summary__through_seq=F("newest")) | without_end
    rows = (
        attempts.filter(PLAYED_AS_RECORDED, first_frame_at__isnull=False)
        .exclude(up_to_date)
        .annotate(newest=_NEWEST, begin=_BEGIN)
        .filter(has_news, newest__isnull=False)
        .order_by("pk")
        .values_list("pk", "begin", "newest", *_COLUMNS)
    )
    return [Unread.of(*row) for row in rows]


def _replace(part: list[Unread], results: Results, *, delete_stored: bool) -> None:
    """Stores results in one short transaction; `delete_stored` deletes the stored ones first.

    Without `delete_stored`, results that another process has computed through a later entry are not replaced.
    """
    attempts = [one.attempt for one in part]
    with transaction.atomic():
        _lock_people(attempts)
        if delete_stored:
            Summary.objects.filter(attempt__in=attempts).delete()
            LevelResult.objects.filter(attempt__in=attempts).delete()
        stored = Attempt.objects.filter(pk__in=attempts)
        rows = stored.values_list("pk", "summary__through_seq", "summary__through_end")
        known = {attempt: (through, end) for attempt, through, end in rows}
        _store({attempt: one for attempt, one in results.items() if _is_newer(attempt, one, known)})


def _is_newer(attempt: int, found: Computed, known: Mapping[int, tuple[int | None, bool | None]]) -> bool:
    """Whether an attempt still exists and no stored result of it goes as far."""
    if attempt not in known or not found.levels:
        return False
    through, end = known[attempt]
    return through is None or (through, bool(end)) < (found.through, found.through_end)


def _lock_people(attempts: list[int]) -> None:
    """Waits for other transactions that store results of these people or withdraw them.

    On PostgreSQL by row locks that the journal does not need, always taken in the same order. SQLite has one
    writing transaction at a time.
    """
    people = Participant.objects.filter(pk__in=Attempt.objects.filter(pk__in=attempts).values("participant"))
    list(people.order_by("pk").select_for_update(no_key=True).values_list("pk"))


def _store(results: Results) -> None:
    LevelResult.objects.bulk_create(
        (
            LevelResult(attempt_id=attempt, **asdict(level))
            for attempt, one in results.items()
            for level in one.levels
        ),
        update_conflicts=True,
        unique_fields=["attempt", "level"],
        update_fields=_FIGURES,
    )
    Summary.objects.bulk_create(
        (
            Summary(
                attempt_id=attempt,
                through_seq=one.through,
                through_end=one.through_end,
                submitted=one.submitted,
                stamp=secrets.randbits(62),
            )
            for attempt, one in results.items()
        ),
        update_conflicts=True,
        unique_fields=["attempt"],
        update_fields=["through_seq", "through_end", "submitted", "stamp"],
    )


def rebuild_derived(attempts: QuerySet[Attempt]) -> Iterator[str]:
    """Computes again what higher rooms derive of these attempts; says of each how much."""
    for manifest in manifests():
        for rebuild in manifest.rebuilds:
            yield rebuild(attempts)
