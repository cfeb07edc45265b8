"""Work for Celery that takes long: with a queue and a worker of its own, no limit waits for it."""

from celery import shared_task

from playtest.review.services import export_files


@shared_task
def make_export(export_id: int) -> None:
    """Make the file of a waiting export; nothing happens if it was made, cancelled or deleted meanwhile."""
    export_files.make(export_id, export_files.make_film)


@shared_task
def clean_up() -> None:
    """Delete old exports and their files."""
    export_files.clean_up()
