"""Reads of what staff noted at moments of a replay."""

from django.db.models import QuerySet

from playtest.play.models import Attempt
from playtest.review.models import Comment


def comments_on(attempt: Attempt) -> QuerySet[Comment]:
    """An attempt's comments with their authors, in the order of their moments."""
    return Comment.objects.filter(attempt=attempt).select_related("author").order_by("seconds", "pk")
