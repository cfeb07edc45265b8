"""Which released baselines are older than results of their versions, or than decisions about these."""

from typing import NamedTuple

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from playtest.insight.models import Release
from playtest.play.models import Attempt
from playtest.play.sessions.reads import COUNTED, REAL
from playtest.review.models import Decision, DecisionKind
from playtest.review.queries.decisions import in_force
from playtest.review.queries.exclusions import cannot_count


class Outgrown(NamedTuple):
    """An environment's newest release, with the `results` that came since, and the `decisions` to exclude."""

    release: Release
    results: int
    decisions: int


def outgrown() -> list[Outgrown]:
    """The newest release of each environment that would be another one today, the oldest first.

    It counts what came since. Whether a level's baseline differs for it, the page of the release computes.
    """
    newest = dict(Release.objects.order_by("number").values_list("environment", "pk"))
    if not newest:
        return []
    results = Attempt.objects.filter(
        REAL, COUNTED, ~cannot_count(), version=OuterRef("version"), ended_at__gt=OuterRef("released_at")
    )
    decisions = (
        in_force()
        .exclude(kind=DecisionKind.KEEP)
        .filter(Q(session__attempts__version=OuterRef("version")), decided_at__gt=OuterRef("released_at"))
    )
    found = Release.objects.filter(pk__in=newest.values()).annotate(
        came=_number_of(results, "version"), decided=_number_of(decisions, "session__attempts__version")
    )
    changed = found.filter(Q(came__gt=0) | Q(decided__gt=0)).select_related("environment")
    rows = changed.order_by("released_at", "pk")
    return [Outgrown(release, release.came, release.decided) for release in rows]


def _number_of(rows: QuerySet[Attempt] | QuerySet[Decision], by: str) -> Coalesce:
    counted = rows.order_by().values(by).annotate(number=Count("pk", distinct=True)).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
