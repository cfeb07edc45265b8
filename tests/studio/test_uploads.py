"""What designers upload waits in a sandbox, where only the team plays it, until a lead approves it."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from pytest_django import Settings

from engine.play.source import load
from playtest.arena.runs.cards import offered
from playtest.jobs.models import JobStatus
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.forms import StudyForm
from playtest.play.sessions.internal_plays import begin_internal_play
from playtest.rules.errors import RuleError
from playtest.studio.models import (
    Environment,
    Import,
    ReleaseSet,
    Sighting,
    UploadedVersion,
    UploadStatus,
    Version,
)
from playtest.studio.services import imports, load_environments, sandbox
from playtest.studio.services.catalogue import describe
from playtest.studio.services.drafts import keep_draft
from playtest.studio.services.sandbox import _LATER as LATER
from playtest.studio.services.upload_decisions import approve, decline, withdraw
from tests.insight.games_folder import record, with_walk
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, settings: Settings) -> None:
    """A data folder of the test's own."""
    settings.DATA_DIR = tmp_path / "data"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """wk01, to be changed."""
    return with_walk(tmp_path / "games")


@pytest.fixture
def designer() -> Staff:
    return staff(Role.DESIGNER)


@pytest.fixture
def lead() -> Staff:
    return staff(Role.LEAD)


def packed(folder: Path) -> SimpleUploadedFile:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in folder.rglob("*"):
            archive.write(path, path.relative_to(folder.parent))
    return SimpleUploadedFile("wk01.zip", content.getvalue())


def upload(folder: Path, by: Staff, comment: str = "") -> list[dict[str, str]]:
    """What became of the folder, once a worker has tried it."""
    job = imports.request_upload([packed(folder)], lambda _: None, by=by, comment=comment)
    imports.do_import(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.DONE
    return list(job.results)


def statuses(results: list[dict[str, str]]) -> list[str]:
    return [result["status"] for result in results]


def change(folder: Path, before: str, after: str, name: str = "wk01.py") -> None:
    text = (folder / name).read_text()
    assert before in text
    (folder / name).write_text(text.replace(before, after))


def waiting() -> UploadedVersion:
    return UploadedVersion.objects.get(status=UploadStatus.WAITING)


def in_navigation(role: Role) -> bool:
    """Whether the navigation says that an upload waits for this role."""
    html = signed_in(role).get(reverse("people:home")).content.decode()
    return (
        re.search(r'class="waiting-count" title="\d+ uploads? (waits? for approval|decided)"', html)
        is not None
    )


def test_a_new_environment_is_played_by_the_team_alone_until_it_is_approved(
    folder: Path, designer: Staff, lead: Staff
) -> None:
    (folder / "NOTE.md").write_text("Walk to the goal.")
    record(folder, "win", WALK)
    assert statuses(upload(folder, designer, "My first one")) == ["waits"]
    environment, found = Environment.objects.get(), waiting()
    assert (environment.current, environment.owner, environment.note) == (None, designer, "")
    assert [one.name for one in found.version.recordings.all()] == ["win"]
    assert Sighting.objects.get().kind == "source"
    Environment.objects.update(release_set=ReleaseSet.PUBLIC)
    pool = StudyForm.base_fields["pool"].queryset  # type: ignore[attr-defined]
    assert (list(pool.all()), offered([ReleaseSet.PUBLIC])) == ([], [])
    play = begin_internal_play(found.version, staff(Role.ENGINEER), 2)
    assert (in_navigation(Role.LEAD), in_navigation(Role.DESIGNER)) == (True, False)
    picture = reverse("insight:level-picture", args=["wk01", 2])
    assert signed_in(Role.LEAD).get(picture, {"version": found.version.digest}).status_code == 200
    assert signed_in(Role.LEAD).get(picture).status_code == 404

    approve(found.pk, lead, "Well done")
    environment.refresh_from_db()
    assert (environment.current, environment.note) == (found.version, "Walk to the goal.")
    assert environment.title == "Walk"
    assert not Version.objects.filter(is_draft=True).exists()
    assert play.version == environment.current, "who played it has played the current version"
    assert (list(pool.all()), offered([ReleaseSet.PUBLIC])) == ([environment], [found.version])
    assert (in_navigation(Role.LEAD), in_navigation(Role.DESIGNER)) == (False, True)
    page = signed_in(Role.DESIGNER).get(reverse("studio:upload", args=[found.pk])).content.decode()
    assert "Approved by lead" in page
    assert "Well done" in page
    assert not in_navigation(Role.DESIGNER)


def test_the_studio_tells_drafts_apart_and_leads_to_the_one_that_waits(
    folder: Path, designer: Staff, lead: Staff
) -> None:
    upload(folder, designer)
    declined = waiting().version
    begin_internal_play(declined, lead, 1)
    decline(waiting().pk, lead, "Brighter, please.")
    change(folder, '"G": 14', '"G": 11')
    upload(folder, designer)
    change(folder, '"G": 11', '"G": 12')
    watched = keep_draft(load(folder))
    page = signed_in(Role.LEAD).get(reverse("studio:environment", args=["wk01"])).content.decode()
    row_of = {found[1]: found[2] for found in re.finditer(r'<tr id="version-(\w{8})">(.*?)</tr>', page, re.S)}
    waits = waiting().version.digest[:8]
    assert "of designer: declined" in row_of[declined.digest[:8]]
    assert "of designer: waits for approval" in row_of[waits]
    assert re.search(r"from\s+<code>watch", row_of[watched.digest[:8]])
    assert f'<a href="#version-{waits}">Play it</a>' in page
    assert "nothing to play" not in page


def test_a_rejection_names_the_line_below_a_long_message(folder: Path, designer: Staff) -> None:
    change(folder, "from arcengine", "raise ValueError('long ' * 100)\nfrom arcengine")
    (found,) = upload(folder, designer)
    assert re.search(r"… \(line \d+\)\.$", found["reason"])


def test_an_upload_changes_nothing_of_what_was_imported(folder: Path, designer: Staff, lead: Staff) -> None:
    load_environments(folder)
    environment = Environment.objects.get()
    before = environment.current
    Environment.objects.update(title="Ours", note="Kept", owner=lead)
    record(folder, "win", WALK)
    (folder / "NOTE.md").write_text("Another note")
    change(folder, '"baseline_actions": [3,', '"baseline_actions": [1,', "metadata.json")
    assert statuses(upload(folder, designer)) == ["unchanged"]
    assert not UploadedVersion.objects.exists()
    change(folder, '"G": 14', '"G": 11')
    change(folder, '"Walk"', '"Another title"', "metadata.json")
    assert statuses(upload(folder, designer)) == ["waits"]
    environment.refresh_from_db()
    assert (environment.title, environment.note, environment.owner) == ("Ours", "Kept", lead)
    assert (environment.current, environment.release_set) == (before, ReleaseSet.NONE)
    assert before is not None
    assert before.metadata["baseline_actions"][0] == 3
    assert not before.recordings.exists()

    found = waiting()
    with pytest.raises(RuleError, match="reason_missing"):
        decline(found.pk, lead, " ")
    decline(found.pk, lead, "The goal cannot be told from the wall.")
    environment.refresh_from_db()
    assert (environment.current, environment.title) == (before, "Ours")
    assert in_navigation(Role.DESIGNER)
    with pytest.raises(RuleError, match="upload_decided"):
        approve(found.pk, lead)
    assert statuses(upload(folder, designer, "Look again")) == ["waits"], "the same source may be asked about"
    approve(waiting().pk, lead)
    environment.refresh_from_db()
    assert (environment.current, environment.title) == (found.version, "Another title")


@pytest.mark.long
def test_a_later_upload_takes_the_place_of_one_with_which_nothing_was_done(
    folder: Path, designer: Staff, lead: Staff
) -> None:
    for colour in (1, 2, 11):
        change(folder, '"G": ', f'"G": {colour} or ')
        record(folder, "win", WALK)
        assert statuses(upload(folder, designer, str(colour))) == ["waits"]
    played = waiting()
    assert (played.comment, Version.objects.count()) == ("11", 1)
    begin_internal_play(played.version, lead, 1)
    change(folder, '"default_fps": 10', '"default_fps": 20', "metadata.json")
    change(folder, '"G": ', '"G": 12 or ')
    upload(folder, designer)
    played.refresh_from_db()
    assert (played.status, Version.objects.count()) == (UploadStatus.REPLACED, 2)
    change(folder, '"default_fps": 20', '"default_fps": 5', "metadata.json")
    upload(folder, designer, "Slower")
    last = waiting()
    assert (last.version.default_fps, last.comment, Version.objects.count()) == (5, "Slower", 2)
    with pytest.raises(RuleError, match="not_own_upload"):
        withdraw(last.pk, lead)
    withdraw(last.pk, designer)
    assert list(Version.objects.all()) == [played.version]
    with pytest.raises(RuleError, match="upload_gone"):
        approve(last.pk, lead)


def test_of_two_uploads_the_later_one_waits_whichever_is_tried_first(
    folder: Path, designer: Staff, lead: Staff
) -> None:
    jobs = []
    for colour in (1, 2):
        change(folder, '"G": ', f'"G": {colour} or ')
        jobs.append(
            imports.request_upload([packed(folder)], lambda _: None, by=designer, comment=str(colour))
        )
    page = signed_in(Role.DESIGNER).get(reverse("studio:uploads")).content.decode()
    assert page.count("it is being tried") == 2
    for job in reversed(jobs):
        imports.do_import(job.pk)
        job.refresh_from_db()
    assert (waiting().comment, jobs[0].results[0]["reason"]) == ("2", LATER)
    assert "it is being tried" not in signed_in(Role.DESIGNER).get(reverse("studio:uploads")).content.decode()


def test_who_decides_on_an_upload_that_is_gone_reads_why_and_their_own_words(
    folder: Path, designer: Staff, lead: Staff
) -> None:
    upload(folder, designer)
    first, job = waiting().pk, waiting().job_id
    withdraw(first, designer)
    client = signed_in(Role.LEAD)
    address = reverse("studio:upload-decline", args=[first])
    answer = client.post(address, {"reason": "The third level."}, follow=True).content.decode()
    assert "A later upload has taken its place" in answer
    assert "What you wrote: The third level." in answer
    gone = client.get(reverse("studio:upload", args=[first]))
    assert (gone.status_code, "It may have been withdrawn" in gone.content.decode()) == (404, True)
    tried = client.get(reverse("studio:upload-job", args=[job])).content.decode()
    assert "1 environment withdrawn or replaced" in tried


def test_uploads_of_two_people_wait_side_by_side_up_to_a_number(
    folder: Path, designer: Staff, lead: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(folder, designer)
    [again] = upload(folder, lead)
    assert (again["status"], "designer has uploaded the same source" in again["reason"]) == (
        "unchanged",
        True,
    )
    change(folder, '"G": 14', '"G": 11')
    upload(folder, lead)
    assert UploadedVersion.objects.filter(status=UploadStatus.WAITING).count() == 2
    of_lead = UploadedVersion.objects.get(uploaded_by=lead)
    with pytest.raises(RuleError, match="own_upload"):
        approve(of_lead.pk, lead)
    monkeypatch.setattr(sandbox, "MOST_WAITING", 1)
    other = folder.rename(folder.with_name("wk02"))
    (other / "wk01.py").rename(other / "wk02.py")
    change(other, "Wk01", "Wk02", "wk02.py")
    change(other, '"wk01"', '"wk02"', "metadata.json")
    [refused] = upload(other, designer)
    assert (refused["status"], "too_many_waiting" in refused["reason"]) == ("rejected", True)
    assert not Version.objects.filter(environment__code="wk02").exists()


def test_importing_the_same_source_leaves_nothing_to_decide(folder: Path, designer: Staff) -> None:
    upload(folder, designer)
    assert load_environments(folder)[0].status == "imported"
    settled = UploadedVersion.objects.get()
    assert (settled.status, settled.decided_by) == (UploadStatus.APPROVED, None)
    assert Environment.objects.get().current == settled.version


def test_it_is_not_approved_while_its_recordings_are_played(
    folder: Path, designer: Staff, lead: Staff
) -> None:
    upload(folder, designer)
    Import.objects.update(status=JobStatus.RUNNING)
    with pytest.raises(RuleError, match="upload_unfinished"):
        approve(waiting().pk, lead)


def test_who_uploads_for_a_held_out_environment_reads_nothing_of_what_it_was(
    folder: Path, designer: Staff, lead: Staff
) -> None:
    load_environments(folder)
    known = Environment.objects.get()
    change(folder, '"G": 14, ', '"G": 11, ')
    client = signed_in(Role.DESIGNER)
    client.post(reverse("studio:upload-new"), {"files": [packed(folder)], "comment": "Yellow"})
    imports.do_import(Import.objects.get().pk)
    address, before = reverse("studio:upload", args=[waiting().pk]), "&quot;G&quot;: 14,"
    for owner, release_set, shown in ((None, "public", 1), (None, "private", 0), (designer, "private", 1)):
        describe(known, title="", owner=owner, release_set=release_set, note="")
        assert (before in client.get(address).content.decode()) == shown
        assert before in signed_in(Role.LEAD).get(address).content.decode()


def test_the_lead_reads_every_change_and_others_do_not(folder: Path, designer: Staff, lead: Staff) -> None:
    load_environments(folder)
    change(folder, '"G": 14, ', '"G": 11, "\u202e": 0, ')
    client, other = signed_in(Role.DESIGNER), Staff.objects.create(username="other", role=Role.DESIGNER)
    sent = client.post(
        reverse("studio:upload-new"), {"files": [packed(folder)], "comment": "A <b>yellow</b> goal"}
    )
    job = Import.objects.get()
    assert sent["Location"] == reverse("studio:upload-job", args=[job.pk])
    imports.do_import(job.pk)
    assert "1 environment waiting for approval" in client.get(sent["Location"]).content.decode()
    found, leads = waiting(), signed_in(Role.LEAD)
    address = reverse("studio:upload", args=[found.pk])
    assert f'href="{address}"' in leads.get(reverse("studio:uploads")).content.decode()
    page = leads.get(address).content.decode()
    assert "A &lt;b&gt;yellow&lt;/b&gt; goal" in page
    assert "&quot;G&quot;: 11, &quot;⟨U+202E⟩&quot;: 0," in page
    assert "1 character of it would not be seen" in page
    assert "class Wk01" not in page
    assert (
        page.index('id="reason"')
        < page.index("Level 6 before")
        < page.index("It needs a full qualification.")
    )
    taken = leads.get(reverse("studio:upload-source", args=[found.pk]))
    assert taken.content.decode() == found.version.source
    client.force_login(other)
    for name, number in (("upload", found.pk), ("upload-source", found.pk), ("upload-job", job.pk)):
        assert client.get(reverse(f"studio:{name}", args=[number])).status_code == 404
    for name in ("withdraw", "approve", "decline"):
        refused = client.post(reverse(f"studio:upload-{name}", args=[found.pk])).status_code
        assert refused == (404 if name == "withdraw" else 403)
    assert "wk01" not in client.get(reverse("studio:uploads")).content.decode()
    leads.post(reverse("studio:upload-decline", args=[found.pk]), {"reason": ""})
    assert "reason_missing" in leads.get(address).content.decode()
    leads.post(reverse("studio:upload-approve", args=[found.pk]))
    assert Environment.objects.get().current == found.version
