"""Static tasks are imported by page: files or an archive with folders, with the reasons of rejected ones."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from pytest_django import Settings

from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind
from playtest.studio.models import Environment, Import, ReleaseSet
from playtest.studio.services import imports, uploads
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, settings: Settings) -> Path:
    """A data folder of the test's own."""
    settings.DATA_DIR = folder = tmp_path / "data"
    return folder


def task(number: int = 0) -> bytes:
    """A task of its own: a grid with the digits of a number, to be turned around."""
    row = [int(digit) for digit in f"{number:04}"]
    pair = {"input": [row], "output": [row[::-1]]}
    return json.dumps({"train": [pair], "test": [pair]}).encode()


def file(name: str, content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def archive(files: dict[str, bytes]) -> SimpleUploadedFile:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return file("tasks.zip", packed.getvalue())


def ignore(_import_id: int) -> None:
    """No worker gets the job."""


def imported(*files: SimpleUploadedFile, release_set: str = "none") -> list[dict[str, str]]:
    made = imports.request_import(files, ignore, kind=Kind.TASK, release_set=release_set)
    imports.do_import(made.pk)
    made.refresh_from_db()
    assert made.status == JobStatus.DONE, made.error
    return list(made.results)


def refused(*files: SimpleUploadedFile, release_set: str = "none") -> str:
    with pytest.raises(RuleError) as raised:
        imports.request_import(files, ignore, kind=Kind.TASK, release_set=release_set)
    assert not Import.objects.exists()
    return raised.value.code


def test_an_archive_of_folders_is_imported_and_rejected_files_name_their_reason() -> None:
    files = {f"data/training/task{number:04}.json": task(number) for number in range(40)}
    broken = {
        "data/evaluation/colour1.json": task().replace(b"0", b"10", 1),
        "data/evaluation/nopairs.json": b'{"train": [], "test": []}',
        "data/evaluation/nojson1.json": b"{",
        "data/evaluation/id.json": task(),
        "data/evaluation/noletter.json": b"\x81",
        "data/evaluation/task0001.json": task(9),
    }
    others = {"data/readme.md": b"not taken out", "__MACOSX/._task0001.json": b"nor this"}
    results = imported(archive(files | broken | others), release_set=ReleaseSet.PUBLIC)
    reasons = {one["id"]: one["reason"].split(":")[0] for one in results if one["status"] == "rejected"}
    assert reasons == {
        "colour1": "grid_colour",
        "nopairs": "pairs_missing",
        "nojson1": "task_malformed",
        "id": "id_malformed",
        "noletter": "text_unreadable",
        "task0001": "id_taken",
    }
    assert sum(one["status"] == "imported" for one in results) == 40
    stored = Environment.objects.tasks().filter(release_set=ReleaseSet.PUBLIC)
    assert stored.count() == 40
    assert str(imports._folder(1)) not in json.dumps(results)


def test_single_files_are_imported_and_a_changed_one_is_a_new_version() -> None:
    results = imported(file("first1.JSON", task(1)), file("second.json", task(2)))
    assert [(one["id"], one["status"]) for one in results] == [("first1", "imported"), ("second", "imported")]
    results = imported(file("first1.json", task(3)), file("second.json", task(2)), release_set="public")
    assert [one["status"] for one in results] == ["new_version", "unchanged"]
    assert Environment.objects.get(code="first1").versions.count() == 2
    assert not Environment.objects.exclude(release_set=ReleaseSet.NONE).exists()


def test_an_older_task_asks_and_an_equal_one_of_another_set_is_named() -> None:
    for number in (1, 3):
        imported(file("first1.json", task(number)), release_set="public")
    (asks,) = imported(file("first1.json", task(1)))
    assert (asks["status"], asks["reason"].partition(":")[0]) == ("asks", "rolls_back")
    (equal,) = imported(file("second.json", task(3)), release_set="private")
    assert equal["reason"] == "equal: first1 (set: public demonstration) is the same"
    (mangled,) = imported(file("march1.json", task(4)))
    assert mangled["reason"].startswith("id_misread: ")


def test_files_of_many_tasks_are_read_with_their_solutions_there_or_apart() -> None:
    """As at Kaggle: challenges and solutions apart, all in one, one task a line."""
    made = {f"task{number}": json.loads(task(number)) for number in range(4)}
    solutions = {name: [pair["output"] for pair in one["test"]] for name, one in made.items()}
    challenges = {
        name: {**one, "test": [{"input": pair["input"]} for pair in one["test"]]}
        for name, one in made.items()
    }
    files = {
        "arc-agi_training_challenges.json": json.dumps(challenges).encode(),
        "arc-agi_training_solutions.json": json.dumps(solutions).encode(),
    }
    results = imported(archive(files))
    assert {one["id"]: one["status"] for one in results} == dict.fromkeys(made, "imported")
    lines = "\n".join(json.dumps({"id": name, **one}) for name, one in made.items()).encode()
    for name, content in (("all.json", json.dumps(made).encode()), ("lines.jsonl", lines)):
        assert [one["status"] for one in imported(file(name, content))] == ["unchanged"] * 4, name
    (result,) = imported(file("test_challenges.json", json.dumps(challenges).encode()))
    assert result["reason"].startswith("solutions_missing: task0 has no solutions")


def test_what_holds_no_tasks_or_too_many_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(archive({"readme.txt": b""})) == "upload_unknown"
    assert refused(file("game1.py", b"")) == "upload_unknown"
    assert refused(file("task1.json", task()), file("task1.json", task())) == "upload_unknown"
    assert refused(archive({"task1.json": task()}), file("task2.json", task())) == "upload_unknown"
    assert refused(file("task1.json", task()), release_set="everybody") == "set_unknown"
    monkeypatch.setattr(uploads, "MOST_TASKS", 3)
    assert refused(archive({f"task{number}.json": task() for number in range(4)})) == "too_many_tasks"
    monkeypatch.setattr(uploads, "MOST_FILES_WITH_TASKS", 3)
    assert refused(archive({f"{number}.txt": b"" for number in range(4)})) == "archive_too_large"


def test_the_page_takes_tasks_and_lists_rejected_ones_first() -> None:
    lead = signed_in(Role.LEAD)
    page = reverse("studio:import")
    sent = {"kind": "task", "release_set": "semi_private"}
    assert "Import static tasks" in lead.get(page).content.decode()
    refusal = lead.post(page, sent | {"files": [file("x.py", b"")]})
    assert (refusal.status_code, "upload_unknown" in refusal.content.decode()) == (409, True)
    files = [file(f"task{n:04}.json", task(n)) for n in range(3)] + [file("zz-broken.json", b"[]")]
    answer = lead.post(page, sent | {"files": files})
    job = Import.objects.get()
    assert answer.headers["Location"] == reverse("studio:import-job", args=[job.pk])
    imports.do_import(job.pk)
    shown = lead.get(answer.headers["Location"]).content.decode()
    assert "3 tasks imported, 1 rejected" in shown
    table = shown.split("<tbody>")[1]
    assert table.index("zz-broken") < table.index("task0000")
    assert "task_malformed" in shown
    assert Environment.objects.filter(release_set=ReleaseSet.SEMI_PRIVATE).count() == 3
    assert signed_in(Role.DESIGNER).post(page, sent).status_code == 403
