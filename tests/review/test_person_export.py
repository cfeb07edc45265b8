"""A person's data as a file: all that is stored of them, without names of staff; taking it is recorded."""

import json
import zipfile
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from playtest.people.models import Contact, Participant, PersonExport
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Attempt, Session
from playtest.review.models import Export
from playtest.review.services.person_export import TABLES
from playtest.review.services.withdrawal import withdraw
from playtest.review.tasks.exports import make_export
from playtest.studio.models import Environment, Sighting, SightingKind
from tests import make
from tests.review.test_withdrawal import session_of
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ELSEWHERE = {
    "play.Entry": "recordings/",
    "play.AgentNote": "of agents",
    "arena.Play": "of agents",
    "people.Withdrawal": "then nothing is left",
    "center.Payee": "of who has withdrawn",
    "insight.Summary": "computed again",
    "insight.LevelResult": "computed again",
    "insight.ReleaseInput": "which of their levels a release counted, computed from play",
    "review.Assessment": "computed again",
}


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path / "data"
    (settings.DATA_DIR / "exports").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def person() -> Participant:
    found = new_participant("RECRUIT-17")
    Contact.objects.create(participant=found, email="somebody@example.org", stored_at=now())
    session_of(make.study(people=100), found)
    return found


def contents(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name).decode() for name in file.namelist()}


def written(person: Participant, folder: Path, *arguments: str) -> dict[str, str]:
    path = folder / f"{len(list(folder.iterdir()))}.zip"
    call_command("export_person", person.label, str(path), *arguments, stdout=StringIO())
    assert path.stat().st_mode & 0o077 == 0, "others read nothing"
    return contents(path)


def test_every_table_about_people_is_in_it() -> None:
    """Every model that refers to a participant, a session or an attempt has a table, or a reason."""
    covered = {table.model for table in TABLES}
    about = {
        model._meta.label
        for model in apps.get_models()
        if any(
            field.related_model in (Participant, Session, Attempt) for field in model._meta.concrete_fields
        )
    }
    assert about - covered == set(ELSEWHERE)


def test_the_file_says_all_and_names_no_staff(person: Participant, folder: Path) -> None:
    other = session_of(make.study(people=100), new_participant("RECRUIT-18")).participant
    found = written(person, folder)
    rows = {name: json.loads(text) for name, text in found.items() if name.endswith(".json")}
    assert rows["identity.json"][0]["reference"] == "RECRUIT-17"
    assert rows["contact.json"][0]["email"] == "somebody@example.org"
    assert rows["comments.json"][0]["text"] == "stuck"
    assert [one["kind"] for one in rows["decisions.json"]] == [
        "exclude this attempt",
        "reverse an earlier decision",
    ]
    assert rows["attempts.json"][0]["environment"] == "wk01"
    assert len(rows["data_exports.json"]) == 1
    assert rows["bookings.json"] == []
    for table in TABLES:
        assert f"{table.name}.json: {table.what}" in found["README.txt"]
    everything = "\n".join(found.values())
    assert other.label not in everything
    assert "RECRUIT-18" not in everything
    assert not any("code_hash" in text or "token_hash" in text for text in found.values())
    assert not {"staff", "reviewer", "author", "created_by"} & {
        key for some in rows.values() for one in some for key in one
    }


@pytest.mark.parametrize(("release_set", "shown"), [("public", True), ("private", False)])
def test_pictures_of_what_is_not_public_stay_in_the_center(
    person: Participant, folder: Path, release_set: str, shown: bool
) -> None:
    Environment.objects.update(release_set=release_set)
    found = written(person, folder)
    [recording] = [text for name, text in found.items() if name.startswith("recordings/")]
    lines = [json.loads(line)["data"] for line in recording.splitlines()]
    assert [line["action_input"]["id"] for line in lines[1:]] == ["ACTION4", "ACTION4", "ACTION4", "ACTION2"]
    assert ("frame" in lines[0]) == shown
    assert ("not public are left out" in found["README.txt"]) != shown
    if not shown:
        [recording] = [
            text
            for name, text in written(person, folder, "--held-out").items()
            if name.startswith("recordings/")
        ]
        assert "frame" in json.loads(recording.splitlines()[0])["data"]
        assert PersonExport.objects.filter(held_out=True).count() == 1
    assert Sighting.objects.filter(kind=SightingKind.FILE).exists()


def test_the_command_says_what_it_refuses(person: Participant, folder: Path) -> None:
    existing = folder / "there.zip"
    existing.write_text("mine")
    staff(Role.RESEARCHER)
    for arguments, code in (
        (["P-?", "x.zip"], "participant_unknown"),
        ([person.label, str(existing)], "file_exists"),
        ([person.label, str(folder / "no" / "x.zip")], "writing_failed"),
        ([person.label, str(folder / "x.zip"), "--by", "researcher"], "right_missing"),
    ):
        with pytest.raises(CommandError, match=code):
            call_command("export_person", *arguments)
    withdraw(person, None)
    with pytest.raises(CommandError, match="already_withdrawn"):
        call_command("export_person", person.label, str(folder / "x.zip"))
    assert existing.read_text() == "mine"
    assert not (folder / "x.zip").exists()
    assert not PersonExport.objects.exists()


def test_a_lead_takes_it_from_the_page_and_a_withdrawal_deletes_it(
    person: Participant,
    folder: Path,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    lead = signed_in(Role.LEAD)
    page = lead.get(reverse("review:withdrawal"), {"participant": person.label}).content.decode()
    address = reverse("review:person-export", args=[person.pk])
    assert f'action="{address}"' in page
    person_page = lead.get(reverse("center:same-person", args=[person.pk])).content.decode()
    assert f"Take or delete the data of {person.label}" in person_page
    assert signed_in(Role.RESEARCHER).post(address).status_code == 403
    with django_capture_on_commit_callbacks():
        assert lead.post(address).status_code == 302
    export = Export.objects.get()
    make_export(export.pk)
    assert person.label in lead.get(reverse("review:exports")).content.decode()
    assert person.label not in signed_in(Role.RESEARCHER).get(reverse("review:exports")).content.decode()
    file = reverse("review:export-file", args=[export.pk])
    assert signed_in(Role.RESEARCHER).get(file).status_code == 403
    answer = lead.get(file)
    assert answer.status_code == 200
    assert f"{person.label}-data.zip" in answer["Content-Disposition"]
    [stored] = (settings.DATA_DIR / "exports").iterdir()
    assert answer.getvalue() == stored.read_bytes()
    assert "README.txt" in contents(stored)
    taken = PersonExport.objects.get()
    assert (taken.participant, taken.staff) == (person, staff(Role.LEAD))
    with django_capture_on_commit_callbacks(execute=True):
        withdraw(person, None)
    assert not stored.exists()
    assert PersonExport.objects.get() == taken, "that it was taken stays"
