"""Collections of replays to watch one after another. All who may watch replays may change them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.review.models import Collection, CollectionItem

LONGEST_NAME = 100
LONGEST_NOTE = 200


def create_collection(author: Staff, name: str, note: str = "") -> Collection:
    """An empty collection. Refusal: collection_unnamed, name_taken."""
    with _names_are_unique():
        return Collection.objects.create(name=_name(name), note=note.strip(), author=author, created_at=now())


def change_collection(collection: Collection, name: str, note: str) -> None:
    """Changes name and note. Refusal: collection_unnamed, name_taken."""
    collection.name, collection.note = _name(name), note.strip()
    with _names_are_unique():
        collection.save(update_fields=["name", "note"])


def delete_collection(collection: Collection, staff: Staff) -> None:
    """Deletes a collection for its author; the replays stay. Refusal: collection_not_yours."""
    if collection.author_id != staff.pk:
        message = "Only its author can delete a collection: ask them, or remove its replays."
        raise Refusal("collection_not_yours", message, status=403)
    collection.delete()


def add_item(collection_id: int, attempt: Attempt, seq: int, note: str = "") -> CollectionItem:
    """Adds a replay at action `seq`, last. Refusal: collection_unknown, moment_unknown, note_too_long."""
    with transaction.atomic():
        collection = _locked(collection_id)
        if seq and not attempt.entries.filter(seq=seq).exists():
            message = "This moment is not in the journal: load the page again."
            raise Refusal("moment_unknown", message, status=400)
        last = collection.items.last()
        return collection.items.create(
            attempt=attempt, seq=seq, note=_note(note), position=last.position + 1 if last else 1
        )


def create_with_item(author: Staff, name: str, attempt: Attempt, seq: int, note: str = "") -> CollectionItem:
    """Creates a collection with this replay in it. Refusal as `create_collection` and `add_item`."""
    with transaction.atomic():
        return add_item(create_collection(author, name).pk, attempt, seq, note)


def set_note(item: CollectionItem, note: str) -> None:
    """Sets the note of a replay. Refusal: note_too_long."""
    item.note = _note(note)
    item.save(update_fields=["note"])


def move_item(item: CollectionItem, by: int) -> None:
    """Moves an item up (-1) or down (1) in its collection; does nothing at the end."""
    with transaction.atomic():
        items = list(_locked(item.collection_id).items.all())
        at = items.index(item)
        to = min(len(items) - 1, max(0, at + by))
        items.insert(to, items.pop(at))
        for position, moved in enumerate(items, start=1):
            moved.position = position
        CollectionItem.objects.bulk_update(items, ["position"])


def remove_item(item: CollectionItem) -> None:
    """Removes a replay from its collection."""
    item.delete()


def _locked(collection_id: int) -> Collection:
    collection = Collection.objects.select_for_update().filter(pk=collection_id).first()
    if collection is None:
        raise Refusal("collection_unknown", "This collection was deleted: choose another.", status=404)
    return collection


def _name(name: str) -> str:
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        message = f"Give the collection a name of at most {LONGEST_NAME} characters."
        raise Refusal("collection_unnamed", message, status=400)
    return name


def _note(note: str) -> str:
    note = note.strip()
    if len(note) > LONGEST_NOTE:
        message = f"A note has at most {LONGEST_NOTE} characters: shorten it."
        raise Refusal("note_too_long", message, status=400)
    return note


@contextmanager
def _names_are_unique() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        message = "Another collection has this name: choose another name."
        raise Refusal("name_taken", message) from error


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
