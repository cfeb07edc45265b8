"""Tasks of Celery's queue of long computations: parts of qualifications."""

from celery import shared_task
from django.utils import timezone

from playtest.studio.services import qualifications


@shared_task
def do_part(part_id: int) -> None:
    """Does one part; nothing happens unless it waits."""
    qualifications.do_part(part_id, do_part.delay)


@shared_task
def requeue_stalled() -> None:
    """Enqueues parts whose worker is gone."""
    qualifications.requeue_stalled(timezone.now(), do_part.delay)
