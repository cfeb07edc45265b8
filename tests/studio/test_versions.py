"""Drafts of a changed source, the first frames of versions, and the fewest actions known for a level."""

from io import StringIO
from pathlib import Path
from shutil import copytree

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from engine.play.frames import unpack
from playtest.insight.pages.baseline.report import baseline_report
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.play.sessions.internal_plays import begin_internal_play
from playtest.rules.baseline import Fewest
from playtest.studio.models import (
    Environment,
    Exploration,
    FirstFrame,
    RandomPlay,
    Recording,
    RecordingKind,
    Version,
)
from playtest.studio.processes.game import first_frames
from playtest.studio.queries import evidence
from playtest.studio.services import load_environments
from playtest.studio.services.drafts import is_used, keep_draft, read_source
from playtest.studio.services.first_frames import keep_missing_first_frames
from tests import make
from tests.engine.sources import environment, written
from tests.games.rules import GAMES
from tests.staff import signed_in, staff
from tests.studio.versions import fewest, record, version_of, walk

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """rv64, an environment of several modules, to be changed."""
    for name in ("rv64", "_shared"):
        copytree(GAMES / name, tmp_path / "games" / name)
    for name in ("shortest", "loss"):
        (tmp_path / "games" / "rv64" / "recordings" / f"{name}.jsonl").unlink()
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


def line_of(folder: Path, module: str, text: str) -> int:
    lines = (folder / "source" / f"{module}.py").read_text().splitlines()
    return 1 + next(number for number, line in enumerate(lines) if line.strip() == text)


def drafts() -> list[Version]:
    return list(Version.objects.filter(is_draft=True).order_by("pk"))


def test_a_new_environment_begins_as_a_draft_and_its_import_makes_it_current(folder: Path) -> None:
    fine, said = watch_once(folder)
    assert fine
    assert "is a draft with 8 levels, 1 recording plays" in said
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
        assert "It ends in a win, as before." in said
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
    assert "1 of 1 recording broken" in said
    assert "It ends in neither a win nor a loss, and was a win." in said


def test_a_source_that_is_not_python_is_told_with_its_line_and_stores_nothing(folder: Path) -> None:
    change(folder, "rules", '"""Two places', '("""Two places')
    fine, said = watch_once(folder)
    assert not fine
    assert "rv64 is not imported: source_unreadable: games/rv64/source/rules.py: this is not Python" in said
    assert "(rules.py, line 1)" in said
    assert not Version.objects.exists()


def test_a_source_that_fails_when_it_starts_is_told_with_its_error(folder: Path) -> None:
    change(folder, "levels", "LEVELS = (", "1 / 0\nLEVELS = (")
    line = line_of(folder, "levels", "1 / 0")
    fine, said = watch_once(folder)
    assert not fine
    assert "import_failed" in said
    assert f"ZeroDivisionError: division by zero (games/rv64/source/levels.py, line {line})" in said
    assert not Environment.objects.exists()


def test_an_action_that_fails_is_told_with_its_module_and_line(folder: Path) -> None:
    change(folder, "rules", "def walk(", "def walk(*_):\n    raise KeyError('no')\n\n\ndef unused(")
    _, said = watch_once(folder)
    line = line_of(folder, "rules", "raise KeyError('no')")
    assert f"The environment raised KeyError: 'no' (games/rv64/source/rules.py, line {line})." in said


def test_the_import_of_another_package_is_told_with_its_line_and_the_rule(folder: Path) -> None:
    change(folder, "drawing", "from games", "import psycopg\nfrom games")
    _, said = watch_once(folder)
    line = line_of(folder, "drawing", "import psycopg")
    assert f"by `import psycopg` (games/rv64/source/drawing.py, line {line}). An environment imports" in said
    assert "arcengine, numpy and the standard library, nothing else." in said


def test_a_recording_that_cannot_be_read_is_told(folder: Path) -> None:
    (folder / "recordings" / "other.jsonl").write_text("{")
    fine, said = watch_once(folder)
    assert not fine
    assert "1 of 2 recordings broken" in said
    assert "BROKEN recordings/other.jsonl: recording_malformed" in said


def test_a_folder_that_is_missing_has_a_code(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="folder_missing"):
        call_command("watch", tmp_path / "none")


def test_a_command_about_an_environment_of_drafts_asks_for_a_version(folder: Path) -> None:
    watch_once(folder)
    with pytest.raises(CommandError, match="rv64 has only drafts"):
        call_command("qualify", "rv64")


def colours(version: Version, level: int) -> set[int]:
    frame = unpack(bytes(version.first_frames.get(level=level).frame))
    return {int(cell) for cell in frame.flat}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    copytree(make.ENVIRONMENTS / "wk01", tmp_path / "games" / "wk01")
    return tmp_path / "games"


def test_an_import_keeps_the_first_frame_of_each_level(games: Path) -> None:
    load_environments(games)
    version = Version.objects.get()
    assert [frame.level for frame in version.first_frames.order_by("level")] == [1, 2, 3, 4, 5, 6]
    assert colours(version, 6) >= {8, 9, 14}  # a pit, the player, the goal
    assert len(set(version.first_frames.values_list("frame", flat=True))) == 6


def test_a_draft_takes_its_first_frames_along(games: Path) -> None:
    first = keep_draft(read_source(games / "wk01"))
    assert first.first_frames.count() == 6
    assert not is_used(first)
    path = games / "wk01" / "wk01.py"
    path.write_text(path.read_text() + "\n")
    second = keep_draft(read_source(games / "wk01"))
    assert set(FirstFrame.objects.values_list("version", flat=True)) == {second.pk}


def test_versions_without_first_frames_get_them_once() -> None:
    version = make.environment().current
    assert version is not None
    Environment.objects.create(code="zz00")
    assert keep_missing_first_frames() == 1
    assert version.first_frames.count() == 6
    assert keep_missing_first_frames() == 0


def test_levels_that_do_not_start_have_none() -> None:
    raising = written(draw="if self.game.level_index: raise ValueError('no')")
    assert list(first_frames(raising, 3)) == [1]
    assert list(first_frames(written(construct="os._exit(3)"), 3)) == []
    assert list(first_frames(environment("wk01"), 7)) == [1, 2, 3, 4, 5, 6]


def explored(version: Version, level: int, shortest: int | None, status: JobStatus = JobStatus.DONE) -> None:
    report = {"shortest_win": shortest, "fully_explored": False, "complete_to": 1}
    Exploration.objects.create(
        version=version, seed=0, level=level, status=status, report=report, requested_at=timezone.now()
    )


def tried(version: Version, level: int, wins: list[list[int]], status: JobStatus = JobStatus.DONE) -> None:
    RandomPlay.objects.create(
        version=version, level=level, seed=level, number=0, budget=15, status=status,
        report={"tries": 9, "wins": wins, "faults": {}}, requested_at=timezone.now(),
    )  # fmt: skip


def test_a_version_without_a_win_has_no_fewest_actions() -> None:
    version = version_of("wk01")
    explored(version, 1, None)
    tried(version, 1, [])
    assert fewest(version) == {}


def test_a_recording_counts_for_each_level_that_it_wins() -> None:
    version = walk()
    record(version, RecordingKind.UNFINISHED, [4, 4, 1, 2], [0, 0, 1, 1, 1])
    assert fewest(version) == {1: 2, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3}


def test_the_shortest_win_of_any_source_counts() -> None:
    version = walk()
    explored(version, 2, 5)
    explored(version, 3, 2)
    explored(version, 4, 1, JobStatus.RUNNING)
    tried(version, 5, [[0, 9], [4, 2]])
    tried(version, 6, [[0, 1]], JobStatus.CANCELLED)
    assert fewest(version) == {1: 3, 2: 3, 3: 2, 4: 3, 5: 2, 6: 3}


@pytest.mark.services
def test_every_page_shows_the_same_fewest_actions() -> None:
    version = walk()
    explored(version, 2, 2)
    tried(version, 3, [[0, 2]])
    shown = {1: 3, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3}
    report = baseline_report(version)
    assert {level.level: level.fewest for level in report.levels} == {
        level: Fewest(actions, proven=level == 2) for level, actions in shown.items()
    }
    assert {known.level: known.fewest for known in evidence.verdicts([version])[version.pk]} == shown
    win = Recording.objects.get(version=version, kind=RecordingKind.WIN)
    journal = signed_in(Role.RESEARCHER).get(reverse("review:stored-recording-journal", args=[win.pk]))
    assert journal.json()["fewest"] == list(shown.values())
