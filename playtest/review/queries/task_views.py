"""Reads how a session's static tasks were viewed, edited and submitted, for the effort rules."""

import logging
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from playtest.play.adjustments import adjustments_of
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Entry, Session
from playtest.play.queries import TASKS
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
    """The views of these attempts in their order; time in which staff had paused the session is left out."""
    if not attempts:
        return []
    clock = adjustments_of(session)
    entries = Entry.objects.filter(attempt__in=attempts).order_by("attempt", "seq").defer("frames")
    by_attempt = {pk: list(rows) for pk, rows in groupby(entries, key=attrgetter("attempt_id"))}
    return [_view(session, attempt, by_attempt.get(attempt.pk, []), clock) for attempt in attempts]


def _view(session: Session, attempt: Attempt, entries: list[Entry], clock: Adjustments) -> TaskView:
    assert attempt.first_frame_at is not None
    assert attempt.ended_at is not None
    attempt.session = session
    submissions = tuple(_submissions(attempt, entries))
    return TaskView(
        attempt=attempt.pk,
        seconds=clock.running(attempt.first_frame_at, attempt.ended_at).total_seconds(),
        edits=max(0, len(entries) - 1 - len(submissions)),
        submissions=submissions,
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
