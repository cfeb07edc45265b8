"""Work for Celery: limits hold for people who are gone, too."""

from celery import shared_task

from playtest.play.clock import now
from playtest.play.models import Attempt, Session
from playtest.play.services.limits import end_attempt_if_overdue, end_session_if_over


@shared_task
def end_overdue() -> None:
    """End every attempt and session whose deadline has passed, at the deadline's own time.

    Idempotent and safe beside live connections: ending twice does nothing.
    """
    moment = now()
    for attempt in Attempt.objects.filter(ended_at__isnull=True).select_related("session__study"):
        end_attempt_if_overdue(attempt, moment)
    for session in Session.objects.filter(ended_at__isnull=True, checked_in_at__isnull=False).select_related(
        "study"
    ):
        end_session_if_over(session, moment)
