"""Level results, brought up to date with the journal."""

from collections.abc import Iterator
from dataclasses import asdict, fields

from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from playtest.insight.models import LevelResult, Summary
from playtest.play.models import Attempt, Entry
from playtest.rules import results as rule

_ENTRY = (
    "seq", "action", "levels_completed", "level_completed", "state", "changed", "state_hash",
    "server_time",
)  # fmt: skip
_FIGURES = [field.name for field in fields(rule.LevelResult) if field.name != "level"]


def bring_up_to_date(attempts: QuerySet[Attempt]) -> int:
    """Read what is new in these attempts' journals into their level results; how many attempts had news.

    Levels completed before stay as they are; the one in progress is read again from its beginning.
    """
    stale = list(_stale(attempts).values_list("pk", flat=True))
    for attempt_id in stale:
        _bring(attempt_id)
    return len(stale)


def _stale(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    newest = Entry.objects.filter(attempt=OuterRef("pk")).order_by("-seq").values("seq")[:1]
    known = Q(summary__through_seq=F("actions"), ended_at__isnull=False)
    return (
        attempts.filter(first_frame_at__isnull=False)
        .exclude(known)
        .annotate(newest=Subquery(newest))
        .filter(Q(summary__isnull=True) | ~Q(summary__through_seq=F("newest")), newest__isnull=False)
    )


def _bring(attempt_id: int) -> None:
    with transaction.atomic():
        last = LevelResult.objects.filter(attempt=attempt_id).order_by("-level").first()
        begin = last.entered_seq if last else 0
        entries = list(_entries(attempt_id, begin))
        if not entries:
            return
        LevelResult.objects.bulk_create(
            [LevelResult(attempt_id=attempt_id, **asdict(result)) for result in rule.level_results(entries)],
            update_conflicts=True,
            unique_fields=["attempt", "level"],
            update_fields=_FIGURES,
        )
        Summary.objects.update_or_create(attempt_id=attempt_id, defaults={"through_seq": entries[-1].seq})


def _entries(attempt_id: int, begin: int) -> Iterator[rule.ResultEntry]:
    rows = Entry.objects.filter(attempt=attempt_id, seq__gte=begin).order_by("seq").values_list(*_ENTRY)
    for row in rows.iterator():
        entry = rule.ResultEntry(*row)
        yield entry._replace(state_hash=bytes(entry.state_hash))
