"""Flags are raised while the session still runs, so that a proctor can see them."""

from celery import shared_task

from playtest.review.queries.effort import due_sessions
from playtest.review.services.effort import assess


@shared_task
def flag_effort() -> None:
    """Let the effort rules look at every session in which an attempt has ended since they last did."""
    assess(due_sessions().select_related("study"))
