"""Work for Celery's queue of long computations: the parts of qualifications, one task each."""

from celery import shared_task
from django.utils import timezone

from playtest.studio.services import qualifications


@shared_task
def do_part(part_id: int) -> None:
    """Do one part; nothing happens if it is done, being done, or wanted no more."""
    qualifications.do_part(part_id, do_part.delay)


@shared_task
def requeue_stalled() -> None:
    """Have the parts done whose worker is gone."""
    qualifications.requeue_stalled(timezone.now(), do_part.delay)
