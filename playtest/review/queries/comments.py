"""Reads of the comments on a replay."""

from django.db.models import QuerySet

from playtest.people.models import Staff
from playtest.play.models import Attempt
from playtest.review.models import Comment
from playtest.review.queries.decisions import sessions_asking, waiting


def comments_on(attempt: Attempt, reader: Staff) -> QuerySet[Comment]:
    """An attempt's comments with their authors, in the order of their moments.

    While a reviewer owes a second verdict, the first reviewer's comments are left out.
    """
    found = Comment.objects.filter(attempt=attempt).select_related("author").order_by("seconds", "pk")
    if attempt.session_id not in sessions_asking(reader):
        return found
    firsts = waiting().filter(session=attempt.session_id).exclude(reviewer=reader)
    return found.exclude(author__in=firsts.values("reviewer"))
