"""A data package that is imported gives the study again: its tables, figures, replays, chains and seals."""

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from shutil import copytree, make_archive
from typing import Any

import polars as pl
import pytest
from django.apps import apps
from django.urls import reverse

from playtest.center.interventions.services import add_note, void_attempt
from playtest.center.same_records import link_records
from playtest.insight.outside.jobs import cancel, do_import, request_import
from playtest.insight.paper.package.import_session import import_session
from playtest.insight.paper.package.importing import import_package
from playtest.insight.paper.package.write import write_package
from playtest.insight.scope import EVERYONE, Scope
from playtest.jobs import lifecycle
from playtest.people.record.rows import row_faults
from playtest.people.record.upgrade import linked_models
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, OutsideAttempt, Session, SessionEnd, Study
from playtest.play.sessions.clocks import change, granting
from playtest.play.sessions.ends import end_session
from playtest.review.models import Flag
from playtest.review.services.collections import CommentContent, add_comment
from playtest.review.services.effort import assess
from playtest.review.services.verification import check_record
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, Version
from playtest.studio.models.environments import ReleaseSet
from playtest.studio.services.masks import decide
from tests import make
from tests.databases import copy_sqlite_template
from tests.insight.test_package import polars_alone as polars_alone
from tests.insight.test_package import recomputed
from tests.insight.test_package import study as people_of_every_fate  # noqa: F401
from tests.insight.test_package_of_tasks import study as tasks_of_every_fate  # noqa: F401
from tests.live.seeder import ROOT, SETTINGS
from tests.review.cases import TRIED, hasty
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PACKAGE = "playtest.insight.paper.package"
_OWN = ("SHA256SUMS", "README.md", "dataset_description.json", "fewest.json", "signed_days.json")
"""Files that name the study or what the installation itself knows."""


@pytest.fixture(scope="module")
def study(people_of_every_fate: Study) -> Study:  # noqa: F811
    """With pauses, granted time, a void, notes, flags, comments and two records of one person."""
    study, proctor = people_of_every_fate, staff(Role.PROCTOR)
    session = make.session(study)
    change(session, proctor, granting(300, environment=False, session_too=True, reason="Late bus"))
    paused = make.play(session, TRIED, minutes_ago=30, pause=(4, 90.0))
    add_comment(paused, staff(Role.RESEARCHER), 3, 2.5, CommentContent.of("Ann hesitates", ["lost"]))
    add_note(session, proctor, "Ann asked for water.")
    voided = make.play(make.session(study), [*[0] * 40])
    void_attempt(voided, proctor, "technical", "The screen went dark.")
    hasty(study)
    assess(study.sessions.filter(attempts__ended_at__isnull=False).distinct())
    assert Flag.objects.exists()
    first, second = make.session(study), make.session(study)
    make.play(first, [*[0] * 40])
    make.play(second, [*[0] * 41])
    link_records(first.participant, second.participant.label, "the desk knows", staff(Role.LEAD))
    return study


@pytest.fixture(scope="module")
def package(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(study, tmp_path_factory.mktemp("written") / "package")


def written(study: Study, folder: Path, **options: Any) -> Path:
    write_package(study, folder, identified=False, **options)
    return folder


_ELSE = "under_review"
"""What was played elsewhere waits for no reviewer here."""


def contents(folder: Path, study: str) -> dict[str, Any]:
    """Every file but those of the installation, with the study's name left out.

    Every recording names the source that the README names, or none.
    """
    found, origins = dict[str, Any](), set[str]()
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.is_dir() or name in _OWN:
            continue
        if file.suffix == ".parquet":
            found[name] = pl.read_parquet(file).drop(_ELSE, strict=False).to_dicts()
        elif file.suffix == ".csv":
            name = re.sub("study-[a-zA-Z0-9]+_", "study-STUDY_", name)
            found[name] = pl.read_csv(file, infer_schema=False).drop(_ELSE, strict=False).to_dicts()
        elif file.suffix in (".json", ".md"):
            found[name] = file.read_text().replace(json.dumps(study, ensure_ascii=False), '"STUDY"')
        elif file.suffix == ".gz":
            first, *others = gzip.decompress(file.read_bytes()).splitlines()
            header = json.loads(first)
            origins.add(header.pop("source", ""))
            found[name] = header, others
        else:
            found[name] = file.read_bytes()
    assert origins == {_origin(folder)}
    return found


def _origin(folder: Path) -> str:
    """Where the README says that the data are from."""
    _, _, said = (folder / "README.md").read_text().partition("from outside the center that wrote this. ")
    return said.partition("\n")[0]


@pytest.mark.services
def test_an_imported_package_is_the_study_again(package: Path, study: Study, tmp_path: Path) -> None:
    done = import_package(package, name="Elsewhere")
    assert (done.new, done.skipped, done.differences) == (study.sessions.count(), 0, ())
    again = contents(written(done.study, tmp_path / "again"), "Elsewhere")
    assert done.study.outside.digest in _origin(tmp_path / "again")
    # The open session of the source is over here.
    first = contents(package, study.name)
    assert again.keys() == first.keys()
    for name in first:
        if "sessions" not in name and name != "dataset.json":
            assert again[name] == first[name], name
    for ours, theirs in zip(
        again["parquet/sessions.parquet"], first["parquet/sessions.parquet"], strict=True
    ):
        if theirs["ended_at"] is None:
            assert ours.pop("end_reason") == "imported"
            theirs.pop("end_reason"), theirs.pop("ended_at"), ours.pop("ended_at")
        assert ours == theirs
    assert list(Flag.objects.filter(session__study=done.study))
    assert differences(done.study) == differences(study)
    assert not [fault for model in linked_models() for fault in row_faults(model)]
    assert not EVERYONE.attempts.filter(session__study=done.study)
    assert "sealed by the hash chains of its source" in Scope(done.study).description
    assert source_heading(done.study) == "2 of 3 levels agree"
    for version in Version.objects.all():
        version.metadata.pop("baseline_actions", None)
        version.save(update_fields=["metadata"])
    assert source_heading(done.study) == "The source gives no counts to compare with"


def source_heading(study: Study) -> str:
    """What the page that compares it with its source says first."""
    page = signed_in(Role.LEAD).get(reverse("insight:study-source", args=[study.pk])).content.decode()
    return page.partition("<h1>")[2].partition("</h1>")[0]


def differences(study: Study) -> dict[int, list[str]]:
    """What the check of the record finds in each attempt that has ended, by its number at the source."""
    ended = Attempt.objects.filter(session__study=study, ended_at__isnull=False).order_by("pk")
    names = dict(study.outside_names.filter(kind="attempt").values_list("row", "name"))
    return {
        int(names.get(one.attempt_id, one.attempt_id)): [found.code for found in one.differences]
        for one in check_record(ended.values_list("pk", flat=True))
    }


def rows() -> dict[str, int]:
    """How many rows every table has."""
    return {model._meta.db_table: model._base_manager.count() for model in apps.get_models()}


def test_the_same_package_first_from_a_zip_file_and_then_again_adds_nothing(
    package: Path, tmp_path: Path
) -> None:
    packed = Path(make_archive(str(tmp_path / "packed"), "zip", package.parent, package.name))
    first = import_package(packed, name="Elsewhere")
    assert first.differences == ()
    before = rows()
    again = import_package(package)
    assert (again.study, again.new, again.skipped) == (first.study, 0, first.new)
    assert rows() == before


def test_an_import_that_ended_early_goes_on(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def fails_at_the_third(to: Any, row: Any) -> None:
        calls.append(row)
        import_session(to, row)
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(f"{PACKAGE}.importing.import_session", fails_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        import_package(package, name="Elsewhere")
    monkeypatch.undo()
    done = import_package(package)
    assert (done.skipped, done.differences) == (3, ())
    assert done.study.sessions.count() == done.new + 3


def test_a_cancelled_import_leads_to_what_it_imported(
    package: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IMPORT_DIR = package.parent
    monkeypatch.setattr(lifecycle, "_SECONDS_BETWEEN_REPORTS", 0.0)
    job = request_import(package.name, lambda key: None, by=staff(Role.LEAD), name="Elsewhere")

    def cancelled(*given: Any) -> None:
        import_session(*given)
        cancel(job.pk)

    monkeypatch.setattr(f"{PACKAGE}.importing.import_session", cancelled)
    do_import(job.pk)
    made = Study.objects.get(name="Elsewhere")
    page = signed_in(Role.LEAD).get(reverse("insight:study-import", args=[job.pk])).content.decode()
    assert made.sessions.count() == 1
    assert "The import was cancelled" in page
    assert reverse("insight:study", args=[made.pk]) in page


def test_a_session_is_imported_whole_or_not_at_all(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"{PACKAGE}.import_session._judged", fails)
    with pytest.raises(KeyboardInterrupt):
        import_package(package, name="Elsewhere")
    assert not Session.objects.filter(study__name="Elsewhere")


def changed(name: str, change: Callable[[Path], object]) -> Callable[[Path], None]:
    def made(folder: Path) -> None:
        change(folder / name)

    return made


def resealed(folder: Path) -> None:
    """Another action in an attempt, with the digests of the files made again."""
    from playtest.insight.paper.package.write import _write_sums

    file = folder / "parquet" / "entries.parquet"
    table = pl.read_parquet(file)
    other = pl.when(pl.col("seq") == 2).then(1 - pl.col("action").clip(0, 1)).otherwise(pl.col("action"))
    table.with_columns(other.alias("action")).write_parquet(file)
    (folder / "SHA256SUMS").unlink()
    _write_sums(folder)


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (changed("published.json", lambda file: file.write_text("{}")), "package_damaged"),
        (changed("parquet/entries.parquet", Path.unlink), "package_damaged"),
        (changed("SHA256SUMS", Path.unlink), "package_missing"),
        (resealed, "chain_broken"),
    ],
)
def test_a_damaged_package_is_refused(
    package: Path, tmp_path: Path, damage: Callable[[Path], None], code: str
) -> None:
    folder = copytree(package, tmp_path / "damaged")
    damage(folder)
    with pytest.raises(Refusal) as refused:
        import_package(folder, name="Elsewhere")
    assert refused.value.code == code
    assert not Session.objects.filter(study__name="Elsewhere").exists() or code == "chain_broken"


def test_a_file_that_is_no_zip_and_a_taken_name_are_refused(package: Path, tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_bytes(b"PK")
    with pytest.raises(Refusal, match=r"no\.zip") as refused:
        import_package(tmp_path / "no.zip")
    assert refused.value.code == "package_damaged"
    with pytest.raises(Refusal, match="another name") as taken:
        import_package(package)
    assert taken.value.code == "name_taken"


def test_versions_that_are_not_here_are_named(package: Path) -> None:
    Version.objects.filter(environment__code="wk01").update(is_draft=True)
    with pytest.raises(Refusal, match=r"wk01 \(") as refused:
        import_package(package, name="Elsewhere")
    assert refused.value.code == "versions_missing"


def test_sources_leave_of_the_public_set_alone(study: Study, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="wk01") as refused:
        written(study, tmp_path / "with", with_environments=True)
    assert refused.value.code == "sources_not_public"


def test_a_public_package_comes_without_the_chain_and_says_so(
    study: Study, tmp_path: Path, polars_alone: Path
) -> None:
    folder = written(make.closed(study), tmp_path / "public", public=True)
    done = import_package(folder, name="Elsewhere")
    assert done.differences == ()
    assert "without the hash chain of its source" in Scope(done.study).description
    assert not {"chain_broken", "seal_broken", "first_frame_differs"} & set(
        chain.from_iterable(differences(done.study).values())
    )
    attempts = Attempt.objects.filter(session__study=done.study)
    assert set(OutsideAttempt.objects.filter(attempt__in=attempts).values_list("timed", flat=True)) == {False}
    public = written(done.study, tmp_path / "public again", public=True)
    assert done.study.outside.digest not in (public / "README.md").read_text()
    assert "licence: not given." in _origin(public)
    assert contents(public, "Elsewhere")
    again = written(done.study, tmp_path / "again")
    assert recomputed(again, polars_alone).returncode == 0
    assert pl.read_parquet(again / "parquet" / "attempts.parquet")["seal"].null_count() == attempts.count()
    assert "without the hash chain" in Scope(import_package(again, name="Again").study).description


def test_tasks_come_with_edits_and_submissions(tasks_of_every_fate: Study, tmp_path: Path) -> None:  # noqa: F811
    first = written(tasks_of_every_fate, tmp_path / "package")
    done = import_package(first, name="Elsewhere")
    assert done.differences == ()
    again = written(done.study, tmp_path / "again")
    for name in ("entries", "edits", "submissions", "level_results", "attempts", "events"):
        table = f"parquet/{name}.parquet"
        assert pl.read_parquet(again / table).equals(pl.read_parquet(first / table)), name
    public = import_package(
        written(make.closed(tasks_of_every_fate), tmp_path / "public", public=True), name="Public"
    )
    assert public.differences == ()


_ELSEWHERE = """
import sys
from pathlib import Path
import django
django.setup()
from playtest.insight.paper.package.importing import import_package
from playtest.insight.paper.package.write import write_package
done = import_package(Path(sys.argv[1]))
assert not done.differences, done.differences
write_package(done.study, Path(sys.argv[2]), identified=False)
"""


def empty_installation(folder: Path) -> dict[str, str]:
    """Settings of an installation on SQLite with a key of its own, in which nothing is."""
    folder.mkdir()
    copy_sqlite_template(folder / "playtest.sqlite3")
    services = ("DATABASE_URL", "REDIS_URL")
    own = {**SETTINGS, "DATA_DIR": str(folder), "SECRET_KEY": "another installation's"}
    return {name: value for name, value in os.environ.items() if name not in services} | own


def test_an_empty_installation_gives_the_same_package_again(tmp_path: Path) -> None:
    study = make.study(name="Center A", people=100)
    for number in range(3):
        session = make.session(study)
        make.play(session, [*[0] * number, *TRIED], Outcome.GAVE_UP, minutes_ago=30)
        end_session(session, SessionEnd.ENDED_BY_STAFF)
    assess(study.sessions.all())
    Environment.objects.update(release_set=ReleaseSet.PUBLIC)
    decide(
        Version.objects.filter(attempts__session__study=study).distinct().get(),
        "0 0 4 1",
        "the counter",
        staff(Role.DESIGNER),
    )
    first = written(study, tmp_path / "first", with_environments=True)
    environment = empty_installation(tmp_path / "data")
    program = [sys.executable, "-c", _ELSEWHERE, str(first), str(tmp_path / "there")]
    done = subprocess.run(program, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert '"decided": true' in (tmp_path / "there" / "masks.json").read_text()
    here = import_package(tmp_path / "there", name="Center A, imported")
    assert here.differences == ()
    again = contents(written(here.study, tmp_path / "again"), here.study.name)
    expected = contents(first, study.name)
    assert {name: again.get(name) for name in expected if "environments/" not in name} == {
        name: value for name, value in expected.items() if "environments/" not in name
    }
