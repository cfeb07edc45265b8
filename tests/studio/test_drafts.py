"""`manage.py watch --once`: drafts of a changed source, and what its recordings do on them."""

from io import StringIO
from pathlib import Path
from shutil import copytree

import pytest
from django.core.management import CommandError, call_command

from playtest.people.roles import Role
from playtest.play.sessions.internal_plays import begin_internal_play
from playtest.studio.models import Environment, Version
from playtest.studio.services import load_environments
from tests.games.rules import GAMES
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """rv64, an environment of several modules, to be changed."""
    for name in ("rv64", "_shared"):
        copytree(GAMES / name, tmp_path / "games" / name)
    return tmp_path / "games" / "rv64"


def watch_once(folder: Path) -> tuple[bool, str]:
    """Whether all is well, and what is said."""
    said = StringIO()
    try:
        call_command("watch", folder, "--once", stdout=said)
    except SystemExit as ended:
        return ended.code == 0, said.getvalue()
    return True, said.getvalue()


def change(folder: Path, module: str, before: str, after: str) -> None:
    path = folder / "source" / f"{module}.py"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


def drafts() -> list[Version]:
    return list(Version.objects.filter(is_draft=True).order_by("pk"))


def test_a_new_environment_begins_as_a_draft_and_its_import_makes_it_current(folder: Path) -> None:
    fine, said = watch_once(folder)
    assert fine
    assert "is a draft with 8 levels, 3 recordings play" in said
    assert "ok     recordings/win.jsonl: It plays as recorded: a win after" in said
    environment = Environment.objects.get()
    assert (environment.code, environment.title, environment.current) == ("rv64", "Second walker", None)
    [draft] = drafts()
    assert load_environments(folder)[0].status == "imported"
    environment.refresh_from_db()
    assert environment.current == draft
    assert drafts() == []
    assert "is an imported version" in watch_once(folder)[1]


@pytest.mark.long
def test_a_draft_takes_the_place_of_one_with_which_nothing_was_done(folder: Path) -> None:
    load_environments(folder)
    current = Environment.objects.get().current
    for colour in "34":
        change(folder, "drawing", "NIGHT, STAR = ", f"NIGHT, STAR = {colour}, 1  # ")
        fine, said = watch_once(folder)
        assert not fine, "every picture is another one"
        assert "BROKEN recordings/win.jsonl: The replay differs from the recording from the start on." in said
        assert "It ends in a win, as recorded." in said
    [draft] = drafts()
    begin_internal_play(draft, staff(Role.DESIGNER), 1)
    change(folder, "drawing", "NIGHT, STAR = ", "NIGHT, STAR = 2, 1  # ")
    watch_once(folder)
    assert [one.pk == draft.pk for one in drafts()] == [True, False]
    assert Environment.objects.get().current == current


def test_a_rule_that_breaks_a_recording_is_told_with_the_action_and_the_end(folder: Path) -> None:
    change(folder, "rules", "MEMORY = 4", "MEMORY = 3")
    fine, said = watch_once(folder)
    assert not fine
    assert "3 of 3 recordings broken" in said
    assert "It ends in neither a win nor a loss, and was a win." in said


def test_a_source_that_is_not_python_is_told_with_its_line_and_stores_nothing(folder: Path) -> None:
    change(folder, "rules", '"""Two places', '("""Two places')
    fine, said = watch_once(folder)
    assert not fine
    assert "rv64 is not imported: source_unreadable: source/rules.py: this is not Python" in said
    assert "(rules.py, line 1)" in said
    assert not Version.objects.exists()


def test_a_source_that_fails_when_it_starts_is_told_with_its_error(folder: Path) -> None:
    change(folder, "levels", "LEVELS = (", "1 / 0\nLEVELS = (")
    fine, said = watch_once(folder)
    assert not fine
    assert "import_failed" in said
    assert "ZeroDivisionError: division by zero (line " in said
    assert not Environment.objects.exists()


def test_a_recording_that_cannot_be_read_is_told(folder: Path) -> None:
    (folder / "recordings" / "other.jsonl").write_text("{")
    fine, said = watch_once(folder)
    assert not fine
    assert "1 of 4 recordings broken" in said
    assert "BROKEN recordings/other.jsonl: recording_malformed" in said


def test_a_folder_that_is_missing_has_a_code(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="folder_missing"):
        call_command("watch", tmp_path / "none")


def test_a_command_about_an_environment_of_drafts_asks_for_a_version(folder: Path) -> None:
    watch_once(folder)
    with pytest.raises(CommandError, match="rv64 has only drafts"):
        call_command("qualify", "rv64")
