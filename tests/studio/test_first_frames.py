"""First frames are drawn when a version is stored, go with it, and are drawn later for older versions."""

from pathlib import Path
from shutil import copytree

import pytest

from engine.play.frames import unpack
from playtest.studio.models import Environment, FirstFrame, Version
from playtest.studio.processes.game import first_frames
from playtest.studio.services import load_environments
from playtest.studio.services.drafts import is_used, keep_draft, read_source
from playtest.studio.services.first_frames import keep_missing_first_frames
from tests import make
from tests.engine.sources import environment, written

pytestmark = [pytest.mark.django_db, pytest.mark.once]


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
    Environment.objects.create(code="none")
    assert keep_missing_first_frames() == 1
    assert version.first_frames.count() == 6
    assert keep_missing_first_frames() == 0


def test_levels_that_do_not_start_have_none() -> None:
    raising = written(draw="if self.game.level_index: raise ValueError('no')")
    assert list(first_frames(raising, 3)) == [1]
    assert list(first_frames(written(construct="os._exit(3)"), 3)) == []
    assert list(first_frames(environment("wk01"), 7)) == [1, 2, 3, 4, 5, 6]
