"""Celery tasks: end what is overdue when no page is open, and sign days."""

import logging
from collections.abc import Callable
from datetime import datetime

from celery import shared_task

from playtest.play.clock import now
from playtest.play.heartbeat import MOST_SECONDS_APART, seconds_ahead
from playtest.play.models import Attempt, Session
from playtest.play.queries import PEOPLE
from playtest.play.services import days
from playtest.play.services.limits import end_attempt_if_overdue, end_session_if_over

logger = logging.getLogger(__name__)

_OF_ATTEMPT = ("session__study", "session__participant", "session__protocol")

type Condition = Callable[[Session, datetime], bool]
"""Whether another program ends a session at this moment."""

_EXCLUDED: list[Condition] = []


def exclude_from_sweep(condition: Condition) -> None:
    """Exclude sessions that meet the condition from the sweep. Called when a room starts."""
    if condition not in _EXCLUDED:
        _EXCLUDED.append(condition)


@shared_task
def end_overdue() -> None:
    """End every person's attempt and session whose deadline has passed, at the deadline's own time.

    Idempotent and safe beside live connections: ending twice does nothing. Sessions that another program
    ends (`exclude_from_sweep`) are excluded. A worker whose clock disagrees with those that serve
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
    for attempt in Attempt.objects.filter(PEOPLE, ended_at__isnull=True).select_related(*_OF_ATTEMPT):
        if not _is_excluded(attempt.session, moment):
            end_attempt_if_overdue(attempt, moment)
    unfinished = Session.objects.filter(ended_at__isnull=True, checked_in_at__isnull=False)
    for session in unfinished.select_related("study", "participant", "protocol"):
        if not _is_excluded(session, moment):
            end_session_if_over(session, moment)


@shared_task
def sign_days() -> None:
    """Sign the days that are over (docs/journal.md); nothing happens where none is left."""
    days.sign_days(now())


def _is_excluded(session: Session, moment: datetime) -> bool:
    return any(condition(session, moment) for condition in _EXCLUDED)
