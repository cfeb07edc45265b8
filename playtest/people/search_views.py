"""The search over all kinds, as a page and as JSON for the dialog that every page has."""

from dataclasses import asdict, dataclass, replace
from itertools import islice

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, signed_in
from playtest.people.manifests import manifests
from playtest.people.models import Staff
from playtest.people.search import MOST_OF_A_KIND, MOST_READ, Found, Kind, Query, query_of


@dataclass(frozen=True, slots=True)
class Group:
    """What was found of one kind. `has_more`: not all of it is listed."""

    plural: str
    found: tuple[Found, ...]
    has_more: bool


@require_safe
@signed_in
def page(request: StaffRequest) -> HttpResponse:
    """What was found for `q`, by kind."""
    typed = request.GET.get("q", "").strip()
    groups = search(typed, request.user)
    context = {"typed": typed, "groups": groups, "count": sum(len(group.found) for group in groups)}
    return render(request, "people/search.html", context)


@require_safe
@signed_in
def found(request: StaffRequest) -> JsonResponse:
    """The same as JSON: `{"groups": [{"plural", "has_more", "found": [...]}]}`, each found as `Found`."""
    groups = search(request.GET.get("q", ""), request.user)
    return JsonResponse({"groups": [asdict(group) for group in groups]})


def kinds() -> list[Kind]:
    """All kinds of things that can be found."""
    return [kind for manifest in manifests() for kind in manifest.kinds]


def search(typed: str, staff: Staff) -> list[Group]:
    """What this person may open of what fits, by kind: the kind with the best match first."""
    query = query_of(typed)
    if not query.text:
        return []
    may_open = [kind for kind in kinds() if kind.right is None or staff.may(kind.right)]
    named = [kind for kind in may_open if query.kind and kind.is_called(query.kind)]
    groups = [_group(kind, query, staff) for kind in named or may_open]
    found = sorted((group for group in groups if group.found), key=lambda group: group.found[0].match)
    return _with_pictures(found, staff)


def _group(kind: Kind, query: Query, staff: Staff) -> Group:
    if not kind.may_be_called(query.kind):
        query = Query(query.text)  # "ws72" is no attempt 52, and "a17" is
    found = list(islice(kind.find(query, staff), MOST_READ))
    best = sorted(found, key=lambda one: one.match)[:MOST_OF_A_KIND]
    return Group(kind.plural, tuple(best), has_more=len(found) > MOST_OF_A_KIND)


def _with_pictures(groups: list[Group], staff: Staff) -> list[Group]:
    codes = {one.environment for group in groups for one in group.found if one.environment}
    if not codes:
        return groups
    sources = (manifest.pictures for manifest in manifests() if manifest.pictures)
    pictures = {code: address for source in sources for code, address in source(codes, staff).items()}
    return [
        replace(
            group,
            found=tuple(replace(one, picture=pictures.get(one.environment, "")) for one in group.found),
        )
        for group in groups
    ]
