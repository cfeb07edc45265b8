"""Reads of environments with what has happened on them."""

from django.db.models import Count, Q, QuerySet

from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment

# Real people in real studies; what staff try out in a rehearsal is nobody's result.
_REAL = Q(attempts__participant__simulated=False, attempts__session__study__rehearsal=False)


def environments() -> QuerySet[Environment]:
    """Every environment with its current version and `attempts_made`, `times_completed` over all versions."""
    return Environment.objects.select_related("current").annotate(
        attempts_made=Count("attempts", filter=_REAL),
        times_completed=Count("attempts", filter=_REAL & Q(attempts__outcome=Outcome.COMPLETED)),
    )
