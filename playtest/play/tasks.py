"""Work for Celery: limits hold for people who are gone, too."""

import logging
from datetime import datetime

from celery import shared_task

from playtest.play.clock import now
from playtest.play.heartbeat import MOST_SECONDS_APART, seconds_ahead
from playtest.play.models import Attempt, Session
from playtest.play.services import days
from playtest.play.services.limits import end_attempt_if_overdue, end_session_if_over
from playtest.rules.limits import session_deadline

logger = logging.getLogger(__name__)

_OF_ATTEMPT = ("session__study", "session__participant")


@shared_task
def end_overdue() -> None:
    """End every attempt and session whose deadline has passed, at the deadline's own time.

    Idempotent and safe beside live connections: ending twice does nothing. A simulated person may play in a
    rehearsal's own time (`play.clock`), which is the past here: they are left alone until a session would be
    over by this clock too. A worker whose clock disagrees with those that serve ends nothing.
    """
    ahead = seconds_ahead()
    if abs(ahead) > MOST_SECONDS_APART:
        logger.error(
            "The sweep ended nothing: this worker's clock is %.0f s %s that of the processes that serve. "
            "Set the machine's clock right, then start the product again. (clock_disagrees)",
            abs(ahead),
            "ahead of" if ahead > 0 else "behind",
        )
        return
    moment = now()
    for attempt in Attempt.objects.filter(ended_at__isnull=True).select_related(*_OF_ATTEMPT):
        if not _may_be_rehearsing(attempt.session, moment):
            end_attempt_if_overdue(attempt, moment)
    under_way = Session.objects.filter(ended_at__isnull=True, checked_in_at__isnull=False)
    for session in under_way.select_related("study", "participant"):
        if not _may_be_rehearsing(session, moment):
            end_session_if_over(session, moment)


@shared_task
def sign_days() -> None:
    """Sign the days that are over (docs/journal.md); nothing happens where none is left."""
    days.sign_days(now())


def _may_be_rehearsing(session: Session, moment: datetime) -> bool:
    """A simulated person sits down when they are made, and no rehearsal's time is slower than this one."""
    if not (session.study.rehearsal and session.participant.simulated):
        return False
    return moment < session_deadline(session.participant.created_at, session.study.limits)
