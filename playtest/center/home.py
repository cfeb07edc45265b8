"""What the center adds to homes: today's slots, who needs help now, and adjustments of pay to decide.

Who needs help is read once from the database. What only serving processes know is left out: how fast a
connection is, and whether a server is silent.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Exists, Max, OuterRef, Q, Subquery

from playtest.center.calls import answers
from playtest.center.calls import waiting as calls_waiting
from playtest.center.pay import accounts
from playtest.center.pay.totals import warnings
from playtest.center.schedule.messages import mail_is_configured
from playtest.center.schedule.models import PRESENT, Message
from playtest.center.schedule.queries import slots
from playtest.center.schedule.times import local, midnight
from playtest.center.stations.queries import StationState, stations
from playtest.center.wall.facts import FactsReader, SessionFacts
from playtest.center.wall.tile import Link, Play, Tile
from playtest.jobs.models import JobStatus
from playtest.people.manifests import Waits, waiting
from playtest.people.models import Staff
from playtest.people.roles import Right, Role
from playtest.play.clock import now
from playtest.play.models import Attempt, Entry, Event, EventKind, Session, Study
from playtest.play.models.study import held_here
from playtest.rules.attention import Need, rank


class Helped(NamedTuple):
    """A session with the reasons to look at it, worst first; `since` its page is not connected, or 0."""

    facts: SessionFacts
    needs: list[Need]
    since: float


class _Connection(NamedTuple):
    link: Link
    since: float


def who_needs_help(facts: Mapping[int, SessionFacts], moment: datetime) -> list[Helped]:
    """The sessions that somebody should look at, worst first, in the order of stations."""
    connections, acted = _connections(facts), _last_actions(facts.values())
    found = []
    for pk, one in facts.items():
        link, since = connections.get(pk, _Connection(Link.NONE, 0.0))
        tile = Tile(one, link=link, link_since=since)
        if one.attempt:
            tile.play = Play(one.attempt.number, 0, 1, 0, acted.get(one.attempt.pk, 0.0))
        if reasons := tile.needs(moment.timestamp()):
            found.append(Helped(one, reasons, since))
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


_READ_ONCE = "_helped_of_home"
_MOST = 5
AT_ONCE, AT_ONCE_SECONDS = 5, 30
"""So many connections lost within so long are one thing that waits, as on the wall (`wall/labels.js`)."""
_IDLE = (StationState.READY, StationState.OFFLINE)


def today(_: Staff | None, request: object) -> dict[str, Any]:
    """Today's slots with how many came, and how many people are in session now outside rehearsals."""
    day = local(now()).date()
    begin, end = midnight(day), midnight(day + timedelta(days=1))
    found = slots().filter(starts_at__gte=begin, starts_at__lt=end, cancelled_at__isnull=True)
    in_progress = Session.objects.filter(
        study__rehearsal=False, checked_in_at__isnull=False, ended_at__isnull=True
    )
    return {
        "request": request,
        "slots": list(found),
        "moment": now(),
        "playing": in_progress.count(),
        "answers": answers(begin, end),
    }


def room_now(staff: Staff | None, request: object) -> dict[str, Any]:
    """Who needs help now, worst first, and the stations at which nobody is."""
    in_service = [one for one in stations() if one.state != StationState.RETIRED]
    helped = _helped_now(staff)
    lost = _lost_at_once([one for one in helped if one.needs[0] == Need.CONNECTION_LOST])
    helped = [one for one in helped if one not in lost]  # the network is what needs help: one line for all
    idle = {state: [one.station.number for one in in_service if one.state == state] for state in _IDLE}
    return {
        "request": request,
        "helped": helped,
        "lost": len(lost),
        "most": _MOST,
        "stations": len(in_service),
        "idle": sum(map(len, idle.values())),
        "idle_by_state": [(state.label, numbers) for state, numbers in idle.items() if numbers],
    }


def _lost_at_once(lost: list[Helped]) -> list[Helped]:
    groups = ([other for other in lost if 0 <= other.since - one.since < AT_ONCE_SECONDS] for one in lost)
    most = max(groups, key=len, default=[])
    return most if len(most) >= AT_ONCE else []


def _helped_now(staff: Staff | None) -> list[Helped]:
    """Who needs help now outside rehearsals, read once while a home is made."""
    found: list[Helped] | None = getattr(staff, _READ_ONCE, None)
    if found is None:
        moment = now()
        here = {pk: one for pk, one in FactsReader().read(moment).items() if not one.rehearsal}
        found = who_needs_help(here, moment)
        setattr(staff, _READ_ONCE, found)
    return found


def people_to_help(staff: Staff) -> Waits:
    """How many people a proctor should see to; of others who may answer, how many call."""
    if staff.role != Role.PROCTOR:
        number = len(calls_waiting())
        return Waits(number, f"{'person calls' if number == 1 else 'people call'} for help in the room")
    number = len(_helped_now(staff))
    return Waits(number, f"{'person needs' if number == 1 else 'people need'} help in the room")


def messages_not_sent(_: Staff) -> Waits:
    """How many people of slots to come could not be told what they were to be told last."""
    if not mail_is_configured():
        return Waits(0, "")
    later = Message.objects.filter(booking=OuterRef("booking"), pk__gt=OuterRef("pk"))
    slot_to_come = Q(booking__slot__starts_at__gt=now(), booking__slot__cancelled_at=None)
    failed = Message.objects.filter(slot_to_come, status=JobStatus.FAILED, booking__state__in=PRESENT)
    number = failed.filter(~Exists(later)).count()
    return Waits(number, f"{'message' if number == 1 else 'messages'} to invited people could not be sent")


def people_to_pay(staff: Staff) -> Waits:
    """How many people are owed money that no batch has."""
    owed = accounts.owed_to() if staff.may(Right.EXPORT_PAY) else {}
    number = sum(any(amount > 0 for amount, _ in amounts) for amounts in owed.values())
    return Waits(number, "person is to be paid" if number == 1 else "people are to be paid", "batches/new/")


def budgets_used(staff: Staff) -> Waits:
    """How many open studies have nearly or wholly used their budget."""
    with_budget = Study.objects.filter(open=True, budgets__isnull=False).distinct()
    number = len(warnings(with_budget)) if staff.may(Right.APPROVE_PAY) and with_budget else 0
    return Waits(number, f"{'budget is' if number == 1 else 'budgets are'} nearly or wholly used")


def sessions_since(_: Staff, since: datetime) -> int:
    """How many sessions of people have ended outside rehearsals."""
    return Session.objects.filter(held_here("study__"), ended_at__gt=since).count()


def adjustments_to_decide(staff: Staff) -> Waits:
    """How many adjustments of pay wait for this person, who cannot decide on their own."""
    if not staff.may(Right.APPROVE_PAY):
        return Waits(0, "")
    return waiting(accounts.waiting().exclude(entered_by=staff).count(), "adjustment", "for your decision")
