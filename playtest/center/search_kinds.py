"""What the search finds of the center: sessions, by number or by who plays, and stations."""

from collections.abc import Iterator

from django.db.models import Q
from django.urls import reverse

from playtest.center.models import Station
from playtest.people.models import Participant, Staff
from playtest.people.search import MOST_READ, Found, Match, Query, match_of_participant, participants_matching
from playtest.play.models import Session


def sessions(query: Query, staff: Staff) -> Iterator[Found]:
    """By number, and the newest ones of people whose label or reference begins with the text."""
    wanted = Q(participant__in=Participant.objects.filter(participants_matching(query)))
    if query.number is not None:
        wanted |= Q(pk=query.number)
    found = Session.objects.filter(wanted).select_related("study", "participant").order_by("-pk")
    for session in found[:MOST_READ]:
        match = Match.ID if session.pk == query.number else match_of_participant(session.participant, query)
        detail = f"{session.study.name}, {'ended' if session.ended_at else 'not ended'}"
        address = reverse("center:session", args=[session.pk])
        yield Found(f"Session {session.pk} of {session.participant.label}", address, detail, match)


def stations(query: Query, staff: Staff) -> Iterator[Found]:
    """By number, and by the room's name."""
    wanted = Q(room__istartswith=query.text)
    if query.number is not None:
        wanted |= Q(number=query.number)
    for station in Station.objects.filter(wanted).order_by("number")[:MOST_READ]:
        match = Match.ID if station.number == query.number else Match.BEGINNING
        address = reverse("center:station", args=[station.number])
        yield Found(f"Station {station.number}", address, station.room, match)
