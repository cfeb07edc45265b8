"""What the center adds to homes: today's slots, who needs help now, and adjustments of pay to decide.

Who needs help is read once from the database. What only serving processes know is left out: how fast a
connection is, and whether a server is silent.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Max, OuterRef, Q, Subquery

from playtest.center.pay import accounts
from playtest.center.schedule.queries import slots
from playtest.center.schedule.times import local, midnight
from playtest.center.stations.queries import StationState, stations
from playtest.center.wall.facts import FactsReader, SessionFacts, flags_of
from playtest.center.wall.tile import Link, Play, Tile
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.clock import now
from playtest.play.models import Attempt, Entry, Event, EventKind, Session
from playtest.rules.attention import Need, rank


class Helped(NamedTuple):
    """A session with the reasons to look at it, worst first."""

    facts: SessionFacts
    needs: list[Need]


class _Connection(NamedTuple):
    link: Link
    since: float


def who_needs_help(facts: Mapping[int, SessionFacts], moment: datetime) -> list[Helped]:
    """The sessions that somebody should look at, worst first, in the order of stations."""
    connections, acted, flags = _connections(facts), _last_actions(facts.values()), flags_of([*facts])
    found = []
    for pk, one in facts.items():
        link, since = connections.get(pk, _Connection(Link.NONE, 0.0))
        tile = Tile(one, link=link, link_since=since, flags=tuple(flags.get(pk, ())))
        if one.attempt:
            tile.play = Play(one.attempt.number, 0, 1, 0, acted.get(one.attempt.pk, 0.0))
        if reasons := tile.needs(moment.timestamp()):
            found.append(Helped(one, reasons))
    return sorted(found, key=lambda one: (rank(one.needs), one.facts.station or 0))


def _connections(sessions: Collection[int]) -> dict[int, _Connection]:
    """Whether the page of each session is connected, by the record, and since when it is not."""
    connected, gone = Q(kind=EventKind.CONNECTED), Q(kind=EventKind.DISCONNECTED)
    events = Event.objects.filter(connected | gone, session__in=sessions).order_by()
    rows = events.values_list("session_id").annotate(
        came=Count("pk", filter=connected), left=Count("pk", filter=gone), at=Max("server_time", filter=gone)
    )
    return {
        session: _Connection(Link.LOST, at.timestamp()) if left >= came else _Connection(Link.CONNECTED, 0.0)
        for session, came, left, at in rows
    }


def _last_actions(facts: Collection[SessionFacts]) -> dict[int, float]:
    """When the last action of each open attempt was, in seconds since 1970."""
    newest = Entry.objects.filter(attempt=OuterRef("pk"), seq__gt=0).order_by("-seq")
    opened = Attempt.objects.filter(pk__in=[one.attempt.pk for one in facts if one.attempt])
    rows = opened.values_list("pk", Subquery(newest.values("server_time")[:1]))
    return {pk: at.timestamp() for pk, at in rows if at}


_MOST = 5
_IDLE = (StationState.READY, StationState.OFFLINE)


def today(_: Staff | None, request: object) -> dict[str, Any]:
    """Today's slots with how many came, and how many people are in session now."""
    day = local(now()).date()
    begin, end = midnight(day), midnight(day + timedelta(days=1))
    found = slots().filter(starts_at__gte=begin, starts_at__lt=end, cancelled_at__isnull=True)
    in_progress = Session.objects.filter(checked_in_at__isnull=False, ended_at__isnull=True)
    return {
        "request": request,
        "slots": list(found),
        "moment": now(),
        "playing": in_progress.count(),
    }


def room_now(_: Staff | None, request: object) -> dict[str, Any]:
    """Who needs help now, worst first, and the stations at which nobody is."""
    moment = now()
    in_service = [one for one in stations() if one.state != StationState.RETIRED]
    idle = {state: [one.station.number for one in in_service if one.state == state] for state in _IDLE}
    return {
        "request": request,
        "helped": who_needs_help(FactsReader().read(moment), moment),
        "most": _MOST,
        "stations": len(in_service),
        "idle": sum(map(len, idle.values())),
        "idle_by_state": [(state.label, numbers) for state, numbers in idle.items() if numbers],
    }


def adjustments_to_decide(staff: Staff) -> tuple[int, str]:
    """How many adjustments of pay wait for this person, who cannot decide on their own."""
    if not staff.may(Right.APPROVE_PAY):
        return 0, ""
    number = accounts.waiting().exclude(entered_by=staff).count()
    return number, f"adjustment{'' if number == 1 else 's'} of pay to decide"
