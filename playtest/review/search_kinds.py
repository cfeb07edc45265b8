"""What the search finds of reviews: attempts, runs, internal plays, people, sessions, and collections."""

from collections.abc import Iterator
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse

from playtest.people.models import Participant, Staff
from playtest.people.search import (
    MOST_READ,
    Found,
    Match,
    Query,
    match_of,
    match_of_participant,
    participants_matching,
)
from playtest.people.templatetags.staff import outcome
from playtest.play.models import Attempt, Session
from playtest.play.sessions.reads import AGENTS, INTERNAL
from playtest.review.models import Collection
from playtest.review.players import player_name


def attempts(query: Query, staff: Staff) -> Iterator[Found]:
    """By number, and by a person and an environment together ("p-0012 ws72"); not how it ended: a reviewer
    may judge it blind."""
    wanted = _of_person_and_environment(query)
    if query.number is not None:
        wanted |= Q(pk=query.number)
    attempts = Attempt.objects.filter(wanted, participant__isnull=False)
    attempts = attempts.select_related("participant", "environment", "session__study").order_by("-pk")
    for attempt in attempts[:MOST_READ]:
        code, match = attempt.environment.code, Match.ID if attempt.pk == query.number else Match.WITHIN
        title = f"Attempt {attempt.pk}: {code} by {attempt.participant.label}"
        address = reverse("review:attempt", args=[attempt.pk])
        yield Found(title, address, attempt.session.study.name, match, code)


def runs(query: Query, staff: Staff) -> Iterator[Found]:
    """By number alone."""
    return _without_a_person("Run", AGENTS, query)


def internal_plays(query: Query, staff: Staff) -> Iterator[Found]:
    """By number alone."""
    return _without_a_person("Internal play", INTERNAL, query)


def _without_a_person(name: str, which: Q, query: Query) -> Iterator[Found]:
    if query.number is None:
        return
    for attempt in Attempt.objects.filter(which, pk=query.number).select_related("staff", "environment"):
        code = attempt.environment.code
        player = attempt.staff.get_username() if attempt.staff else player_name(attempt)
        title = f"{name} {attempt.pk}: {code} by {player}"
        address = reverse("review:attempt", args=[attempt.pk])
        yield Found(title, address, outcome(attempt.outcome), Match.ID, code)


def _of_person_and_environment(query: Query) -> Q:
    if len(query.terms) != 2:
        return Q(pk__in=())
    one, other = query.terms
    wanted = Q()
    for person, code in ((one, other), (other, one)):
        wanted |= Q(participant__label__istartswith=person, environment__code__iexact=code)
    return wanted


def people(query: Query, staff: Staff) -> Iterator[Found]:
    """By label, reference or address; their page is the list of their attempts."""
    people = Participant.objects.filter(participants_matching(query, staff)).order_by("label")
    for person in people[:MOST_READ]:
        address = f"{reverse('review:attempts')}?{urlencode({'participant': person.label})}"
        detail = "simulated" if person.simulated else ""
        yield Found(f"Attempts of {person.label}", address, detail, match_of_participant(person, query))


def sessions(query: Query, staff: Staff) -> Iterator[Found]:
    """By number alone."""
    if query.number is None:
        return
    sessions = Session.objects.filter(pk=query.number, checked_in_at__isnull=False)
    for session in sessions.select_related("participant", "study"):
        address = reverse("review:case", args=[session.pk])
        title = f"Effort in session {session.pk} of {session.participant.label}"
        yield Found(title, address, session.study.name, Match.ID)


def collections(query: Query, staff: Staff) -> Iterator[Found]:
    """By words of name and note."""
    wanted = Q(name__icontains=query.text) | Q(note__icontains=query.text)
    found = Collection.objects.filter(wanted).order_by("name")
    for one in sorted(found, key=lambda one: match_of(one.name, query)):
        yield Found(
            one.name, reverse("review:collection", args=[one.pk]), one.note[:80], match_of(one.name, query)
        )
