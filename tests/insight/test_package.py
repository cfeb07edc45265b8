"""A study as a data package: its program finds the published figures again, from the package alone.

Its Python module loads the tables, and its notebook draws the report's figures.
"""

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any

import polars as pl
import pytest
import yaml
from django.core.management import CommandError, call_command
from pytest_django import Settings

from engine.play.recording import read
from playtest.insight.paper.package.describe import csv_name
from playtest.insight.paper.package.write import write_package
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.play.sessions.debriefs import answer_debrief
from playtest.review import codebook
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from playtest.rules.debrief import Answers
from playtest.rules.survey import Kind, Question
from tests import make
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ENOUGH = [*WALK[:6], *[0] * 31]


@pytest.fixture(scope="module")
def study(module_db: None) -> Study:
    """People of every fate: counted, too short, open, excluded whole and from an action on."""
    hours = Question("hours", "Hours?", (), kind=Kind.NUMBER, least=0, most=24)
    story = Question("story", "Story?", (), kind=Kind.TEXT, most=20)
    study = make.study(people=100, survey=(hours, story))
    for number in range(7):
        session = make.session(study, answers={"hours": 3 if number < 5 else 20, "story": "Ann's"})
        walk = [*[0] * number, *ENOUGH]
        make.play(session, walk, Outcome.COMPLETED if number % 2 else Outcome.GAVE_UP)
    attempts = list(Attempt.objects.order_by("pk"))
    settled(attempts[0].session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    settled(
        attempts[1].session, staff(Role.LEAD), DecisionKind.EXCLUDE_FROM, "disturbed",
        attempt_id=attempts[1].pk, from_seq=5,
    )  # fmt: skip
    answer_debrief(attempts[2].pk, Answers(4, "Ann's door"))
    make.play(make.session(study), WALK[:6])
    make.play(make.session(study), ENOUGH, None)
    make.session(study)  # with the others who answered nothing, five whose answers are not shown
    return study


@pytest.fixture(scope="module")
def written(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written") / "package"
    write_package(study, folder, identified=False)
    return folder


@pytest.fixture
def package(written: Path, tmp_path: Path) -> Path:
    return copytree(written, tmp_path / "package")


@pytest.fixture(scope="session")
def polars_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with polars and nothing else."""
    folder = tmp_path_factory.mktemp("packages")
    installed = Path(pl.__file__).parents[1]
    for part in installed.glob("*polars*"):
        (folder / part.name).symlink_to(part)
    return folder


def recomputed(package: Path, packages: Path) -> subprocess.CompletedProcess[str]:
    """Runs the program of a package where neither this project nor any other library can be imported."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(packages)}
    program = [sys.executable, "-S", "recompute.py"]
    return subprocess.run(program, cwd=package, env=environment, capture_output=True, text=True, check=False)


def test_the_published_figures_are_found_again_from_it_alone(package: Path, polars_alone: Path) -> None:
    without = recomputed(package, package)
    assert "No module named 'polars'" in without.stderr
    done = recomputed(package, polars_alone)
    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads((package / "published.json").read_text())
    assert figures["baselines"]
    assert figures["success"] == [{"environment": "wk01", "people": 5, "solved": 2}]
    compared = len(figures["baselines"]) + len(figures["success"]) + 1
    assert f"{compared} published figures compared, 0 differences" in done.stdout


def test_published_figures_that_are_changed_are_named(package: Path, polars_alone: Path) -> None:
    file = package / "published.json"
    figures = json.loads(file.read_text())
    figures["people"] += 1
    figures["baselines"][0]["upper_median"] += 1
    figures["success"][0]["solved"] += 1
    file.write_text(json.dumps(figures))
    done = recomputed(package, polars_alone)
    assert done.returncode == 1
    assert "3 differences" in done.stdout
    for part in ("baseline wk01", "success wk01", "people"):
        assert f"\n{part}" in f"\n{done.stdout}"


def test_an_action_that_is_taken_away_is_found(package: Path, polars_alone: Path) -> None:
    file = package / "parquet" / "entries.parquet"
    entries = pl.read_parquet(file)
    last = entries.filter("level_completed")["attempt"].max()
    entries.filter(~((pl.col("attempt") == last) & pl.col("level_completed"))).write_parquet(file)
    assert recomputed(package, polars_alone).returncode == 1


def test_every_file_has_its_digest_and_every_column_its_meaning(package: Path) -> None:
    for line in (package / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((package / name).read_bytes()).hexdigest() == digest
    listed = {line.split("  ")[1] for line in (package / "SHA256SUMS").read_text().splitlines()}
    files = {file.relative_to(package).as_posix() for file in package.rglob("*") if file.is_file()}
    assert files == listed | {"SHA256SUMS"}
    described = json.loads((package / "dataset_description.json").read_text())
    assert described["@type"] == "Dataset"
    measured = {one["name"] for one in described["variableMeasured"]}
    tables = sorted((package / "data").iterdir())
    assert len(tables) == len(list((package / "parquet").iterdir()))
    for table in tables:
        assert re.fullmatch(r"[a-z]+-[a-zA-Z0-9]+(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv", table.name)
        assert set(table.read_text("utf-8-sig").partition("\n")[0].split(",")) <= measured


def card_of(package: Path) -> dict[str, Any]:
    _, header, _ = (package / "README.md").read_text().split("---\n", 2)
    found: dict[str, Any] = yaml.safe_load(header)
    return found


def test_the_card_names_every_table_with_rows_as_datasets_loads_no_other(package: Path) -> None:
    named = [one["data_files"] for one in card_of(package)["configs"]]
    files = sorted((package / "parquet").iterdir())
    full = [f"parquet/{file.name}" for file in files if pl.read_parquet(file).height]
    assert sorted(named) == [[file] for file in full]
    assert 0 < len(full) < len(files)


@pytest.mark.parametrize(
    ("given", "center", "shown"),
    [
        ("", "", {"license": "unknown"}),
        ("", "CC-BY-4.0", {"license": "cc-by-4.0"}),
        ("For the “lab” alone", "cc-by-4.0", {"license": "other", "license_name": "For the “lab” alone"}),
    ],
)
def test_the_card_has_the_licence_of_the_package_or_the_centers(
    tmp_path: Path, settings: Settings, given: str, center: str, shown: dict[str, str]
) -> None:
    settings.DATA_LICENCE = center
    write_package(make.study("ck01", name="Nobody yet"), tmp_path / "one", identified=False, licence=given)
    card = card_of(tmp_path / "one")
    assert {name: card[name] for name in shown} == shown
    text = (tmp_path / "one" / "README.md").read_text()
    assert ("Licence: none is named" in text) == (not given and not center)


def test_studies_with_other_names_have_files_with_other_names() -> None:
    names = ("ab", "a/b", "a:b", "a b", "", "é", "日")
    files = {csv_name(Study(name=name), "attempts") for name in names}
    assert len(files) == len(names)
    assert csv_name(Study(name="ab"), "level_results") == "study-ab_description-levelresults_data.csv"


def test_recordings_protocols_and_what_people_said_are_in_it(package: Path, study: Study) -> None:
    ended = Attempt.objects.exclude(ended_at=None)
    files = sorted((package / "recordings").iterdir())
    assert len(files) == ended.count()
    for file in files:
        attempt = ended.get(pk=int(file.name.partition("-")[0]))
        with gzip.open(file, "rt") as lines:
            assert len(read(list(lines)).turns) == attempt.actions + 1
    protocol = json.loads((package / "protocols" / "version-1.json").read_text())
    assert protocol["digest"] == study.newest_version.digest
    assert pl.read_parquet(package / "parquet" / "debriefs.parquet")["about"].to_list() == ["Ann's door"]


def test_the_public_variant_names_nobody_and_gives_the_figures_again(
    study: Study, tmp_path: Path, polars_alone: Path
) -> None:
    folder = tmp_path / "public"
    write_package(make.closed(study), folder, identified=False, public=True)
    done = recomputed(folder, polars_alone)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    sessions = pl.read_parquet(folder / "parquet" / "sessions.parquet")
    assert not {"station", "reference", "survey_story"} & set(sessions.columns)
    for file in folder.rglob("*"):
        assert file.is_dir() or b"Ann" not in file.read_bytes(), file
    assert not (folder / "dataset.json").exists()
    assert "| debriefs, events, comments |" in (folder / "README.md").read_text()


def export(study: Study, folder: Path, **options: Any) -> None:
    call_command("export_study", study.name, to=folder, **options)


def test_what_cannot_be_written_is_refused_with_its_code(study: Study, tmp_path: Path, package: Path) -> None:
    with pytest.raises(Refusal) as refused:
        write_package(study, tmp_path / "other", identified=True, public=True)
    assert refused.value.code == "public_identified"
    with pytest.raises(CommandError, match="folder_not_empty"):
        export(study, package, package=True)
    with pytest.raises(CommandError, match="package_missing"):
        export(study, tmp_path / "other", public=True)


def test_a_study_without_anybody_is_a_package_too(tmp_path: Path, polars_alone: Path) -> None:
    export(make.study("ck01", name="Nobody yet"), tmp_path / "empty", package=True)
    assert recomputed(tmp_path / "empty", polars_alone).returncode == 0


_DRAWN = """
import json, sys
import matplotlib
matplotlib.use("Agg")
sys.path.insert(0, "")
shared = {}
for cell in json.load(open("figures.ipynb"))["cells"]:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]), shared)
axes = {name: shared[name].axes[0] for name in ("fig4", "fig6", "fig7", "fig8")}
print(json.dumps({
    "people": [[line.get_xdata()[-1], line.get_ydata()[-1]] for line in axes["fig4"].lines],
    "scores": [text.get_text() for text in axes["fig4"].texts],
    "completions": sum(bar.get_height() for bar in axes["fig6"].patches),
    "attempts": [text.get_text() for text in axes["fig7"].get_legend().get_texts()],
    "actions": {line.get_label(): [int(y) for y in line.get_ydata()] for line in axes["fig8"].lines},
}, default=float))
"""


def in_python(folder: Path, program: str) -> str:
    """What a program prints in a folder, without this project's modules."""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_three_lines_load_every_table_of_the_codebook(written: Path) -> None:
    program = (
        "from package.load import load\n"
        "for kind in ('polars', 'pandas'):\n"
        "  for name, one in vars(load('package', kind)).items():\n"
        "    print(name, type(one).__module__.partition('.')[0], len(one))\n"
        "try: load('elsewhere')\n"
        "except FileNotFoundError as error: print(error)"
    )
    tables = sorted(table.name for table in codebook.TABLES)
    rows = {name: pl.read_parquet(written / "parquet" / f"{name}.parquet").height for name in tables}
    kinds = ("polars", "pandas")
    *loaded, refused = in_python(written.parent, program).splitlines()
    assert loaded == [f"{name} {kind} {count}" for kind in kinds for name, count in rows.items()]
    assert "elsewhere is no data package" in refused


def drawn(package: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(in_python(package, _DRAWN).splitlines()[-1])
    return found


def test_the_notebook_draws_the_reports_figures(written: Path) -> None:
    published = json.loads((written / "published.json").read_text())
    baselines = [row["upper_median"] for row in published["baselines"]]
    found = drawn(written)
    assert found["actions"]["human baseline"] == baselines
    assert found["actions"]["best first run"] == [
        row["actions"] for row in json.loads((written / "fewest.json").read_text())
    ]
    assert found["completions"] == sum(row["completers"] for row in published["baselines"])
    assert found["attempts"] == ["solved (n = 2)", "not solved (n = 3)"]
    assert len(found["people"]) == len(found["scores"]) > 5


def test_the_notebook_runs_where_nobody_has_played(tmp_path: Path) -> None:
    write_package(make.study("ck01", name="Nobody yet"), tmp_path / "package", identified=False)
    assert drawn(tmp_path / "package")["people"] == []
