"""Whether a study's results have changed since its data were exported."""

from datetime import datetime

from django.db.models import Q

from playtest.center.interventions.models import Void
from playtest.insight.scope import Scope
from playtest.people.models import SamePerson, Withdrawal
from playtest.play.models import Study
from playtest.review.models import Export, ExportKind
from playtest.review.queries.decisions import disclosed
from playtest.rules.text import counted

_OF_STUDIES = (ExportKind.STUDY_PARQUET, ExportKind.STUDY_CSV)


def newest_export(study: Study) -> Export | None:
    """The study's data as they were last exported; None if no export was finished."""
    made = Export.objects.filter(study=study, kind__in=_OF_STUDIES).exclude(digest="")
    return made.order_by("-pk").first()


def taken_at(export: Export) -> datetime:
    """When an export began to read the data (UTC)."""
    return export.started_at or export.requested_at


def changes_since(study: Study, moment: datetime) -> list[str]:
    """What changed a study's results after a moment: "1 attempt", "2 decisions of reviewers"."""
    newer = Q(first_frame_at__gt=moment) | Q(ended_at__gt=moment) | Q(outside__imported_at__gt=moment)
    played = Scope(study).attempts.filter(newer)
    decided = disclosed().filter(session__study=study, part_of=None, decided_at__gt=moment)
    of_study = Q(one__sessions__study=study) | Q(other__sessions__study=study)
    links = SamePerson.objects.filter(
        of_study, Q(linked_at__gt=moment) | Q(reversal__reversed_at__gt=moment)
    ).distinct()
    voids = Void.objects.filter(
        Q(voided_at__gt=moment) | Q(reversal__reversed_at__gt=moment), attempt__session__study=study
    )
    withdrawn = Withdrawal.objects.filter(finished_at__gt=moment)
    found = (
        (played.count(), "attempt", "attempts"),
        (decided.count(), "decision of reviewers", "decisions of reviewers"),
        (voids.count(), "void by staff", "voids by staff"),
        (links.count(), "link between a person's records", "links between a person's records"),
        (withdrawn.count(), "withdrawal in the whole installation", "withdrawals in the whole installation"),
    )
    return [counted(*one) for one in found if one[0]]
