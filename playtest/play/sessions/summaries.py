"""Finds columns that no longer repeat what the two logs say (`Attempt`, `Session.paused_at`). Only reads."""

from datetime import timedelta

from django.db.models import OuterRef, Q, QuerySet, Subquery

from playtest.play.models import Attempt, Entry, EventKind, Session
from playtest.play.sessions.adjustments import adjustments_of_attempts, adjustments_of_sessions
from playtest.play.sessions.attempts import granted_to, stopped_of

SUMMARY = ("actions", "levels_completed", "last_action_at", "paused", "granted")
"""The columns of an attempt that repeat the logs, set when it ends."""


def wrong_summaries(attempts: QuerySet[Attempt]) -> list[int]:
    """The attempts among these that have ended and whose summary the logs contradict."""
    ended = attempts.filter(ended_at__isnull=False)
    newest = Entry.objects.filter(attempt=OuterRef("pk")).order_by("-seq")
    journal = [Subquery(newest.values(name)[:1]) for name in ("seq", "levels_completed", "server_time")]
    clocks = _clocks(ended)
    found = []
    end = ("environment__kind", "ended_at")
    for pk, *stored, seq, levels, at, kind, ended_at in ended.values_list("pk", *SUMMARY, *journal, *end):
        until = kind.worked_until(seq, at, ended_at)
        if stored != [seq or 0, levels or 0, until, *clocks.get(pk, (timedelta(0), timedelta(0)))]:
            found.append(pk)
    return found


def _clocks(ended: QuerySet[Attempt]) -> dict[int, tuple[timedelta, timedelta]]:
    """How long each attempt stood still and what it was granted, of sessions whose clocks were changed."""
    adjustments = adjustments_of_attempts(ended)
    found = ended.select_related("session__protocol").in_bulk(adjustments).items()
    return {
        pk: (stopped_of(attempt, adjustments[pk]), granted_to(attempt, adjustments[pk]))
        for pk, attempt in found
    }


def wrong_pauses(sessions: QuerySet[Session]) -> list[Session]:
    """The sessions among these that are not paused since when the events say."""
    ever = list(sessions.filter(Q(events__kind=EventKind.PAUSED) | Q(paused_at__isnull=False)).distinct())
    said = adjustments_of_sessions([session.pk for session in ever])
    return [session for session in ever if session.paused_at != said[session.pk].paused_since]
