"""Tasks that make export files, in a queue of their own, so that time limits are not delayed."""

from celery import shared_task

from playtest.play.clock import now
from playtest.review.services import export_files


@shared_task(acks_late=True)  # as in `playtest.studio.tasks`
def make_export(export_id: int) -> None:
    """Makes the file of a waiting export; does nothing if the export no longer waits."""
    export_files.make(export_id, enqueue=make_export.delay)


@shared_task
def requeue_stalled() -> None:
    """Requeues the exports whose worker is gone."""
    export_files.requeue_stalled(now(), make_export.delay)


@shared_task
def clean_up() -> None:
    """Deletes files of no export; exports whose worker is gone have failed."""
    export_files.clean_up()
