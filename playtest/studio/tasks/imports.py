"""Work for Celery's queue of imports: what was uploaded."""

from celery import shared_task
from django.utils import timezone

from playtest.studio.services import imports


@shared_task
def do_import(upload_id: int) -> None:
    """Do one import; nothing happens if it is done, being done, or wanted no more."""
    imports.do_import(upload_id, do_import.delay)


@shared_task
def requeue_stalled() -> None:
    """Have the uploads imported whose worker is gone."""
    imports.requeue_stalled(timezone.now(), do_import.delay)
