"""What the search finds of the studio: cards, uploads and jobs."""

from collections.abc import Collection, Iterator

from django.db.models import Model, Q, QuerySet
from django.urls import reverse

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.people.search import MOST_READ, Found, Match, Query
from playtest.studio.models import (
    Environment,
    Exploration,
    Import,
    Qualification,
    SpecificationCard,
)
from playtest.studio.pictures import address_of_picture
from playtest.studio.queries.uploads import uploads_for


def cards(query: Query, staff: Staff) -> Iterator[Found]:
    """By the environment's id or title."""
    wanted = Q(environment__code__istartswith=query.text) | Q(environment__title__icontains=query.text)
    cards = SpecificationCard.objects.filter(wanted).select_related("environment").order_by("environment")
    for card in cards[:MOST_READ]:
        code = card.environment.code
        address = reverse("studio:card", args=[code])
        yield Found(f"Card of {code}", address, card.environment.title, environment=code)


def uploads(query: Query, staff: Staff) -> Iterator[Found]:
    """By number, and by the environment's id."""
    for upload in _newest(uploads_for(staff), query):
        code, match = upload.version.environment.code, Match.ID if upload.pk == query.number else Match.WITHIN
        address = reverse("studio:upload", args=[upload.pk])
        yield Found(f"Upload {upload.pk} of {code}", address, upload.get_status_display(), match, code)


def qualifications(query: Query, staff: Staff) -> Iterator[Found]:
    """By number, and by the environment's id."""
    for one in _newest(Qualification.objects.defer("report"), query):
        code, match = one.version.environment.code, Match.ID if one.pk == query.number else Match.WITHIN
        address = reverse("studio:qualification", args=[code, one.pk])
        yield Found(f"Qualification {one.pk} of {code}", address, one.status, match, code)


def explorations(query: Query, staff: Staff) -> Iterator[Found]:
    """By number, and by the environment's id."""
    for one in _newest(Exploration.objects.defer("report", "graph"), query):
        code, match = one.version.environment.code, Match.ID if one.pk == query.number else Match.WITHIN
        address = reverse("studio:exploration", args=[code, one.pk])
        yield Found(f"Graph {one.pk} of {code}, level {one.level}", address, one.status, match, code)


def _newest[M: Model](rows: QuerySet[M], query: Query) -> QuerySet[M]:
    """The newest of environments whose id begins with the text, or with this number; reads no source."""
    wanted = Q(version__environment__code__istartswith=query.text)
    if query.number is not None:
        wanted |= Q(pk=query.number)
    found = rows.filter(wanted).select_related("version__environment")
    return found.defer("version__source", "version__metadata").order_by("-pk")[:MOST_READ]


def imports(query: Query, staff: Staff) -> Iterator[Found]:
    """By number alone."""
    if query.number is None:
        return
    for one in Import.objects.filter(pk=query.number, into_sandbox=False):
        yield Found(f"Import {one.pk}", reverse("studio:import-job", args=[one.pk]), one.status, Match.ID)


def first_frames(codes: Collection[str], staff: Staff) -> dict[str, str]:
    """Where the first frames of the current versions are, for who may read about environments."""
    if not staff.may(Right.READ_BASELINES):
        return {}
    digests = Environment.objects.filter(code__in=codes).values_list("code", "current__digest")
    found = {code: address_of_picture(code, digest) for code, digest in digests}
    return {code: address for code, address in found.items() if address}
