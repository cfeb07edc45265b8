"""Which runs an export has, and the record of exports."""

from typing import Any

from django.db.models import Q, QuerySet

from playtest.arena.models import Play, Scorecard
from playtest.review.models import Export
from playtest.review.models.exports import RUN_KINDS
from playtest.rules.custody import Fact, may_disclose
from playtest.studio.models import Environment, ReleaseSet

_MAY_LEAVE = [one.value for one in ReleaseSet if may_disclose(one, Fact.RECORDING)]
LEAVING = Q(run__release_set__in=_MAY_LEAVE, run__environment__release_set__in=_MAY_LEAVE)
"""Plays of environments that are, and were when the run began, in a set whose runs may leave."""


def subject_of(chosen: Scorecard | Environment) -> dict[str, str]:
    """What is exported, as `Export.options` names it."""
    if isinstance(chosen, Scorecard):
        return {"card": str(chosen.card_id)}
    return {"environment": chosen.code}


def plays_of(subject: dict[str, Any]) -> QuerySet[Play]:
    """The ended plays of what an export's options name."""
    if "card" in subject:
        chosen = Q(run__card__card_id=subject["card"])
    else:
        chosen = Q(run__environment__code=subject["environment"])
    return Play.objects.filter(chosen, attempt__ended_at__isnull=False)


def environments_of(options: dict[str, Any]) -> QuerySet[Environment]:
    """The environments whose runs an export with these options has."""
    plays = plays_of(options)
    chosen = plays if options.get("held_out") else plays.filter(LEAVING)
    return Environment.objects.filter(pk__in=chosen.values("run__environment"))


def run_exports() -> QuerySet[Export]:
    """Every export of runs that anybody asked for, the newest first; they stay when their files are gone."""
    return (
        Export.objects.filter(kind__in=RUN_KINDS)
        .select_related("requested_by")
        .order_by("-requested_at", "-pk")
    )
