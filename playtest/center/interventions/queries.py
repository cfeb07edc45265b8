"""Reads of voided attempts and of calls that wait for an answer."""

from collections.abc import Collection

from django.db.models import QuerySet

from playtest.center.interventions.models import Void
from playtest.play.models import Attempt, Event, EventKind, Session


def standing_voids() -> QuerySet[Void]:
    """The voids that nobody has reversed; an attempt has at most one."""
    return Void.objects.filter(reversal__isnull=True)


def voided_attempts() -> QuerySet[Attempt]:
    """The attempts that are void now."""
    return Attempt.objects.filter(pk__in=standing_voids().values("attempt"))


def calls(sessions: Collection[int]) -> dict[int, Event]:
    """The sessions of these that wait for a proctor, each with its last call."""
    kinds = (EventKind.PROCTOR_CALLED, EventKind.CALL_ANSWERED)
    last: dict[int, Event] = {}
    for event in Event.objects.filter(session__in=sessions, kind__in=kinds).order_by("server_time", "pk"):
        last[event.session_id] = event
    return {pk: event for pk, event in last.items() if event.kind == EventKind.PROCTOR_CALLED}


def call_of(session: Session) -> Event | None:
    """The session's call that nobody has answered."""
    return calls([session.pk]).get(session.pk)
