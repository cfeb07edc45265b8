"""Comments and tags at a moment of a replay: everyone adds, changes and deletes their own."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.review.models import Comment
from playtest.review.queries.decisions import sessions_asking, waiting

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
