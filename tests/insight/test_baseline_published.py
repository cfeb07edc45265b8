"""The official toolkit reads a published baseline and scores with it."""

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from engine.play import source as sources
from playtest.insight.requests import find_version
from playtest.insight.services.publishing import publish
from playtest.insight.services.releases import release
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version
from playtest.studio.services import load_environments
from tests import make
from tests.insight.games_folder import with_walk
from tests.live.games import WALK

pytestmark = pytest.mark.once


def baseline(*arguments: str, code: str = "wk01") -> str:
    output = StringIO()
    call_command("baseline", code, *arguments, stdout=output)
    return output.getvalue()


def solve(study: Study, wasted: int = 0) -> Attempt:
    """Completes wk01 with this many steps into the wall of level 1."""
    return make.play(make.session(study), [*[2] * wasted, *WALK], Outcome.COMPLETED)


@pytest.fixture
def study() -> Study:
    return make.study()


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """The metadata file of a copy of wk01 in a separate games folder."""
    return with_walk(tmp_path) / "metadata.json"


@pytest.mark.django_db
def test_publishing_leaves_the_version_unchanged_and_a_reload_reads_the_baseline(
    study: Study, walk: Path, tmp_path: Path
) -> None:
    version = find_version("wk01")
    for wasted in (2, 4):
        solve(study, wasted)
    before = json.loads(walk.read_text())
    said = baseline("--write", "--provisional", "--json", "--games", str(tmp_path))
    assert json.loads(said)["written"] == str(walk)
    assert json.loads(walk.read_text()) == {**before, "baseline_actions": [7, 3, 3, 3, 3, 3]}
    assert sources.load(walk.parent).digest == version.digest
    [loaded] = load_environments(tmp_path)
    assert loaded.status == "unchanged"
    stored = Version.objects.get()
    assert stored.metadata == {**before, "baseline_actions": [7, 3, 3, 3, 3, 3]}
    assert stored.digest == version.digest


@pytest.mark.django_db
def test_a_release_is_published_with_its_own_numbers(study: Study, walk: Path, tmp_path: Path) -> None:
    solve(study, 5)
    release(find_version("wk01"), None, "A first look.", provisional=True)
    solve(study, 9)
    frozen = json.loads(baseline("--json", "--release", "1"))
    assert frozen["levels"][0]["actions"] == [8]
    assert (frozen["release"], frozen["people"]) == (1, 0)
    baseline("--write", "--provisional", "--release", "1", "--games", str(tmp_path))
    assert json.loads(walk.read_text())["baseline_actions"][0] == 8


REFUSED = {
    "level_without_completer": ["--provisional"],
    "baseline_provisional": [],
    "scope_not_published": ["--provisional", "--with-excluded"],
    "rehearsal_not_published": ["--provisional", "--study", "{rehearsal}"],
    "study_unknown": ["--provisional", "--study", "999"],
    "release_unknown": ["--provisional", "--release", "1"],
    "release_is_frozen": ["--release", "1", "--with-excluded"],
    "folder_missing": ["--provisional", "--games", "{folder}/gone"],
    "environment_not_in_folder": ["--provisional", "--games", "{folder}/empty"],
    "version_not_in_folder": ["--provisional", "--games", "{folder}/other"],
}


@pytest.mark.django_db
def test_a_misleading_baseline_is_not_written(study: Study, walk: Path, tmp_path: Path) -> None:
    before = walk.read_bytes()
    (tmp_path / "empty").mkdir()
    (with_walk(tmp_path / "other") / "wk01.py").write_text("# another source")
    rehearsal = make.study(rehearsal=True)
    solve(rehearsal)
    make.play(make.session(study), WALK[:9])
    found = {}
    for code, arguments in REFUSED.items():
        if code == "baseline_provisional":  # from here on every level has a completer
            solve(study)
        given = [part.format(rehearsal=rehearsal.pk, folder=tmp_path) for part in arguments]
        with pytest.raises(CommandError) as refused:
            baseline("--write", "--games", str(tmp_path), *given)
        found[code] = str(refused.value).partition(":")[0]
    assert found == {code: code for code in REFUSED}
    assert walk.read_bytes() == before


@contextmanager
def full_disk() -> Iterator[None]:
    """Lets every write to a file fail inside the block."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.django_db
def test_a_failed_write_leaves_the_old_file_unchanged(walk: Path, tmp_path: Path) -> None:
    make.environment()
    before = sorted((path.name, path.read_bytes()) for path in walk.parent.iterdir() if path.is_file())
    version = find_version("wk01")
    with pytest.raises(Refusal) as refused, full_disk():
        publish(version, [1, 2, 3, 4, 5, 6], tmp_path)
    assert refused.value.code == "metadata_not_written"
    after = sorted((path.name, path.read_bytes()) for path in walk.parent.iterdir() if path.is_file())
    assert after == before


@pytest.mark.django_db
def test_publishing_changes_no_other_member_of_the_file(walk: Path, tmp_path: Path) -> None:
    make.environment()
    known = json.loads(walk.read_text()) | {"title": "Gänge", "extra": {"b": [1.5, None]}}
    walk.write_text(json.dumps(known))
    version = find_version("wk01")
    publish(version, [1, 2, 3, 4, 5, 6], tmp_path)
    written = walk.read_text()
    assert json.loads(written) == known | {"baseline_actions": [1, 2, 3, 4, 5, 6]}
    assert list(json.loads(written)) == list(known)
    assert "Gänge" in written
    publish(version, [1, 2, 3, 4, 5, 6], tmp_path)
    assert walk.read_text() == written
