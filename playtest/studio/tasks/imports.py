"""Tasks of Celery's queue of imports."""

from celery import shared_task
from django.utils import timezone

from playtest.studio.services import imports


@shared_task
def do_import(import_id: int) -> None:
    """Does one import; nothing happens unless it waits."""
    imports.do_import(import_id, do_import.delay)


@shared_task
def requeue_stalled() -> None:
    """Enqueues imports whose worker is gone."""
    imports.requeue_stalled(timezone.now(), do_import.delay)
