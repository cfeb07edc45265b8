"""Reads how a session's static tasks were viewed, edited and submitted, for the effort rules."""

import logging
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import attrgetter, itemgetter

from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Entry, Session
from playtest.play.sessions.adjustments import adjustments_of
from playtest.play.sessions.reads import TASKS
from playtest.review.queries.effort_evidence import JUDGED
from playtest.review.task_document import edited
from playtest.rules.adjustments import Adjustments
from playtest.rules.tasks.effort import Submitted, TaskView

logger = logging.getLogger(__name__)


def judged_tasks(session: Session) -> list[Attempt]:
    """The session's attempts at static tasks that have ended, but not by a fault."""
    found = session.attempts.filter(JUDGED, TASKS).select_related("environment", "version")
    return list(found.order_by("number"))


def task_views(session: Session, attempts: list[Attempt]) -> list[TaskView]:
    """The views of these attempts in order of time; without the time in which staff had paused the session.

    A task that is set aside and taken up again is viewed again.
    """
    if not attempts:
        return []
    clock = adjustments_of(session)
    entries = Entry.objects.filter(attempt__in=attempts).order_by("attempt", "seq").defer("frames")
    by_attempt = {pk: list(rows) for pk, rows in groupby(entries, key=attrgetter("attempt_id"))}
    found: list[tuple[datetime, TaskView]] = []
    for attempt in attempts:
        attempt.session = session
        found += _views(attempt, by_attempt.get(attempt.pk, []), clock)
    return [view for _, view in sorted(found, key=itemgetter(0))]


def _views(attempt: Attempt, entries: list[Entry], clock: Adjustments) -> Iterator[tuple[datetime, TaskView]]:
    """Each view of a task with the moment at which it began."""
    assert attempt.first_frame_at is not None
    assert attempt.ended_at is not None
    submissions = {one.seq: one for one in _submissions(attempt, entries)}
    aside = [one.time for one in clock.aside if one.attempt == attempt.pk]
    starts = [attempt.first_frame_at, *(time.end for time in aside if time.end is not None)]
    ends = [*(time.start for time in aside), attempt.ended_at]
    for start, end in zip(starts, ends, strict=False):  # what was never taken up again ends set aside
        made = [one.seq for one in entries if one.seq and start <= one.server_time <= end]
        yield (
            start,
            TaskView(
                attempt=attempt.pk,
                seconds=clock.running(start, end).total_seconds(),
                edits=sum(seq not in submissions for seq in made),
                submissions=tuple(submissions[seq] for seq in made if seq in submissions),
            ),
        )


def _submissions(attempt: Attempt, entries: list[Entry]) -> Iterable[Submitted]:
    """What was submitted; nothing of a damaged journal, which verification names."""
    try:
        return list(_submitted(attempt, entries))
    except Refusal as refusal:
        logger.warning("attempt %s is not judged: %s", attempt.pk, refusal.message)
        return ()


def _submitted(attempt: Attempt, entries: list[Entry]) -> Iterator[Submitted]:
    for each in edited(attempt, entries):
        if (made := each.submitted) is not None:
            grid = tuple(tuple(row) for row in made.grid)
            yield Submitted(made.seq, made.input, grid, made.right)
