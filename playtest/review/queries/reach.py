"""Attempts by how far they came: what became of a level, as results count it."""

from enum import StrEnum

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from playtest.play.models import Attempt, Entry
from playtest.review.queries.exclusions import NOTHING, Exclusions


class There(StrEnum):
    """What became of a level: it was reached; completed; or it is where the attempt ended, or stands now."""

    REACHED = "reached"
    COMPLETED = "completed"
    STOPPED = "stopped"


THERE_WORDS = {
    There.REACHED: "reached",
    There.COMPLETED: "completed",
    There.STOPPED: "reached, not completed",
}


def at_level(
    rows: QuerySet[Attempt], level: int, there: There = There.REACHED, excluded: Exclusions = NOTHING
) -> QuerySet[Attempt]:
    """Those of the rows of which this is true of this level (from 1).

    Of an attempt left out from a moment on, the levels completed before that moment are known and no others.
    """
    cut = _levels_before_the_cut(rows, excluded)
    known = [pk for pk, completed in cut.items() if level <= completed and there != There.STOPPED]
    opened = Exists(Entry.objects.filter(attempt=OuterRef("pk"), seq=0))
    return (
        rows.filter(opened, first_frame_at__isnull=False)
        .annotate(completed_so_far=_COMPLETED_SO_FAR)
        .filter((_CONDITIONS[there](level) & ~Q(pk__in=list(cut))) | Q(pk__in=known))
    )


_NEWEST = Entry.objects.filter(attempt=OuterRef("pk")).order_by("-seq").values("levels_completed")[:1]
# Only an ended attempt repeats what its journal says.
_COMPLETED_SO_FAR = Case(When(ended_at__isnull=False, then=F("levels_completed")), default=Subquery(_NEWEST))
_CONDITIONS = {
    There.REACHED: lambda level: Q(completed_so_far__gte=level - 1),
    There.COMPLETED: lambda level: Q(completed_so_far__gte=level),
    There.STOPPED: lambda level: Q(completed_so_far=level - 1),
}


def _levels_before_the_cut(rows: QuerySet[Attempt], excluded: Exclusions) -> dict[int, int]:
    """How many levels each attempt that is left out from a moment on had completed before it."""
    moments = {pk: part.from_seq for pk, part in excluded.attempts.items() if part.from_seq > 0}
    if not moments:
        return {}
    completed = dict.fromkeys(rows.filter(pk__in=list(moments)).values_list("pk", flat=True), 0)
    entries = Entry.objects.filter(attempt__in=list(completed), level_completed=True)
    for pk, seq, levels in entries.values_list("attempt", "seq", "levels_completed"):
        if seq < moments[pk]:
            completed[pk] = max(completed[pk], levels)
    return completed
