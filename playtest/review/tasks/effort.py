"""Flags are raised while the session still runs, so that a proctor can see them, and judged again later."""

from celery import shared_task

from playtest.review.queries.effort import drifted_sessions, due_sessions
from playtest.review.services.effort import assess


@shared_task
def flag_effort() -> None:
    """Let the effort rules look at every session in which an attempt has ended since they last did."""
    assess(due_sessions().select_related("study"))


@shared_task
def judge_again() -> None:
    """Let them look again where a study's thresholds, or what is usual somewhere, have moved since."""
    assess(drifted_sessions().select_related("study"))
