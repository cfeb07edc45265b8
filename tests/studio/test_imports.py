"""Uploads of environments: archives and files, refusals, and files outside the folder."""

import io
import stat
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse
from pytest_django import Settings

from engine.errors import RecordingError, SourceError
from engine.play import recording
from engine.play import source as sources
from playtest.jobs.lifecycle import Lease
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.rules.errors import RuleError
from playtest.studio.models import Environment, Import, Recording, Version
from playtest.studio.services import imports, uploads
from tests.insight.games_folder import record, with_walk
from tests.live.games import WALK
from tests.make import ENVIRONMENTS
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

WALK_SOURCE = (ENVIRONMENTS / "wk01" / "wk01.py").read_bytes()
METADATA = (ENVIRONMENTS / "wk01" / "metadata.json").read_bytes()


def archive(files: dict[str, bytes]) -> SimpleUploadedFile:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return SimpleUploadedFile("games.zip", packed.getvalue())


@pytest.fixture(autouse=True)
def data(tmp_path: Path, settings: Settings) -> Path:
    """A data folder of the test's own."""
    settings.DATA_DIR = folder = tmp_path / "data"
    return folder


def ignore(_upload_id: int) -> None:
    """No worker gets the job."""


def imported(*files: SimpleUploadedFile) -> list[dict[str, str]]:
    """What became of each environment, once a worker has done it."""
    upload = imports.request_import(files, ignore)
    imports.do_import(upload.pk)
    upload.refresh_from_db()
    assert upload.status == JobStatus.DONE
    return list(upload.results)


def refused(*files: SimpleUploadedFile) -> str:
    with pytest.raises(RuleError) as raised:
        imports.request_import(files, ignore)
    assert not Import.objects.exists()
    return raised.value.code


def test_an_archive_of_the_official_layout_is_imported_with_note_and_recordings(tmp_path: Path) -> None:
    walk = with_walk(tmp_path)
    record(walk, "win", WALK)
    files = {
        "games/wk01/wk01.py": WALK_SOURCE,
        "games/wk01/metadata.json": METADATA,
        "games/wk01/NOTE.md": b"Walk.",
        "games/wk01/recordings/win.jsonl": (walk / "recordings" / "win.jsonl").read_bytes(),
        "games/im01/im01.py": b"import there_is_no_such_module",
        "games/im01/metadata.json": b'{"game_id": "im01"}',
        "games/wk01/more/readme.txt": b"not taken out",
        "__MACOSX/._games": b"nor this",
    }
    broken, good = imported(archive(files))
    assert good == {"id": "wk01", "status": "imported", "reason": ""}
    assert broken["reason"].startswith("import_failed: im01/im01.py: ")
    environment = Environment.objects.get()
    assert environment.note == "Walk."
    assert Version.objects.get().source.encode() == WALK_SOURCE
    assert Recording.objects.get().name == "win"


def test_an_archive_of_windows_is_read() -> None:
    packed = archive(
        {"games\\": b"", "games\\wk01\\wk01.py": WALK_SOURCE, "games\\wk01\\metadata.json": METADATA}
    )
    assert [result["status"] for result in imported(packed)] == ["imported"]


def test_what_would_be_replaced_is_confirmed_on_the_page(data: Path) -> None:
    first = {"wk01/wk01.py": WALK_SOURCE, "wk01/metadata.json": METADATA}
    imported(archive(first))
    imported(archive({**first, "wk01/wk01.py": WALK_SOURCE + b"\n# changed\n"}))
    assert imported(archive(first))[0]["status"] == "asks"
    client, job = signed_in(Role.LEAD), Import.objects.latest("pk")
    page = client.get(reverse("studio:import-job", args=[job.pk])).content.decode()
    assert "they were left out" in page
    address = reverse("studio:import-job-confirm", args=[job.pk])
    assert "nothing_chosen" in client.post(address, follow=True).content.decode()
    client.post(address, {"code": "wk01"})
    imports.do_import(Import.objects.latest("pk").pk)
    assert Version.objects.get(source=WALK_SOURCE.decode()) == Environment.objects.get().current
    assert "files_gone" in client.post(address, {"code": "wk01"}, follow=True).content.decode()
    assert list((data / "uploads").iterdir()) == []


def test_one_environment_can_be_uploaded_as_files() -> None:
    files = [SimpleUploadedFile("wk01.py", WALK_SOURCE), SimpleUploadedFile("metadata.json", METADATA)]
    assert [result["status"] for result in imported(*files)] == ["imported"]
    top = archive({"wk01.py": WALK_SOURCE, "metadata.json": METADATA})
    assert [result["status"] for result in imported(top)] == ["unchanged"]


@pytest.mark.parametrize("name", ["../wk01/wk01.py", "/etc/wk01.py", "wk01/../../x.py", "wk01\\..\\x.py"])
def test_an_archive_cannot_write_outside_its_folder(name: str) -> None:
    assert refused(archive({name: b"", "wk01/metadata.json": METADATA})) == "archive_unsafe"


def test_links_and_doubles_are_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        link = zipfile.ZipInfo("wk01/wk01.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, "/etc/passwd")
    assert refused(SimpleUploadedFile("a.zip", packed.getvalue())) == "archive_unsafe"
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("wk01/wk01.py", "")
        with pytest.warns(UserWarning, match="Duplicate name"):
            made.writestr("wk01/wk01.py", "")
    assert refused(SimpleUploadedFile("a.zip", packed.getvalue())) == "archive_unsafe"


def test_an_archive_that_expands_too_much_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "LARGEST_UNPACKED", 1_000_000)
    assert refused(archive({"wk01/wk01.py": b"#" * 5_000_000})) == "archive_too_large"
    monkeypatch.setattr(uploads, "MOST_FILES", 3)
    assert refused(archive({f"wk01/{n}.py": b"" for n in range(4)})) == "archive_too_large"
    monkeypatch.setattr(uploads, "LARGEST_UPLOAD", 100)
    assert refused(SimpleUploadedFile("a.zip", b"x" * 101)) == "upload_too_large"


def test_files_without_an_environment_are_refused() -> None:
    assert refused() == "upload_empty"
    assert refused(SimpleUploadedFile("a.zip", b"no archive")) == "archive_unreadable"
    assert refused(SimpleUploadedFile("wk01.py", WALK_SOURCE)) == "upload_unknown"
    assert refused(archive({}), SimpleUploadedFile("wk01.py", b"")) == "upload_unknown"


@pytest.mark.parametrize("around", ["demo/games/", "Größe (1)/", "a/b/c/d/e/f/g/"])
def test_folders_around_environments_can_have_any_name(around: str, tmp_path: Path) -> None:
    uploads.unpack(
        [archive({f"{around}wk01/wk01.py": WALK_SOURCE, f"{around}wk01/metadata.json": METADATA})], tmp_path
    )
    (found,) = sources.find(uploads.root(tmp_path))
    assert isinstance(found, sources.Source)
    assert found.environment_id == "wk01"


def test_conflicting_paths_are_refused_without_naming_server_paths() -> None:
    tangled = archive({"wk01/wk01.py": b"", "wk01/wk01.py/metadata.json": METADATA})
    with pytest.raises(RuleError, match=r"^[^/]+$") as raised:
        imports.request_import([tangled], ignore)
    assert raised.value.code == "archive_unreadable"
    source = SimpleUploadedFile("wk01.py", WALK_SOURCE)
    metadata = [SimpleUploadedFile("metadata.json", METADATA) for _ in range(2)]
    assert refused(source, *metadata) == "upload_unknown"


def test_metadata_and_lists_of_actions_of_any_size_take_little_memory(tmp_path: Path) -> None:
    folder = with_walk(tmp_path)
    (folder / "metadata.json").write_text('{"game_id": "wk01", "more": "' + "x" * 300_000 + '"}')
    (large,) = sources.find(tmp_path)
    assert isinstance(large, SourceError)
    assert large.code == "metadata_invalid"
    with pytest.raises(RecordingError) as raised:
        recording.read(["[" + "1," * 100_000 + "1]"])
    assert raised.value.code == "recording_too_long"


def test_refused_and_finished_imports_leave_no_files(data: Path) -> None:
    refused(SimpleUploadedFile("a.zip", b"no archive"))
    imported(archive({"wk01/wk01.py": WALK_SOURCE, "wk01/metadata.json": METADATA}))
    assert list((data / "uploads").iterdir()) == []


def test_a_cancelled_import_keeps_finished_environments_only(data: Path) -> None:
    files = {}
    for code in ("ck01", "wk01"):
        for path in (ENVIRONMENTS / code).glob("*.*"):
            files[f"{code}/{path.name}"] = path.read_bytes()
    upload = imports.request_import([archive(files)], ignore)

    def cancel_after_the_first(execute: Any, sql: str, *rest: Any) -> Any:
        if "UPDATE" in sql and "current_id" in sql:
            imports.cancel(upload.pk)
        return execute(sql, *rest)

    with connection.execute_wrapper(cancel_after_the_first):
        imports.do_import(upload.pk)
    upload.refresh_from_db()
    assert (upload.status, upload.done, upload.total) == (JobStatus.CANCELLED, 1, 2)
    assert [environment.code for environment in Environment.objects.exclude(current=None)] == ["ck01"]
    assert Version.objects.count() == 1
    assert not imports.cancel(upload.pk)


def test_an_import_can_be_cancelled_during_a_slow_environment(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.INSPECTION_SECONDS = 600.0
    upload = imports.request_import(
        [archive({"wk01/wk01.py": b"while True:\n    pass\n", "wk01/metadata.json": METADATA})], ignore
    )

    def beat_and_cancel(lease: Lease, **fields: Any) -> None:
        heartbeat(lease, **fields)
        imports.cancel(upload.pk)

    heartbeat = Lease.heartbeat
    monkeypatch.setattr(Lease, "heartbeat", beat_and_cancel)
    imports.do_import(upload.pk)
    upload.refresh_from_db()
    assert (upload.status, upload.done, upload.results) == (JobStatus.CANCELLED, 0, [])


def test_an_import_whose_worker_was_killed_is_requeued() -> None:
    upload = imports.request_import(
        [archive({"wk01/wk01.py": WALK_SOURCE, "wk01/metadata.json": METADATA})], ignore
    )
    Import.objects.update(status=JobStatus.RUNNING)
    requeued: list[int] = []
    assert imports.requeue_stalled(upload.heartbeat_at + imports.STALLED, requeued.append) == []
    later = upload.heartbeat_at + imports.STALLED + timedelta(seconds=1)
    assert imports.requeue_stalled(later, requeued.append) == requeued == [upload.pk]
    imports.do_import(upload.pk)
    assert Environment.objects.get().code == "wk01"


def test_the_page_explains_uploading_and_lists_each_environment() -> None:
    client, place, answer = signed_in(Role.LEAD), "", ""
    page = client.get(reverse("studio:import")).content.decode()
    assert "runs on this machine" in page
    for metadata, said in (
        (b"{", "metadata_invalid"),
        (METADATA, "1 environment imported"),
        (METADATA, "1 environment unchanged"),
    ):
        files = archive({"wk01/wk01.py": WALK_SOURCE, "wk01/metadata.json": metadata})
        place = client.post(reverse("studio:import"), {"files": [files]}).headers["Location"]
        upload = Import.objects.latest("pk")
        assert place == reverse("studio:import-job", args=[upload.pk])
        assert "<job-progress" in client.get(place).content.decode()
        imports.do_import(upload.pk)
        answer = client.get(place).content.decode()
        assert said in answer
    assert reverse("studio:environment", args=["wk01"]) in answer
    assert "1 environment rejected" in client.get(reverse("studio:import")).content.decode()
    nothing = client.post(reverse("studio:import"))
    assert (nothing.status_code, "upload_empty" in nothing.content.decode()) == (409, True)
    designer = signed_in(Role.DESIGNER)
    assert designer.post(reverse("studio:import")).status_code == 403
    assert designer.get(place).status_code == 403
