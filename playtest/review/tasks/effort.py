"""Tasks that raise effort flags: while a session runs, and again when norms or thresholds change."""

from celery import shared_task

from playtest.review.queries.effort import due_sessions, outdated_sessions
from playtest.review.services.effort import assess


@shared_task
def flag_effort() -> None:
    """Applies the effort rules to every session in which an attempt has ended since the last time."""
    assess(due_sessions().select_related("study", "protocol"))


@shared_task
def judge_again() -> None:
    """Applies them again where a study's thresholds, or the norms, have changed since."""
    assess(outdated_sessions().select_related("study", "protocol"))
