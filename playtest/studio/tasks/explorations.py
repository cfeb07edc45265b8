"""Work for Celery's queue of long computations: searches of state graphs."""

from celery import shared_task
from django.utils import timezone

from playtest.studio.services import explorations


@shared_task
def do_exploration(exploration_id: int) -> None:
    """Do one search; nothing happens if it is done, being done, or wanted no more."""
    explorations.do_exploration(exploration_id, enqueue=do_exploration.delay)


@shared_task
def requeue_stalled() -> None:
    """Have the searches done whose worker is gone."""
    explorations.requeue_stalled(timezone.now(), do_exploration.delay)
