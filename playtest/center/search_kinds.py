"""What the search finds of the center: sessions, by number or by who plays, and stations."""

from collections.abc import Iterator

from django.db.models import Q
from django.urls import reverse

from playtest.center.models import PRESENT, Booking, Station
from playtest.people.models import Participant, Staff
from playtest.people.search import MOST_READ, Found, Match, Query, match_of_participant, participants_matching
from playtest.play.clock import now
from playtest.play.models import Session


def sessions(query: Query, staff: Staff) -> Iterator[Found]:
    """By number, and the newest ones of people whom the text finds."""
    wanted = Q(participant__in=Participant.objects.filter(participants_matching(query, staff)))
    if query.number is not None:
        wanted |= Q(pk=query.number)
    found = Session.objects.filter(wanted).select_related("study", "participant").order_by("-pk")
    for session in found[:MOST_READ]:
        match = Match.ID if session.pk == query.number else match_of_participant(session.participant, query)
        detail = f"{session.study.name}, {'ended' if session.ended_at else 'not ended'}"
        address = reverse("center:session", args=[session.pk])
        yield Found(f"Session {session.pk} of {session.participant.label}", address, detail, match)


def participants(query: Query, staff: Staff) -> Iterator[Found]:
    """By label, reference or address; their page is that of their next slot, else of their records."""
    people = Participant.objects.filter(participants_matching(query, staff)).order_by("label")[:MOST_READ]
    expected = Booking.objects.filter(participant__in=[one.pk for one in people], state__in=PRESENT)
    to_come = expected.filter(slot__cancelled_at=None, slot__ends_at__gt=now()).order_by("-slot__starts_at")
    slots = {booking.participant_id: booking.slot for booking in to_come.select_related("slot")}
    for person in people:
        slot = slots.get(person.pk)
        address = (
            reverse("center:slot", args=[slot.pk])
            if slot
            else reverse("center:same-person", args=[person.pk])
        )
        title = f"{person.reference} ({person.label})" if person.reference else person.label
        yield Found(title, address, str(slot or "no slot to come"), match_of_participant(person, query))


def stations(query: Query, staff: Staff) -> Iterator[Found]:
    """By number, and by the room's name."""
    wanted = Q(room__istartswith=query.text)
    if query.number is not None:
        wanted |= Q(number=query.number)
    for station in Station.objects.filter(wanted).order_by("number")[:MOST_READ]:
        match = Match.ID if station.number == query.number else Match.BEGINNING
        address = reverse("center:station", args=[station.number])
        yield Found(f"Station {station.number}", address, station.room, match)
