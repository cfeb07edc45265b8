"""Tasks of Celery's queue of long computations: batches of random play."""

from celery import shared_task
from django.utils import timezone

from playtest.studio.services import random_plays


@shared_task
def do_batch(batch_id: int) -> None:
    """Makes one batch; nothing happens unless it waits."""
    random_plays.do_batch(batch_id, do_batch.delay)


@shared_task
def requeue_stalled() -> None:
    """Enqueues batches whose worker is gone."""
    random_plays.requeue_stalled(timezone.now(), do_batch.delay)
