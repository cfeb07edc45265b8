"""Who needs help now, for pages that are not live: what the wall would show, read once from the database.

What only the serving processes know is left out: how fast a connection is, and whether a server is silent.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Max, OuterRef, Q, Subquery

from playtest.center.wall.facts import SessionFacts
from playtest.center.wall.flags import flags_of
from playtest.center.wall.tile import Link, Play, Tile
from playtest.play.models import Attempt, Entry, Event, EventKind
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
