"""Where a replay is in the list or the collection from which it was opened."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from playtest.people.access import StaffRequest
from playtest.review.models import CollectionItem
from playtest.review.queries.decisions import sessions_asking
from playtest.review.views.attempt_filters import Filters
from playtest.rules.text import whole_number


@dataclass(frozen=True)
class Place:
    """The number of a replay from 1 of `count`; `before` and `after` are addresses, empty at the ends."""

    kind: str
    title: str
    address: str
    number: int
    count: int
    before: str
    after: str
    note: str = ""


def place_of(request: StaffRequest, attempt: int) -> Place | None:
    """The place by `?item=`, a collection's, or by `?list=`, the filters of a list."""
    number = whole_number(request.GET.get("item", ""))
    found = None if number is None else place_in_collection(number, sessions_asking(request.user))
    return found or (place_in_list(request.GET["list"], attempt) if "list" in request.GET else None)


def place_in_list(address: str, attempt: int) -> Place | None:
    """The place of an attempt in the list with this address; None if it is not in it (any more)."""
    filters = Filters(QueryDict(address).dict())
    found = list(filters.attempts().values_list("pk", flat=True))
    if attempt not in found:
        return None
    query = f"?{urlencode({'list': filters.address})}{filters.moment}"
    beside = _beside(found, found.index(attempt), lambda pk: f"{reverse('review:attempt', args=[pk])}{query}")
    return Place("List", "List of attempts", f"{reverse('review:attempts')}?{filters.address}", *beside)


def place_in_collection(number: int, asking: set[int]) -> Place | None:
    """The place of an item; None if it is in no collection (any more). No note in `asking` sessions."""
    found = CollectionItem.objects.select_related("collection", "attempt").filter(pk=number).first()
    if found is None:
        return None
    items = list(found.collection.items.all())
    beside = _beside(items, items.index(found), _address_of)
    address = reverse("review:collection", args=[found.collection_id])
    note = "" if found.attempt.session_id in asking else found.note
    return Place("Collection", found.collection.name, address, *beside, note)


def _address_of(item: CollectionItem) -> str:
    return f"{reverse('review:attempt', args=[item.attempt_id])}?a={item.seq}&item={item.pk}"


def _beside[T](replays: Sequence[T], at: int, address: Callable[[T], str]) -> tuple[int, int, str, str]:
    """The number, of how many, and the addresses before and after."""
    before, after = replays[max(0, at - 1) : at], replays[at + 1 : at + 2]
    return at + 1, len(replays), "".join(map(address, before)), "".join(map(address, after))
