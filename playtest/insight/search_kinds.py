"""What the search finds of results: environments, versions, studies and releases."""

import re
from collections.abc import Iterator

from django.db.models import Q
from django.urls import reverse

from playtest.insight.models import Release
from playtest.people.models import Staff
from playtest.people.search import MOST_READ, Found, Match, Query, match_of, query_of
from playtest.play.models import Study
from playtest.studio.models import Environment, Version

_RELEASE = re.compile(r"(?P<code>\w+) (?:r|release |baseline )?(?P<number>\d{1,4})")


def environments(query: Query, staff: Staff) -> Iterator[Found]:
    """By id, and by words that all stand in title or note."""
    every_term = Q()
    for term in query.terms:
        every_term &= Q(title__icontains=term) | Q(note__icontains=term)
    wanted = Q(code__istartswith=query.text) | every_term
    found = Environment.objects.filter(wanted).defer("note").order_by("code")
    for one in sorted(found, key=lambda one: match_of(one.code, query)):
        title, address = f"{one.code} {one.title}".strip(), reverse("insight:environment", args=[one.code])
        detail = ", ".join(filter(None, (one.kind.terms.tag, one.stage)))
        yield Found(title, address, detail, match_of(one.code, query), one.code)


def studies(query: Query, staff: Staff) -> Iterator[Found]:
    """By words of the name, and by number after the word."""
    wanted = Q(name__icontains=query.text)
    if query.kind == "study":
        wanted |= Q(pk=query.number)
    for one in sorted(
        Study.objects.filter(wanted).order_by("-pk"), key=lambda one: match_of(one.name, query)
    ):
        match = Match.ID if one.pk == query.number else match_of(one.name, query)
        detail = f"{'rehearsal, ' if one.rehearsal else ''}{'open' if one.open else 'closed'}"
        yield Found(one.name, reverse("insight:study", args=[one.pk]), detail, match)


def versions(query: Query, staff: Staff) -> Iterator[Found]:
    """By the beginning of the game_id ("ws72-1f3a"), and of its version or the digest without the id."""
    code, _, rest = query.text.rpartition("-")
    digest = query_of(rest).hexadecimal
    wanted = Q(game_id__istartswith=query.text) if code and rest else Q(pk=None)
    if digest:
        begins = Q(digest__startswith=digest) | Q(game_id__icontains=f"-{digest}")
        wanted |= begins & Q(environment__code__iexact=code) if code else begins
    versions = Version.objects.filter(wanted, is_draft=False).select_related("environment")
    for one in versions.defer("source", "metadata").order_by("-pk")[:MOST_READ]:
        code = one.environment.code
        address = f"{reverse('insight:environment', args=[code])}?version={one.digest[:8]}"
        match = Match.ID if one.game_id.lower() == query.text else Match.BEGINNING
        yield Found(f"Version {one.digest[:8]} of {code}", address, one.game_id, match, code)


def releases(query: Query, staff: Staff) -> Iterator[Found]:
    """By environment and number ("ws72 2"), and by the environment alone."""
    named = _RELEASE.fullmatch(query.text)
    wanted = Q(environment__code__iexact=query.text)
    if named:
        wanted |= Q(environment__code__iexact=named["code"], number=int(named["number"]))
    for one in Release.objects.filter(wanted).select_related("environment").order_by("-pk")[:MOST_READ]:
        code, match = one.environment.code, Match.ID if named else Match.WITHIN
        address = reverse("insight:release", args=[code, one.number])
        yield Found(f"Release {one.number} of {code}", address, f"{one.people} people", match, code)
