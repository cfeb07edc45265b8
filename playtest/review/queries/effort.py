"""The flags that the rules raised, also for the wall, and the sessions that they have to assess."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum

from playtest.play.models import ProtocolVersion, Session, Study
from playtest.play.models.study import held_here
from playtest.review.models import Assessment, Flag, Strength
from playtest.review.queries import decisions
from playtest.review.queries.effort_evidence import ENDED, setting_norms
from playtest.rules.effort.thresholds import RULE_VERSION

_DECIDED = Exists(decisions.standing().filter(session=OuterRef("pk")))

type NormState = list[int]
"""Of the attempts that a version's norms come from: their number, and the sum of their keys."""
type NormKey = tuple[int, int | None]
"""A version, and the study whose own people set the norms; None where all real people held here do."""


def flags() -> QuerySet[Flag]:
    """The flags in force, those of the whole session first, then by attempt."""
    return (
        Flag.objects.filter(superseded_at__isnull=True)
        .select_related("attempt")
        .order_by(F("attempt__number").asc(nulls_first=True), "rule")
    )


def superseded_flags() -> QuerySet[Flag]:
    """Flags that the rules raise no longer, or with other figures; the newest change first."""
    return (
        Flag.objects.filter(superseded_at__isnull=False)
        .select_related("attempt")
        .order_by("-superseded_at", "attempt__number", "rule")
    )


def counting_flags() -> QuerySet[Flag]:
    """The flags that can open a review; notes cannot, nor what was played elsewhere, but for a rehearsal."""
    here = Q(session__study__outside=None) | Q(session__study__rehearsal=True)
    return flags().exclude(strength=Strength.NOTE).filter(here)


def newest_flag(session_id: int) -> datetime | None:
    """When the newest flag that counts was raised."""
    found = counting_flags().filter(session=session_id).aggregate(newest=Max("raised_at"))
    newest: datetime | None = found["newest"]
    return newest


def ended_attempts(session: Session) -> int:
    return session.attempts.filter(ENDED).count()


def due_sessions() -> QuerySet[Session]:
    """Sessions with an attempt that ended after the last assessment, or assessed by another rule set.

    Flags on which a decision rests stay as they are until another attempt ends.
    """
    return (
        Session.objects.annotate(ended=Count("attempts", filter=Q(attempts__ended_at__isnull=False)))
        .filter(ended__gt=0)
        .filter(
            Q(assessment__isnull=True)
            | ~Q(assessment__attempts=F("ended"))
            | ~Q(_DECIDED) & ~Q(assessment__rule_version=RULE_VERSION)
        )
    )


def outdated_sessions() -> QuerySet[Session]:
    """Undecided sessions whose thresholds are not their protocol's, or whose norms changed since."""
    states = norm_states()
    changes = {version.pk: version.value.effort.changes for version in ProtocolVersion.objects.all()}
    assessed = Assessment.objects.exclude(session__in=decisions.standing().values("session"))
    alone, columns = _alone(), ("session", "session__study", "session__protocol")
    outdated = [
        session
        for session, study, protocol, thresholds, norms in assessed.values_list(
            *columns, "thresholds", "norms"
        )
        if thresholds != changes[protocol] or norms != norms_of(norms, alone.get(study), states)
    ]
    return Session.objects.filter(pk__in=outdated)


def norm_states() -> dict[NormKey, NormState]:
    """The state of every version's norms. They change when a session ends, not at every attempt."""
    over = setting_norms().filter(session__ended_at__isnull=False).order_by()
    columns = ("version", "session__study", "session__study__rehearsal", "participant__simulated")
    groups = over.values_list(*columns).annotate(count=Count("pk"), keys=Sum("pk"))
    alone = _alone()
    found: defaultdict[NormKey, NormState] = defaultdict(lambda: [0, 0])
    for version, study, rehearsal, simulated, count, keys in groups:
        if rehearsal or not simulated:
            state = found[version, alone.get(study)]
            state[0] += count
            state[1] += int(keys)
    return dict(found)


def _alone() -> dict[int, int]:
    """The studies that stand alone, each by itself."""
    return {pk: pk for pk in Study.objects.exclude(held_here()).values_list("pk", flat=True)}


def norms_of(
    versions: Any, alone: int | None, states: dict[NormKey, NormState]
) -> dict[str, NormState | None]:
    """The state of the norms of these versions, as an assessment stores it; JSON types."""
    return {str(version): states.get((int(version), alone)) for version in versions}
