"""Attempts by the status of one level, as results count it."""

from enum import StrEnum

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from playtest.play.models import Attempt, Entry
from playtest.review.queries.exclusions import NOTHING, Exclusions


class LevelStatus(StrEnum):
    """Of a level in an attempt. STOPPED: reached and not completed, so the attempt ended or is there now."""

    REACHED = "reached"
    COMPLETED = "completed"
    STOPPED = "stopped"


LEVEL_STATUS_LABELS = {
    LevelStatus.REACHED: "reached",
    LevelStatus.COMPLETED: "completed",
    LevelStatus.STOPPED: "reached, not completed",
}


def with_level_status(
    rows: QuerySet[Attempt],
    level: int,
    status: LevelStatus = LevelStatus.REACHED,
    excluded: Exclusions = NOTHING,
) -> QuerySet[Attempt]:
    """The attempts among the rows in which this level (from 1) has this status.

    Of an attempt excluded from an action on, only the levels completed before that action are known.
    """
    completed_before = _levels_before_exclusion(rows, excluded)
    known = [
        pk
        for pk, completed in completed_before.items()
        if level <= completed and status != LevelStatus.STOPPED
    ]
    opened = Exists(Entry.objects.filter(attempt=OuterRef("pk"), seq=0))
    return (
        rows.filter(opened, first_frame_at__isnull=False)
        .annotate(completed_so_far=_COMPLETED_SO_FAR)
        .filter((_CONDITIONS[status](level) & ~Q(pk__in=list(completed_before))) | Q(pk__in=known))
    )


_NEWEST = Entry.objects.filter(attempt=OuterRef("pk")).order_by("-seq").values("levels_completed")[:1]
# Only an ended attempt repeats what its journal says.
_COMPLETED_SO_FAR = Case(When(ended_at__isnull=False, then=F("levels_completed")), default=Subquery(_NEWEST))
_CONDITIONS = {
    LevelStatus.REACHED: lambda level: Q(completed_so_far__gte=level - 1),
    LevelStatus.COMPLETED: lambda level: Q(completed_so_far__gte=level),
    LevelStatus.STOPPED: lambda level: Q(completed_so_far=level - 1),
}


def _levels_before_exclusion(rows: QuerySet[Attempt], excluded: Exclusions) -> dict[int, int]:
    """For each attempt excluded from an action on, the number of levels completed before that action."""
    first_excluded = {pk: part.from_seq for pk, part in excluded.attempts.items() if part.from_seq > 0}
    if not first_excluded:
        return {}
    completed = dict.fromkeys(rows.filter(pk__in=list(first_excluded)).values_list("pk", flat=True), 0)
    entries = Entry.objects.filter(attempt__in=list(completed), level_completed=True)
    for pk, seq, levels in entries.values_list("attempt", "seq", "levels_completed"):
        if seq < first_excluded[pk]:
            completed[pk] = max(completed[pk], levels)
    return completed
