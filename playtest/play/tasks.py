"""Celery tasks: end what is overdue when no page is open, and sign days."""

import logging

from celery import shared_task

from playtest.play.clock import now
from playtest.play.journal import anchors, days
from playtest.play.journal.heartbeat import MOST_SECONDS_APART, seconds_ahead
from playtest.play.journal.outages import last_sign
from playtest.play.models import Attempt, Session
from playtest.play.sessions.adjustments import adjustments_of_sessions
from playtest.play.sessions.ends import end_attempt_if_overdue, end_session_if_over
from playtest.play.sessions.reads import PEOPLE, deadline_of, deadline_of_session, may_be_in_virtual_time
from playtest.rules.limits import is_over

logger = logging.getLogger(__name__)

_OF_ATTEMPT = ("session__study", "session__participant", "session__protocol")


@shared_task
def end_overdue() -> None:
    """End every person's attempt and session whose deadline has passed, at the deadline's own time.

    Idempotent and safe beside live connections: ending twice does nothing. Sessions that a rehearsal in
    virtual time ends are excluded. A worker whose clock disagrees with those that serve
    ends nothing, and none does while no server is up. What it ends was over at the last heartbeat of a
    server: an outage since then may not be recorded yet.
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
    moment = min(now(), last_sign() or now())
    attempts = list(Attempt.objects.filter(PEOPLE, ended_at__isnull=True).select_related(*_OF_ATTEMPT))
    unfinished = Session.objects.filter(ended_at__isnull=True, checked_in_at__isnull=False)
    sessions = list(unfinished.select_related("study", "participant", "protocol"))
    # Of a thousand sessions hardly one is over: their clocks are read at once, and only that one's again.
    changed = adjustments_of_sessions({one.session_pk for one in attempts} | {one.pk for one in sessions})
    for attempt in attempts:
        deadline = deadline_of(attempt, changed[attempt.session_pk])
        ends = deadline is not None and is_over(deadline.at, moment)
        if ends and not may_be_in_virtual_time(attempt.session, moment):
            end_attempt_if_overdue(attempt, moment)
    for session in sessions:
        ends = is_over(deadline_of_session(session, changed[session.pk]), moment)
        if ends and not may_be_in_virtual_time(session, moment):
            end_session_if_over(session, moment)


@shared_task
def sign_days() -> None:
    """Sign the days that are over and send their digests (docs/journal.md); nothing happens twice."""
    days.sign_days(now())
    anchors.send_anchors_aside()
