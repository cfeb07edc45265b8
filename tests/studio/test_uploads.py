"""Uploading environments: archives and single files, what is refused, and that no archive reaches beyond."""

import io
import json
import stat
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from playtest.people.roles import Role
from playtest.rules.errors import RuleError
from playtest.studio.models import Environment, Recording, Version
from playtest.studio.services import uploads
from playtest.studio.services.uploads import import_upload
from tests.insight.games_folder import record, with_walk
from tests.live.games import WALK
from tests.sittings import ENVIRONMENTS
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


def refused(*files: SimpleUploadedFile) -> str:
    with pytest.raises(RuleError) as raised:
        import_upload(files)
    return raised.value.code


@pytest.mark.services
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
    broken, imported = import_upload([archive(files)])
    assert (imported.environment_id, imported.status) == ("wk01", "imported")
    assert broken.reason.startswith("import_failed: games/im01/im01.py: ")
    environment = Environment.objects.get()
    assert environment.note == "Walk."
    assert Version.objects.get().source.encode() == WALK_SOURCE
    assert Recording.objects.get().name == "win"


def test_one_environment_may_come_as_its_files() -> None:
    files = [SimpleUploadedFile("wk01.py", WALK_SOURCE), SimpleUploadedFile("metadata.json", METADATA)]
    assert [result.status for result in import_upload(files)] == ["imported"]
    top = archive({"wk01.py": WALK_SOURCE, "metadata.json": METADATA})
    assert [result.status for result in import_upload([top])] == ["unchanged"]


@pytest.mark.parametrize("name", ["../wk01/wk01.py", "/etc/wk01.py", "wk01/../../x.py", "wk01\\..\\x.py"])
def test_an_archive_cannot_reach_out_of_its_folder(name: str) -> None:
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


def test_an_archive_that_swells_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "LARGEST_UNPACKED", 1_000_000)
    assert refused(archive({"wk01/wk01.py": b"#" * 5_000_000})) == "archive_too_large"
    monkeypatch.setattr(uploads, "MOST_FILES", 3)
    assert refused(archive({f"wk01/{n}.py": b"" for n in range(4)})) == "archive_too_large"
    monkeypatch.setattr(uploads, "LARGEST_UPLOAD", 100)
    assert refused(SimpleUploadedFile("a.zip", b"x" * 101)) == "upload_too_large"


def test_what_is_no_environment_is_refused() -> None:
    assert refused() == "upload_empty"
    assert refused(SimpleUploadedFile("a.zip", b"no archive")) == "archive_unreadable"
    assert refused(SimpleUploadedFile("wk01.py", WALK_SOURCE)) == "upload_unknown"
    assert refused(archive({}), SimpleUploadedFile("wk01.py", b"")) == "upload_unknown"


def test_the_page_says_what_uploading_means_and_tells_of_each_environment() -> None:
    client = signed_in(Role.LEAD)
    page = client.get(reverse("studio:import")).content.decode()
    assert "runs on this machine" in page
    told = client.post(
        reverse("studio:import"),
        {"files": [archive({"wk01/wk01.py": WALK_SOURCE, "wk01/metadata.json": b"{"})]},
    )
    assert "metadata_invalid" in told.content.decode()
    told = client.post(
        reverse("studio:import"),
        {"files": [archive({"wk01/wk01.py": WALK_SOURCE, "wk01/metadata.json": METADATA})]},
    )
    assert json.dumps([result.as_json() for result in told.context["results"]]).count("imported") == 1
    assert reverse("studio:environment", args=["wk01"]) in told.content.decode()
    nothing = client.post(reverse("studio:import"))
    assert (nothing.status_code, "upload_empty" in nothing.content.decode()) == (409, True)
    assert signed_in(Role.DESIGNER).post(reverse("studio:import")).status_code == 403
