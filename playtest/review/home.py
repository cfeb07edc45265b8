"""What reviews add to homes: sessions that wait, new results, and the newest replays of people who left."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q, QuerySet

from playtest.jobs.models import LATELY, JobStatus
from playtest.people.manifests import Waits, waiting
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.clock import now
from playtest.play.models import Attempt
from playtest.play.sessions.reads import COUNTED, LEFT_AT_ONCE, PEOPLE, REAL, REHEARSED
from playtest.review.models import Export, ExportKind
from playtest.review.queries.attempts import LOST as LOST_ANYHOW
from playtest.review.queries.attempts import NO, YES, unacknowledged_faults
from playtest.review.queries.exclusions import cannot_count
from playtest.review.queries.queue import number_in_queue
from playtest.rules.attempt import LOST
from playtest.studio.models import Environment

_MOST = 5
TO_ACKNOWLEDGE = "?outcome=fault_not_acknowledged"


def sessions_to_review(staff: Staff) -> Waits:
    """How many sessions wait for this reviewer."""
    return waiting(number_in_queue(staff), "session", "for review")


def faults_to_acknowledge(staff: Staff) -> Waits:
    """How many environment faults nobody has acknowledged."""
    return waiting(unacknowledged_faults().count(), "environment fault", "to be acknowledged", TO_ACKNOWLEDGE)


def exports_to_repeat(kinds: Collection[ExportKind], staff: Staff) -> Waits:
    """How many exports of these kinds failed within a week that this person asked for, and has not again."""
    asked = Export.objects.filter(requested_by=staff, kind__in=kinds, requested_at__gte=now() - LATELY)
    rows = asked.order_by("pk").values_list("kind", "attempt", "study", "status")
    newest = {what: status for *names, status in rows for what in (tuple(names),)}
    number = [*newest.values()].count(JobStatus.FAILED)
    return Waits(number, f"export{'' if number == 1 else 's'} of yours failed")


def results_since(_: Staff, since: datetime) -> int:
    """How many attempts of real people that count have ended."""
    return Attempt.objects.filter(REAL, COUNTED, ~cannot_count(), ended_at__gt=since).count()


def newest_results(staff: Staff | None, request: object) -> dict[str, Any]:
    """The newest attempts that count, whatever their outcome; of simulated people while no real ones do."""
    counted = Attempt.objects.filter(PEOPLE, COUNTED, ~cannot_count())
    found = _newest(counted, REAL)
    return {
        "request": request,
        "user": staff,
        "attempts": found or _newest(counted, REHEARSED),
        "is_real": bool(found),
        "label": "Newest results",
        "list": urlencode({"people": _people(found), "counts": YES, "excluded": NO}),
    }


def newest_who_left(staff: Staff | None, request: object) -> dict[str, Any]:
    """The newest attempts of people who gave up, concluded or timed out, without those who left at once.

    Of one's own environments, if one owns any and is no lead; of simulated people until real ones leave.
    """
    owned = Environment.objects.filter(owner=staff)
    lost = Attempt.objects.filter(PEOPLE, ~LEFT_AT_ONCE, outcome__in=LOST)
    is_own = staff is not None and not staff.may(Right.WAIVE_NEEDS) and owned.exists()
    if is_own:
        lost = lost.filter(environment__in=owned)
    found = _newest(lost, REAL)
    chosen = {"people": _people(found), "outcome": LOST_ANYHOW, "at_once": NO}
    if is_own and staff:
        chosen["owner"] = str(staff.pk)
    return {
        "request": request,
        "user": staff,
        "attempts": found or _newest(lost, REHEARSED),
        "left": True,
        "label": "People who left",
        "is_own": is_own,
        "is_real": bool(found),
        "list": urlencode(chosen),
    }


def _people(real: list[Attempt]) -> str:
    """Whose attempts the list of all of them has: the filter of the same name."""
    return "real" if real else "rehearsing"


def _newest(found: QuerySet[Attempt], whose: Q) -> list[Attempt]:
    rows = found.filter(whose).select_related("participant", "environment", "version")
    return list(rows.defer("version__source", "version__metadata").order_by("-ended_at", "-pk")[:_MOST])
