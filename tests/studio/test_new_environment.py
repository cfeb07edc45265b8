"""`manage.py new_environment` writes an environment that runs, imports and has sound structure."""

import subprocess
import sys
from io import BytesIO, StringIO
from pathlib import Path
from runpy import run_path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from engine.play.actions import Action
from engine.play.game import Game
from engine.play.source import load
from engine.prove.player import Player
from engine.prove.qualification.fixed_checks import check_structure
from playtest.people.roles import Role
from playtest.studio.models import Environment, Version
from playtest.studio.queries.cards import mechanics_by_level
from playtest.studio.services import imports, upload_decisions
from playtest.studio.services.cards import create_card, save_revision
from playtest.studio.services.catalogue import describe
from playtest.studio.services.drafts import play_recordings, read_source
from tests import make
from tests.games.rules import GAMES
from tests.staff import signed_in, staff
from tests.studio.sketch_texts import CELLS, content

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TO_THE_RING = [4, 4, 4, 4, 4, 2]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return tmp_path / "games"


def new_environment(games: Path, *options: str) -> str:
    answer = StringIO()
    call_command("new_environment", "qz42", *options, to=games, stdout=answer)
    return answer.getvalue()


def write_card(**changes: Any) -> None:
    card = create_card("qz42", "Rings", staff(Role.DESIGNER))
    save_revision(card, 1, content(**changes), card.author)


def played(folder: Path, actions: list[Action]) -> Game:
    game, _ = Game.start(load(folder), 0)
    for action in actions:
        game.act(action)
    return game


def problems(folder: Path) -> list[str]:
    """What the structural part of a qualification finds."""
    found = check_structure(Player(load(folder)), 1, lambda done: None)
    return [finding.message for finding in found if not finding.note]


def test_a_starting_point_of_a_card_runs_and_is_imported(games: Path) -> None:
    write_card(
        mechanics=[
            {"name": "walls", "level": 1, "description": 'Nobody """ walks\nthrough\\n them.' * 9},
            {"name": "pits", "level": 8, "description": "They end the level."},
        ]
    )
    assert new_environment(games, "--from-card").startswith("qz42: written to ")
    folder = games / "qz42"
    game = played(folder, [Action(number) for number in TO_THE_RING * 8])
    assert (game.turn.levels_completed, game.turn.levels) == (8, 8)
    assert problems(folder) == []
    first = played(folder, []).turn.frames[-1]
    sketch = np.array([int(digit, 16) for digit in CELLS], dtype=np.int8).reshape(64, 64)
    assert np.array_equal(first[:16], sketch[:16])
    answer = StringIO()
    call_command("import_environments", str(folder), stdout=answer)
    assert answer.getvalue().startswith("qz42: imported")
    environment = Environment.objects.get()
    assert (environment.title, environment.owner) == ("Rings", staff(Role.DESIGNER))
    assert "8. " not in environment.note
    assert "2. pits: They end the level (level 8)" in environment.note
    assert list(mechanics_by_level(environment)) == [1, 8]
    assert "# Level 8 introduces pits: They end the level\n" in (folder / "qz42.py").read_text()


@pytest.mark.parametrize("controls", [["directions"], pytest.param(["click"], marks=pytest.mark.long)])
def test_a_designer_gets_the_same_files_from_the_page_of_the_card_and_may_upload_them(
    games: Path, controls: list[str], settings: Settings
) -> None:
    settings.DATA_DIR = games.parent / "data"
    write_card(controls=controls)
    new_environment(games, "--from-card")
    page, address = reverse("studio:card", args=["qz42"]), reverse("studio:card-file", args=["qz42"])
    designer = signed_in(Role.DESIGNER)
    assert address in designer.get(page).content.decode()
    answer = designer.get(address).content
    with ZipFile(BytesIO(answer)) as archive:
        given = {one.filename: archive.read(one) for one in archive.infolist() if not one.is_dir()}
    files = {one.relative_to(games.parent).as_posix(): one for one in games.rglob("*") if one.is_file()}
    assert given == {name: file.read_bytes() for name, file in files.items()}
    assert watched(games / "qz42") == (True, "It plays as recorded: a win after 36 actions.")
    upload = SimpleUploadedFile("qz42.zip", answer)
    job = imports.request_upload([upload], lambda _: None, by=staff(Role.DESIGNER), comment="")
    imports.do_import(job.pk)
    job.refresh_from_db()
    assert [(one["status"], one["id"]) for one in job.results] == [("waits", "qz42")]
    upload_decisions.approve(job.uploads.get().pk, staff(Role.LEAD))
    again = taken_and_uploaded(designer, games.parent / "again")
    assert [(one["status"], one["id"]) for one in again] == [("unchanged", "qz42")]
    reader = signed_in(Role.RESEARCHER)
    assert address not in reader.get(page).content.decode()
    assert reader.get(address).status_code == 403


def test_the_files_of_a_held_out_environment_are_for_its_owner_and_who_imports() -> None:
    environment = make.environment()
    address = reverse("studio:version-files", args=[environment.code, environment.versions.get().pk])
    lead, designer = signed_in(Role.LEAD), signed_in(Role.DESIGNER)
    page = reverse("studio:environment", args=[environment.code])
    for release_set, status in (("none", 200), ("public", 200), ("semi_private", 403), ("private", 403)):
        describe(environment, title="", owner=None, release_set=release_set, note="")
        assert (lead.get(address).status_code, designer.get(address).status_code) == (200, status)
        assert (address in designer.get(page).content.decode()) == (status == 200)
        describe(environment, title="", owner=staff(Role.DESIGNER), release_set=release_set, note="")
        assert designer.get(address).status_code == 200


def taken_and_uploaded(designer: Client, place: Path) -> list[dict[str, str]]:
    """What becomes of the files of the current version of qz42, without its packed source."""
    version = Version.objects.get(is_draft=False)
    page, address = (
        reverse("studio:environment", args=["qz42"]),
        reverse("studio:version-files", args=["qz42", version.pk]),
    )
    assert address in designer.get(page).content.decode()
    with ZipFile(BytesIO(designer.get(address).content)) as archive:
        archive.extractall(place)
    folder = place / "games" / "qz42"
    (folder / "qz42.py").unlink()
    assert sorted(one.name for one in (folder / "recordings").iterdir()) == ["loss.jsonl", "win.jsonl"]
    return uploaded(place / "games", "qz42", "_shared")


def uploaded(games: Path, *folders: str) -> list[dict[str, str]]:
    """What became of an archive with these folders of `games`, as it lies there."""
    archive = BytesIO()
    with ZipFile(archive, "w") as written:
        for path in (path for name in folders for path in (games / name).rglob("*")):
            written.write(path, path.relative_to(games))
    job = imports.request_upload(
        [SimpleUploadedFile("a.zip", archive.getvalue())], lambda _: None, by=staff(Role.DESIGNER), comment=""
    )
    imports.do_import(job.pk)
    job.refresh_from_db()
    return [dict(one) for one in job.results]


def test_an_upload_of_changed_modules_is_packed(games: Path, settings: Settings) -> None:
    settings.DATA_DIR = games.parent / "data"
    new_environment(games)
    packed = load(games / "qz42").text
    levels, library = games / "qz42" / "source" / "levels.py", games / "_shared" / "cells.py"
    levels.write_bytes(b"\xef\xbb\xbf" + levels.read_bytes().replace(b".@......", b"..@....."))
    copy = (games / "qz42").rename(games / "qz42 (2)")  # as it is called after a second download
    assert [one["status"] for one in uploaded(games, copy.name)] == ["waits"]
    moved = Version.objects.get().source
    assert moved == packed.replace(".@......", "..@.....") != packed, (
        "the old source beside them does not count"
    )
    library.write_text(library.read_text() + "\n\nOWN = 1\n")
    uploaded(games, copy.name, "_shared")
    assert "\nOWN = 1\n" in Version.objects.get().source
    for text, reason in (
        ("(" * 999, "source_unreadable"),
        ("from games.ws72.source.rules import act", "source_missing"),
    ):
        (copy / "source" / "levels.py").write_text(text)
        [refused] = uploaded(games, copy.name)
        assert (refused["status"], refused["reason"].split(":")[0]) == ("rejected", reason)
    assert Version.objects.get().source.count("OWN") == 1


@pytest.mark.parametrize(
    "controls",
    [["directions"], ["click"], ["interact", "undo"], ["directions", "interact", "click", "undo"], []],
)
def test_each_action_space_gives_tidy_code_that_runs(games: Path, controls: list[str]) -> None:
    write_card(controls=controls)
    new_environment(games, "--from-card")
    folder = games / "qz42"
    assert problems(folder) == []
    root = Path(__file__).parents[2]
    check = [sys.executable, "-m", "ruff", "check", "--config", str(root / "pyproject.toml"), str(folder)]
    done = subprocess.run(check, capture_output=True, text=True, check=False, cwd=games.parent)
    assert done.stdout == "All checks passed!\n"


def test_clicks_and_undo_work(games: Path) -> None:
    write_card(controls=["click", "undo"])
    new_environment(games, "--from-card")
    right, far = Action(6, 16, 28), Action(6, 60, 60)
    frames = [
        played(games / "qz42", actions).turn.frames[-1].tobytes()
        for actions in ([], [right], [far], [right, Action(7)], [Action(7)])
    ]
    assert [frame == frames[0] for frame in frames] == [True, False, True, True, True]


def test_without_a_card_it_begins_empty(games: Path) -> None:
    new_environment(games)
    assert problems(games / "qz42") == []
    assert "To be written." in (games / "qz42" / "NOTE.md").read_text()


def test_what_it_cannot_do_has_a_code(games: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="card_unknown"):
        new_environment(games, "--from-card")
    with pytest.raises(CommandError, match="target_unfit"):
        new_environment(tmp_path / "elsewhere")
    with pytest.raises(CommandError, match="id_malformed"):
        call_command("new_environment", "from", to=games)
    assert not games.exists()
    new_environment(games)
    with pytest.raises(CommandError, match="folder_exists"):
        new_environment(games)


def test_it_brings_a_search_recordings_and_a_test_that_passes(games: Path) -> None:
    new_environment(games)
    folder, answer = games / "qz42", StringIO()
    call_command("solve", "qz42", level=1, games=games, stdout=answer)
    assert answer.getvalue().startswith("1: 6 actions: ")
    with pytest.raises(CommandError, match="level_unknown"):
        call_command("solve", "qz42", level=9, games=games)
    tests = [one for name, one in run_path(str(folder / "test_qz42.py")).items() if name.startswith("test_")]
    assert len(tests) == 2
    for test in tests:
        test()
    call_command("solve", "ws72", level=1, games=GAMES, stdout=answer)
    assert answer.getvalue().splitlines()[-1].startswith("1: 12 actions: ")
    (folder / "search.py").unlink()
    with pytest.raises(CommandError, match="search_missing"):
        call_command("solve", "qz42", games=games)


def watched(folder: Path) -> tuple[bool, str]:
    """Whether the win of the folder plays as it should, and what is said of it."""
    win = next(one for one in play_recordings(read_source(folder), folder, {}) if "win" in one.name)
    return win.plays, win.sentence


def test_a_win_of_plain_actions_that_no_longer_wins_is_broken(games: Path) -> None:
    new_environment(games)
    folder = games / "qz42"
    (folder / "recordings" / "loss.jsonl").unlink()
    assert watched(folder) == (True, "It plays as recorded: a win after 36 actions.")
    levels = folder / "source" / "levels.py"
    text = levels.read_text()
    levels.write_text(text.replace("......O.", ".O......", 1))
    said = "It ends in neither a win nor a loss, and should be a win by its name."
    assert watched(folder) == (False, said)
    levels.write_text(text)
    read_source(folder)
    call_command("import_environments", str(folder), verbosity=0)
    levels.write_text(text.replace("......O.", ".O......", 1))
    said = "Action 6 went otherwise: 0 levels are completed after it, and were 1. It ends in neither"
    assert watched(folder)[1].startswith(said)
    levels.write_text(text)
    (folder / "recordings" / "win.jsonl").rename(folder / "recordings" / "a win.jsonl")
    said = "It ends in a win after 36 actions; nothing says how it should end."
    assert watched(folder) == (True, said)
