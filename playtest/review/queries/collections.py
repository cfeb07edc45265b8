"""Reads of collections of replays."""

from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Count, QuerySet

from playtest.review.models import Collection, CollectionItem


@dataclass(frozen=True)
class Place:
    """An item with its neighbours in the collection; `number` counts from 1."""

    item: CollectionItem
    number: int
    count: int
    before: CollectionItem | None
    after: CollectionItem | None


def collections() -> QuerySet[Collection]:
    """Every collection by name, with its author and `size`."""
    return Collection.objects.select_related("author").annotate(size=Count("items")).order_by("name")


def items_of(collection: Collection) -> QuerySet[CollectionItem]:
    """The items in order, with everything that a list shows of their attempts."""
    return collection.items.select_related(
        "attempt__participant",
        "attempt__staff",
        "attempt__environment",
        "attempt__version",
        "attempt__session__study",
    )


def place_of(item_id: int) -> Place | None:
    """An item between its neighbours; None when it is no longer in a collection."""
    item = CollectionItem.objects.select_related("collection").filter(pk=item_id).first()
    if item is None:
        return None
    items = list(item.collection.items.all())
    number = items.index(item)
    before = items[number - 1] if number else None
    after = next((later for earlier, later in pairwise(items) if earlier == item), None)
    return Place(item, number + 1, len(items), before, after)
