"""Work for Celery: limits hold for people who are gone, too."""

import logging
from collections.abc import Callable
from datetime import datetime

from celery import shared_task

from playtest.play.clock import now
from playtest.play.heartbeat import MOST_SECONDS_APART, seconds_ahead
from playtest.play.models import Attempt, Session
from playtest.play.services import days
from playtest.play.services.limits import end_attempt_if_overdue, end_session_if_over

logger = logging.getLogger(__name__)

_OF_ATTEMPT = ("session__study", "session__participant", "session__protocol")

type Condition = Callable[[Session, datetime], bool]
"""Whether, at a moment, another program sees to a session's end."""

_LEFT_ALONE: list[Condition] = []


def leave_to_another_program(condition: Condition) -> None:
    """From now on the sweep leaves alone the sessions that fit. Called when a room starts."""
    if condition not in _LEFT_ALONE:
        _LEFT_ALONE.append(condition)


@shared_task
def end_overdue() -> None:
    """End every attempt and session whose deadline has passed, at the deadline's own time.

    Idempotent and safe beside live connections: ending twice does nothing. Sessions that another program
    ends (`leave_to_another_program`) are left alone. A worker whose clock disagrees with those that serve
    ends nothing.
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
        if not _is_left_alone(attempt.session, moment):
            end_attempt_if_overdue(attempt, moment)
    under_way = Session.objects.filter(ended_at__isnull=True, checked_in_at__isnull=False)
    for session in under_way.select_related("study", "participant", "protocol"):
        if not _is_left_alone(session, moment):
            end_session_if_over(session, moment)


@shared_task
def sign_days() -> None:
    """Sign the days that are over (docs/journal.md); nothing happens where none is left."""
    days.sign_days(now())


def _is_left_alone(session: Session, moment: datetime) -> bool:
    return any(condition(session, moment) for condition in _LEFT_ALONE)
