"""Films and pictures of attempts: asked for, made, watched over, cancelled, taken, cleaned up."""

import os
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import av
import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from playtest.jobs.models import JobStatus
from playtest.jobs.queue import Queue
from playtest.operation.tasks import erase_due
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.play.sessions.attempts import open_next
from playtest.review.attempt_film import Film, FilmOptions
from playtest.review.models import Export, ExportKind
from playtest.review.services import export_files
from playtest.review.services.exports import cancel, request_film
from playtest.review.tasks.exports import clean_up, make_export
from playtest.review.views.exports import BYTES_AT_ONCE, pieces_of
from tests import make
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

QUEUE = Queue(make_export)
ACTIONS = [4, 4, 4, 2]
FORM = {"scale": "2", "clock": "time", "speed": "1"}


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "exports"


@pytest.fixture(scope="module")
def attempt(module_db: None) -> Attempt:
    return make.play(make.session(make.study()), ACTIONS)


def waiting(attempt: Attempt, kind: ExportKind = ExportKind.GIF, **changes: object) -> Export:
    """An export that a worker has yet to make."""
    values = {"options": {"scale": 2, "idle": None, "captions": True}, "requested_at": now()} | changes
    return Export.objects.create(kind=kind, attempt=attempt, **values)


def times(path: Path) -> list[float]:
    with av.open(str(path)) as container:
        return [float(frame.time) for frame in container.decode(video=0)]


def test_a_short_film_is_made_at_once_and_can_be_taken(
    attempt: Attempt, researcher: Client, folder: Path
) -> None:
    page = reverse("review:attempt-exports", args=[attempt.pk])
    assert researcher.get(page).status_code == 200
    answer = researcher.post(page, {**FORM, "kind": "mp4", "idle": "", "captions": "on"})
    assert answer["Location"] == reverse("review:exports")
    export = Export.objects.get()
    assert (export.status, export.requested_by) == (JobStatus.DONE, staff(Role.RESEARCHER))
    listed = researcher.get(reverse("review:exports")).content.decode()
    address = reverse("review:export-file", args=[export.pk])
    assert address in listed
    taken = researcher.get(address)
    assert taken.getvalue() == (folder / export.file).read_bytes()
    assert f'filename="wk01-attempt-{attempt.pk}.mp4"' in taken["Content-Disposition"]


def test_a_film_runs_by_the_clock_of_the_participant(attempt: Attempt, folder: Path) -> None:
    export = request_film(attempt, ExportKind.WEBM, FilmOptions(scale=2), None, QUEUE)
    shown = times(folder / export.file)
    begins = {round(time) for time in shown}
    assert begins >= {0, 2, 4, 6, 8}
    assert len(shown) == sum(entry.frame_count for entry in attempt.entries.all()) + 1


def test_the_caption_states_level_and_action(attempt: Attempt) -> None:
    captions = [still.caption for still in Film(attempt, FilmOptions(captions=True)).stills()]
    assert captions[0] == "Level 1 of 6"
    assert captions[1] == "Level 1 of 6   action 1: right"
    assert captions[-1] == "Level 2 of 6   action 4: down"


def test_an_attempt_that_was_never_opened_is_refused(researcher: Client) -> None:
    empty = open_next(make.session(make.study()))
    assert empty is not None
    address = reverse("review:attempt-exports", args=[empty.pk])
    assert "nothing_to_export" in researcher.post(address, {**FORM, "kind": "gif"}).content.decode()


def test_a_long_film_is_left_to_a_worker(
    researcher: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, folder: Path
) -> None:
    long = make.play(make.session(make.study()), [2] * 201)
    with django_capture_on_commit_callbacks() as handed_over:
        export = request_film(long, ExportKind.GIF, FilmOptions(scale=2), None, QUEUE)
    assert (export.status, len(handed_over)) == (JobStatus.WAITING, 1)
    make_export(export.pk)
    export.refresh_from_db()
    assert export.status == JobStatus.DONE
    assert (folder / export.file).stat().st_size > 0


def test_an_export_is_made_once_and_its_name_cannot_be_guessed(attempt: Attempt, folder: Path) -> None:
    export = waiting(attempt)
    make_export(export.pk)
    make_export(export.pk)
    export.refresh_from_db()
    assert [path.name for path in folder.iterdir()] == [export.file]
    assert len(export.file) > 30
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.services
def test_an_export_cancelled_while_it_is_made_leaves_no_file(attempt: Attempt, folder: Path) -> None:
    export = waiting(attempt)

    def make_and_cancel(export: Export, path: Path, report: export_files.Report) -> str:
        export_files.make_film(export, path, report)
        cancel(export)
        return ""

    export_files.make(export.pk, make_and_cancel)
    export.refresh_from_db()
    assert (export.status, list(folder.iterdir())) == (JobStatus.CANCELLED, [])


def test_what_is_finished_cannot_be_cancelled(attempt: Attempt, researcher: Client) -> None:
    export = waiting(attempt, status=JobStatus.DONE)
    with pytest.raises(Refusal, match="finished already"):
        cancel(export)
    address = reverse("review:export-cancel", args=[export.pk])
    assert "export_finished" in researcher.post(address, follow=True).content.decode()


def test_a_failed_export_stores_its_code(attempt: Attempt, researcher: Client, folder: Path) -> None:
    export = waiting(attempt)

    def full_disk(export: Export, path: Path, report: export_files.Report) -> str:
        path.touch()
        raise OSError(28, "No space left on device")

    export_files.make(export.pk, full_disk)
    export.refresh_from_db()
    assert (export.status, export.error[:16], list(folder.iterdir())) == (
        JobStatus.FAILED, "writing_failed: ", [],
    )  # fmt: skip
    assert "writing_failed" in researcher.get(reverse("review:exports")).content.decode()


@pytest.fixture
def large_file(tmp_path: Path) -> Path:
    path = tmp_path / "large.gif"
    path.write_bytes(b"12" * BYTES_AT_ONCE)
    return path


async def test_a_large_file_is_sent_piece_by_piece(large_file: Path) -> None:
    pieces = [len(piece) async for piece in pieces_of(large_file.open("rb"))]
    assert pieces == [BYTES_AT_ONCE, BYTES_AT_ONCE]


def test_an_export_without_its_file_is_not_found(attempt: Attempt, researcher: Client) -> None:
    for export in (waiting(attempt), waiting(attempt, status=JobStatus.DONE, file="gone.gif")):
        assert researcher.get(reverse("review:export-file", args=[export.pk])).status_code == 404


def test_study_data_is_for_those_who_may_take_it(attempt: Attempt, folder: Path) -> None:
    folder.mkdir()
    (folder / "x.zip").write_bytes(b"data")
    export = Export.objects.create(
        kind=ExportKind.STUDY_CSV, study=attempt.session.study, status=JobStatus.DONE, file="x.zip",
        requested_at=now(),
    )  # fmt: skip
    address = reverse("review:export-file", args=[export.pk])
    name = attempt.session.study.name
    assert signed_in(Role.RESEARCHER).get(address).getvalue() == b"data"
    assert name in signed_in(Role.RESEARCHER).get(reverse("review:exports")).content.decode()
    assert signed_in(Role.DESIGNER).get(address).status_code == 403
    assert name not in signed_in(Role.DESIGNER).get(reverse("review:exports")).content.decode()
    assert signed_in(Role.DESIGNER).post(reverse("review:export-cancel", args=[export.pk])).status_code == 403


def test_old_exports_and_forgotten_files_are_deleted(attempt: Attempt, folder: Path) -> None:
    fresh, old, running = waiting(attempt), waiting(attempt), waiting(attempt, status=JobStatus.RUNNING)
    for export in (fresh, old):
        make_export(export.pk)
    Export.objects.filter(pk=old.pk).update(requested_at=now() - timedelta(days=15))
    Export.objects.filter(pk=running.pk).update(requested_at=now() - timedelta(hours=7))
    (folder / "left-by-one-that-was-killed").mkdir()
    for name, hours in (("forgotten.gif", 7), ("left-by-one-that-was-killed", 7), ("being-made.gif", 0)):
        (folder / name).touch()
        moment = (now() - timedelta(hours=hours)).timestamp()
        os.utime(folder / name, (moment, moment))
    erase_due()
    clean_up()
    fresh.refresh_from_db()
    running.refresh_from_db()
    assert not Export.objects.filter(pk=old.pk).exists()
    assert (running.status, running.error.split(":")[0]) == (JobStatus.FAILED, "worker_lost")
    assert {path.name for path in folder.iterdir()} == {fresh.file, "being-made.gif"}


def test_a_moment_is_a_picture(attempt: Attempt, researcher: Client) -> None:
    address = reverse("review:picture", args=[attempt.pk])
    answer = researcher.get(address, {"action": "3", "frame": "1", "scale": "2"})
    assert answer["Content-Type"] == "image/png"
    with Image.open(BytesIO(answer.content)) as picture:
        assert picture.size == (128, 128)
    assert researcher.get(address, {"action": "3", "scale": "2"}).content != answer.content


@pytest.mark.parametrize("query", [{"action": "99"}, {"action": "1", "frame": "7"}, {"action": "x"}, {}])
def test_a_moment_that_is_none_is_not_found(
    attempt: Attempt, researcher: Client, query: dict[str, str]
) -> None:
    assert researcher.get(reverse("review:picture", args=[attempt.pk]), query).status_code == 404
