"""Tasks that make export files, in a queue of their own, so that time limits are not delayed."""

from pathlib import Path

from celery import shared_task

from playtest.play.clock import now
from playtest.review.models import Export
from playtest.review.services import export_files
from playtest.review.services.dataset import KINDS, make_dataset


@shared_task
def make_export(export_id: int) -> None:
    """Makes the file of a waiting export; does nothing if the export no longer waits."""
    export_files.make(export_id, _make, make_export.delay)


def _make(export: Export, path: Path, report: export_files.Report) -> str:
    maker = make_dataset if export.kind in KINDS else export_files.maker_of(export.kind)
    return maker(export, path, report)


@shared_task
def requeue_stalled() -> None:
    """Requeues the exports whose worker is gone."""
    export_files.requeue_stalled(now(), make_export.delay)


@shared_task
def clean_up() -> None:
    """Deletes files of no export; exports whose worker is gone have failed."""
    export_files.clean_up()
