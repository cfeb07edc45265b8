"""Exports whose worker has to end, or is gone, are made by another."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from playtest.jobs import lifecycle
from playtest.jobs.models import JobStatus
from playtest.play.clock import now
from playtest.review.models import Export, ExportKind
from playtest.review.services.export_files import STALLED, requeue_stalled
from playtest.review.tasks.exports import make_export
from tests import make

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SECOND = timedelta(seconds=1)

type Asking = Callable[..., Export]


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "exports"


@pytest.fixture
def asked() -> Asking:
    """Makes exports that wait, but for what is said otherwise."""
    attempt = make.play(make.session(make.study()), [4, 4, 4, 2])
    options = {"scale": 2, "idle": None, "captions": True}

    def ask(**values: Any) -> Export:
        values = {"options": options, "requested_at": now()} | values
        return Export.objects.create(kind=ExportKind.GIF, attempt=attempt, **values)

    return ask


def status_of(export: Export) -> JobStatus:
    export.refresh_from_db()
    return JobStatus(export.status)


def test_an_export_whose_worker_is_gone_is_made_by_another(asked: Asking) -> None:
    moment = now()
    long_ago = moment - STALLED - SECOND
    gone = asked(status=JobStatus.RUNNING, done=4, total=10, heartbeat_at=long_ago)
    heard = asked(status=JobStatus.RUNNING, heartbeat_at=moment - STALLED)
    forgotten, fresh = asked(heartbeat_at=long_ago), asked()
    over = asked(status=JobStatus.DONE, heartbeat_at=long_ago)
    handed_on: list[int] = []
    assert requeue_stalled(moment, handed_on.append) == handed_on == [gone.pk]
    assert requeue_stalled(moment, handed_on.append) == []
    assert (status_of(gone), gone.done) == (JobStatus.WAITING, 0)
    make_export(gone.pk)
    states = [status_of(export) for export in (gone, heard, fresh, over)]
    assert states == [JobStatus.DONE, JobStatus.RUNNING, JobStatus.WAITING, JobStatus.DONE]
    assert lifecycle.cancel(Export.objects.filter(pk=heard.pk))
    assert requeue_stalled(moment, handed_on.append) == [forgotten.pk]
