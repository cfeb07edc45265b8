"""Requests and cancels exports."""

from django.db import transaction

from playtest.jobs import lifecycle
from playtest.jobs.lifecycle import Enqueue
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.review.attempt_film import Film, FilmOptions
from playtest.review.models import Export, ExportKind
from playtest.review.services.dataset import check_allowed
from playtest.review.services.export_files import make

AT_ONCE_FRAMES = 200
"""A film of at most so many frames is made within the request."""


def request_film(
    attempt: Attempt, kind: ExportKind, options: FilmOptions, staff: Staff | None, enqueue: Enqueue
) -> Export:
    """Requests a film of an attempt; a short one is made at once, else by a worker.

    Refusal: nothing_to_export.
    """
    frames = Film(attempt, options).frames
    if not frames:
        raise Refusal("nothing_to_export", "This attempt has no frames yet: nothing was ever shown.")
    export = Export.objects.create(
        kind=kind, attempt=attempt, options=options.stored, requested_by=staff, requested_at=now()
    )
    if frames <= AT_ONCE_FRAMES:
        make(export.pk)
        export.refresh_from_db()
    else:
        _enqueue(export, enqueue)
    return export


def request_dataset(
    study: Study, kind: ExportKind, staff: Staff, enqueue: Enqueue, *, identified: bool
) -> Export:
    """Requests a study's data, made by a worker. Refusal: identified_needs_right."""
    check_allowed(staff, identified=identified)
    export = Export.objects.create(
        kind=kind, study=study, options={"identified": identified}, requested_by=staff, requested_at=now()
    )
    _enqueue(export, enqueue)
    return export


def _enqueue(export: Export, enqueue: Enqueue) -> None:
    transaction.on_commit(lambda: enqueue(export.pk), robust=True)


def cancel(export: Export) -> None:
    """Cancels an export that waits or runs. Refusal: export_finished."""
    if not lifecycle.cancel(Export.objects.filter(pk=export.pk)):
        raise Refusal("export_finished", "This export is finished already: there is nothing to cancel.")
