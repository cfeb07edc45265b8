"""Calls for a member of staff: those that wait, on every page of who may answer, and how fast that was."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.center import form_tokens
from playtest.people.access import StaffRequest, requires
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.clock import now
from playtest.play.journal.heartbeat import signs
from playtest.play.models import Event, EventKind, Session
from playtest.play.sessions.reads import calls_since
from playtest.play.sessions.seats import is_served

ABANDONED_AFTER = timedelta(minutes=10)
"""A call ends once the page that made it gave no sign for so long."""


@dataclass(frozen=True)
class Call:
    """A session that calls, and since when."""

    session: Session
    since: datetime


def waiting(*, rehearsals: bool = False) -> list[Call]:
    """The calls that nobody has answered, the oldest first; of rehearsals only if they are asked for."""
    under_way = Session.objects.filter(checked_in_at__isnull=False, ended_at=None)
    if not rehearsals:
        under_way = under_way.filter(study__rehearsal=False)
    since = calls_since(under_way.values_list("pk", flat=True))
    if not since:
        return []
    heard, moment = signs.last_of([*since]), now()
    sessions = under_way.filter(pk__in=since).select_related("study", "participant")
    found = [
        Call(one, since[one.pk])
        for one in sessions
        if is_served(one.study) and moment - heard.get(one.pk, moment) < ABANDONED_AFTER
    ]
    return sorted(found, key=lambda call: call.since)


@dataclass(frozen=True)
class Answers:
    """Of calls in a time: how many, how many were answered, after how many seconds (median, longest)."""

    calls: int
    answered: int
    median: float
    longest: float


def answers(begin: datetime, end: datetime) -> Answers | None:
    """How calls of an interval were answered, but in rehearsals; None without any."""
    kinds = (EventKind.PROCTOR_CALLED, EventKind.CALL_ANSWERED)
    events = Event.objects.filter(kind__in=kinds, server_time__gte=begin, server_time__lt=end)
    events = events.exclude(session__study__rehearsal=True).order_by("pk")
    calls, waits, since = 0, list[float](), dict[int, datetime]()
    for session, kind, at in events.values_list("session", "kind", "server_time"):
        if kind == EventKind.PROCTOR_CALLED:
            calls, since[session] = calls + 1, at
        elif session in since:
            waits.append((at - since.pop(session)).total_seconds())
    return _summary(calls, waits) if calls else None


def _summary(calls: int, waits: Sequence[float]) -> Answers:
    return Answers(calls, len(waits), median(waits) if waits else 0.0, max(waits, default=0.0))


def banner(reader: Staff | None, request: HttpRequest) -> dict[str, Any]:
    """Whether a page of staff asks for calls: those of who can answer them."""
    return {"listens": reader is not None and reader.may(Right.RUN_SESSIONS)}


@require_safe
@requires(Right.RUN_SESSIONS)
def calls(request: StaffRequest) -> HttpResponse:
    """The calls that wait, for a page that asks every few seconds, and as the wall says for rehearsals."""
    context = {
        "calls": waiting(rehearsals="rehearsals" in request.GET),
        "form_token": form_tokens.new_token(),
    }
    return render(request, "center/calls/list.html", context)
