"""Collections of replays to watch one after another, which all who watch may change; comments and tags,
which everyone adds, changes and deletes for themselves.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, QuerySet

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal, once
from playtest.play.models import Attempt
from playtest.review.models import Collection, CollectionItem, Comment
from playtest.review.queries.decisions import sessions_asking, waiting

LONGEST_NAME = 100
LONGEST_NOTE = 200
_NAME_TAKEN = "Another collection has this name: choose another name."


def create_collection(author: Staff, name: str, note: str = "") -> Collection:
    """An empty collection. Refusal: collection_unnamed, name_taken."""
    with once("name_taken", _NAME_TAKEN):
        return Collection.objects.create(name=_name(name), note=note.strip(), author=author, created_at=now())


def change_collection(collection: Collection, name: str, note: str) -> None:
    """Changes name and note. Refusal: collection_unnamed, name_taken."""
    collection.name, collection.note = _name(name), note.strip()
    with once("name_taken", _NAME_TAKEN):
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
        "attempt__outside",
        "attempt__session__study",
    )


MOST_CHARACTERS = 2_000
MOST_TAGS = 8
LONGEST_TAG = 30


@dataclass(frozen=True)
class CommentContent:
    """The text of a comment, and its short tags (lower case, each once)."""

    text: str
    tags: tuple[str, ...]

    @classmethod
    def of(cls, text: str, tags: Iterable[str]) -> "CommentContent":
        """The content without spare spaces. Refusal 400: comment_empty, comment_too_long, tags_too_many."""
        tidy = (" ".join(tag.lower().split()) for tag in tags)
        content = cls(text.strip(), tuple(dict.fromkeys(filter(None, tidy))))
        if not (content.text or content.tags):
            raise Refusal("comment_empty", "Write something or give it a tag.", status=400)
        if len(content.text) > MOST_CHARACTERS:
            message = f"A comment has at most {MOST_CHARACTERS} characters: shorten it."
            raise Refusal("comment_too_long", message, status=400)
        if len(content.tags) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in content.tags):
            message = f"At most {MOST_TAGS} tags of at most {LONGEST_TAG} characters: leave some out."
            raise Refusal("tags_too_many", message, status=400)
        return content


def add_comment(
    attempt: Attempt, author: Staff, seq: int, seconds: float, content: CommentContent
) -> Comment:
    """A comment after action `seq`, `seconds` after the first frame. Refusal 400: moment_unknown."""
    if seconds < 0 or not attempt.entries.filter(seq=seq).exists():
        message = "This moment is not in the journal: load the page again."
        raise Refusal("moment_unknown", message, status=400)
    return Comment.objects.create(
        attempt=attempt,
        seq=seq,
        seconds=seconds,
        text=content.text,
        tags=list(content.tags),
        author=author,
        created_at=now(),
    )


def change_comment(comment_id: int, staff: Staff, content: CommentContent) -> Comment:
    """Changes text and tags; the moment stays. Refusal: comment_unknown, comment_not_yours."""
    with transaction.atomic():
        comment = _own(comment_id, staff)
        comment.text, comment.tags, comment.changed_at = content.text, list(content.tags), now()
        comment.save(update_fields=["text", "tags", "changed_at"])
        return comment


def delete_comment(comment_id: int, staff: Staff) -> None:
    """Deletes a comment. Refusal: comment_unknown, comment_not_yours."""
    with transaction.atomic():
        _own(comment_id, staff).delete()


def _own(comment_id: int, staff: Staff) -> Comment:
    # `of self`: PostgreSQL must not lock the authors as well.
    comments = Comment.objects.select_for_update(of=("self",)).select_related("author")
    found = comments.filter(pk=comment_id).first()
    if found is None:
        raise Refusal("comment_unknown", "This comment is gone: load the page again.", status=404)
    if found.author_id != staff.pk:
        raise Refusal("comment_not_yours", "Only its author can change or delete a comment.", status=403)
    return found


def comments_on(attempt: Attempt, reader: Staff) -> QuerySet[Comment]:
    """An attempt's comments with their authors, in the order of their moments.

    While a reviewer owes a second verdict, the first reviewer's comments are left out.
    """
    found = Comment.objects.filter(attempt=attempt).select_related("author").order_by("seconds", "pk")
    if attempt.session_id not in sessions_asking(reader):
        return found
    firsts = waiting().filter(session=attempt.session_id).exclude(reviewer=reader)
    return found.exclude(author__in=firsts.values("reviewer"))
