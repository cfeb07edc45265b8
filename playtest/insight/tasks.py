"""Celery tasks: computing level results before a page asks for them, and imports of studies."""

from datetime import timedelta

from celery import shared_task
from django.db.models import Q
from django.utils import timezone

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.outside import jobs
from playtest.insight.services import masks
from playtest.play.clock import now
from playtest.play.models import Attempt
from playtest.play.sessions.reads import PEOPLE

LATELY = timedelta(minutes=5)
"""How long after its end a session is included, for actions since the last run of the task."""

PAUSE = 0.02
"""Seconds. Without it, actions of a thousand people took up to 0.5 s to be stored, each time."""


@shared_task
def keep_up_to_date() -> None:
    """Brings up to date the level results of running sessions, of what is played without one, and of
    attempts that have none.

    Views do so too, for what their page counts.
    """
    running = Q(session__checked_in_at__isnull=False, session__ended_at__isnull=True)
    since = now() - LATELY
    lately = Q(session__ended_at__gt=since)
    without_session = ~PEOPLE & (Q(ended_at__isnull=True) | Q(ended_at__gt=since))
    wanted = Attempt.objects.filter(running | lately | without_session | Q(summary__isnull=True))
    bring_up_to_date(wanted, PAUSE)


@shared_task(acks_late=True)  # or an upload waits for this, which another worker could try
def mask_states() -> None:
    """Looks for masked cells where that is due, and computes again what a new mask changes."""
    masks.find_due_masks()
    masks.apply_masks()


@shared_task(acks_late=True)  # as in `playtest.studio.tasks`
def import_study(import_id: int) -> None:
    """Does one import of data from elsewhere; nothing happens unless it waits."""
    jobs.do_import(import_id, import_study.delay)


@shared_task
def requeue_stalled() -> None:
    """Enqueues imports whose worker is gone."""
    jobs.requeue_stalled(timezone.now(), import_study.delay)
