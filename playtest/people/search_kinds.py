"""What the search finds of this room: the pages that the reader may open, and people who play."""

from collections.abc import Iterator

from django.db.models import Q
from django.urls import reverse

from playtest.people.models import Participant, Staff
from playtest.people.navigation import pages_for, place_of
from playtest.people.search import Found, Match, Query, match_of

_OF_EVERYBODY = (
    ("Home", "people:home"),
    ("Handbook", "people:handbook"),
    ("Roles", "people:roles"),
    ("Help", "people:help"),
)


def pages(query: Query, staff: Staff) -> Iterator[Found]:
    """Entries of the navigation, and the pages that are for everybody."""
    entries = [(page.title, page.address, place_of(page).title) for page in pages_for(staff)]
    for title, address, place in [*entries, *((title, reverse(name), "") for title, name in _OF_EVERYBODY)]:
        text = f"{place} {title}".lower()
        if all(word in text for word in query.terms):
            yield Found(title, address, place, match_of(title, query))


def participants_matching(query: Query) -> Q:
    """Participants whose label or reference begins with the text."""
    return Q(label__istartswith=query.text) | Q(reference__istartswith=query.text)


def match_of_participant(participant: Participant, query: Query) -> Match:
    """How well the better one of a participant's label and reference fits."""
    return min(match_of(participant.label, query), match_of(participant.reference, query))
