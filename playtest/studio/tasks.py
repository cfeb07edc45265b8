"""Tasks of Celery: what workers do of the studio's jobs, and what they do again whose worker is gone."""

from celery import shared_task
from django.utils import timezone

from playtest.studio.services import explorations, imports, qualifications, random_plays


@shared_task
def do_import(import_id: int) -> None:
    """Does one import; nothing happens unless it waits."""
    imports.do_import(import_id, do_import.delay)


@shared_task
def do_part(part_id: int) -> None:
    """Does one part of a qualification; nothing happens unless it waits."""
    qualifications.do_part(part_id, do_part.delay)


@shared_task
def do_exploration(exploration_id: int) -> None:
    """Does one exploration; nothing happens unless it waits."""
    explorations.do_exploration(exploration_id, enqueue=do_exploration.delay)


@shared_task
def do_batch(batch_id: int) -> None:
    """Makes one batch of random play; nothing happens unless it waits."""
    random_plays.do_batch(batch_id, do_batch.delay)


@shared_task
def requeue_stalled() -> None:
    """Enqueues the jobs of each kind whose worker is gone."""
    moment = timezone.now()
    imports.requeue_stalled(moment, do_import.delay)
    qualifications.requeue_stalled(moment, do_part.delay)
    explorations.requeue_stalled(moment, do_exploration.delay)
    random_plays.requeue_stalled(moment, do_batch.delay)
