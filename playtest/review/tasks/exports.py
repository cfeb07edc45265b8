"""Work for Celery that takes long: with a queue and a worker of its own, no limit waits for it."""

from pathlib import Path

from celery import shared_task

from playtest.play.clock import now
from playtest.review.models import Export
from playtest.review.services import export_files
from playtest.review.services.dataset import KINDS, make_dataset


@shared_task
def make_export(export_id: int) -> None:
    """Make the file of a waiting export; nothing happens if it was made, cancelled or deleted meanwhile."""
    export_files.make(export_id, _make, make_export.delay)


def _make(export: Export, path: Path, report: export_files.Report) -> str:
    maker = make_dataset if export.kind in KINDS else export_files.make_film
    return maker(export, path, report)


@shared_task
def requeue_stalled() -> None:
    """Have the exports made whose worker is gone."""
    export_files.requeue_stalled(now(), make_export.delay)


@shared_task
def clean_up() -> None:
    """Delete old exports and their files."""
    export_files.clean_up()
