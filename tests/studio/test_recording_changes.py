"""A recording can be given another type and removed; who did, when and why stays for good."""

from pathlib import Path
from shutil import copytree

import pytest
from django.test import Client
from django.urls import reverse

from playtest.people.roles import Role
from playtest.rules.errors import RuleError
from playtest.studio.models import Recording, RecordingChange
from playtest.studio.services import load_environments
from playtest.studio.services.recording_changes import remove, retype
from playtest.studio.services.recordings import content_digest
from tests.insight.games_folder import record, with_walk
from tests.live.games import WALK
from tests.make import ENVIRONMENTS
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(scope="module")
def imported(module_db: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """wk01 with a win, and one that stops after a level."""
    folder = tmp_path_factory.mktemp("games")
    walk = with_walk(folder)
    record(walk, "win", WALK)
    record(walk, "stops", WALK[:4])
    load_environments(folder)
    return folder


@pytest.fixture
def games(imported: Path, tmp_path: Path) -> Path:
    """The same folder, to be changed."""
    return copytree(imported, tmp_path / "games")


def recording(name: str) -> Recording:
    return Recording.objects.get(name=name)


def test_an_unfinished_recording_becomes_a_loss_with_an_audit_line(games: Path) -> None:
    by = staff(Role.LEAD)
    retype(recording("stops"), "loss", " It cannot be lost otherwise. ", by)
    line = RecordingChange.objects.get()
    assert (line.name, line.before, line.after, line.changed_by) == ("stops", "unfinished", "loss", by)
    assert (line.reason, line.actions) == ("It cannot be lost otherwise.", 4)
    load_environments(games)
    assert recording("stops").remark == ""
    assert recording("stops").kind == "loss", "importing the same file again leaves what staff said"


def test_a_removed_recording_stays_removed_until_its_file_changes(games: Path) -> None:
    remove(recording("stops"), "It shows nothing.", staff(Role.LEAD))
    (again,) = load_environments(games)
    assert not Recording.objects.filter(name="stops").exists()
    assert "recordings/stops.jsonl is left out: recording_removed: " in again.reason
    assert "It shows nothing." in again.reason
    record(games / "wk01", "stops", WALK[:5])
    load_environments(games)
    assert len(recording("stops").actions) == 5


def test_a_removed_recording_without_a_digest_is_recognized(games: Path) -> None:
    Recording.objects.update(digest="")
    remove(recording("stops"), "It shows nothing.", None)
    load_environments(games)
    assert not Recording.objects.filter(name="stops").exists()


@pytest.mark.parametrize(
    ("name", "kind", "reason", "code"),
    [
        ("stops", "loss", "  ", "reason_missing"),
        ("stops", "finding", "Why not.", "type_unknown"),
        ("stops", "unfinished", "Why not.", "type_unchanged"),
        ("stops", "win", "Why not.", "recording_does_not_win"),
        ("win", "loss", "Why not.", "recording_wins"),
    ],
)
def test_a_type_that_playing_contradicts_is_refused_with_a_code(
    games: Path, name: str, kind: str, reason: str, code: str
) -> None:
    before = recording(name).kind
    with pytest.raises(RuleError) as raised:
        retype(recording(name), kind, reason, None)
    assert raised.value.code == code
    assert (recording(name).kind, RecordingChange.objects.count()) == (before, 0)


def test_a_recording_that_does_not_play_keeps_its_type(games: Path) -> None:
    Recording.objects.filter(name="stops").update(state_hashes=["00" * 8] * 5)
    with pytest.raises(RuleError, match="recording_unplayable: It cannot be played: The replay differs"):
        retype(recording("stops"), "loss", "Why not.", None)


def test_a_name_is_unique_within_a_type(games: Path) -> None:
    lost, held = recording("stops"), {"seed": 0, "actions": [], "made_at": recording("win").made_at}
    Recording.objects.create(version=lost.version, kind="loss", name="stops", **held)
    with pytest.raises(RuleError) as raised:
        retype(lost, "loss", "Why not.", None)
    assert (raised.value.code, RecordingChange.objects.count()) == ("recording_name_taken", 0)


def test_recordings_of_jobs_cannot_be_changed(games: Path) -> None:
    Recording.objects.filter(name="stops").update(kind="finding")
    with pytest.raises(RuleError) as raised:
        remove(recording("stops"), "Why not.", None)
    assert raised.value.code == "not_a_developers_recording"


def test_a_second_removal_is_refused_with_its_reason(games: Path) -> None:
    mine, other = recording("stops"), recording("stops")
    remove(mine, "It shows nothing.", None)
    with pytest.raises(RuleError) as raised:
        remove(other, "Nor to me.", None)
    assert (raised.value.code, RecordingChange.objects.count()) == ("recording_changed", 1)


def test_an_old_win_without_levels_counts_after_it_was_played_again(games: Path) -> None:
    """As imports stored it before they played recordings: no levels, and a loss by its name."""
    held = {"seed": 0, "actions": [[act, None, None] for act in WALK], "made_at": recording("win").made_at}
    old = Recording.objects.create(version=recording("win").version, kind="loss", name="list", **held)
    assert content_digest(old) != content_digest(recording("win"))
    retype(old, "win", "It wins.", None)
    assert recording("list").levels_completed[-1] == 6


def post(client: Client, page: str, found: Recording, **said: str) -> str:
    return client.post(reverse(page, args=["wk01", found.pk]), said, follow=True).text


def test_staff_change_a_recording_by_page(games: Path) -> None:
    client = signed_in(Role.LEAD)
    listed = client.get(reverse("studio:environment", args=["wk01"])).text
    assert "It ends neither in a win nor in a loss." in listed
    page = client.get(reverse("studio:recording-change", args=["wk01", recording("stops").pk])).text
    assert "Its type is <strong>unfinished</strong>: 4 actions" in page
    assert "(reason_missing)" in post(client, "studio:recording-retype", recording("stops"), kind="loss")
    page = post(client, "studio:recording-retype", recording("stops"), kind="loss", reason="Nobody can lose.")
    assert "The recording “stops” has the type loss now." in page
    assert "changed “stops” from unfinished to loss" in page
    assert "“Nobody can lose.”" in page
    page = post(client, "studio:recording-remove", recording("stops"), reason="Too short.")
    assert "The recording “stops” is removed." in page
    assert "removed the loss “stops” (4 actions)" in page
    assert "“Too short.”" in page


def test_a_recording_of_another_environment_is_not_found(games: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    copytree(ENVIRONMENTS / "ck01", other / "ck01")
    load_environments(other)
    found = recording("win")
    answer = signed_in(Role.LEAD).post(
        reverse("studio:recording-remove", args=["ck01", found.pk]), {"reason": "x"}
    )
    assert answer.status_code == 404
