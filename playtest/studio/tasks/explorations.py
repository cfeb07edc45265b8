"""Tasks of Celery's queue of long computations: explorations."""

from celery import shared_task
from django.utils import timezone

from playtest.studio.services import explorations


@shared_task
def do_exploration(exploration_id: int) -> None:
    """Does one exploration; nothing happens unless it waits."""
    explorations.do_exploration(exploration_id, enqueue=do_exploration.delay)


@shared_task
def requeue_stalled() -> None:
    """Enqueues explorations whose worker is gone."""
    explorations.requeue_stalled(timezone.now(), do_exploration.delay)
