"""A data package in Python: its module loads the tables, and its notebook draws the report's figures."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from playtest.insight.paper.package.write import write_package
from playtest.play.models import Study
from playtest.review import codebook
from tests import make
from tests.insight.test_package import study as study

pytestmark = [pytest.mark.django_db, pytest.mark.once]

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


@pytest.fixture(scope="module")
def package(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written") / "package"
    write_package(study, folder, identified=False)
    return folder


def in_python(folder: Path, program: str) -> str:
    """What a program prints in a folder, without this project's modules."""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_three_lines_load_every_table_of_the_codebook(package: Path) -> None:
    program = (
        "from package.load import load\n"
        "for kind in ('polars', 'pandas'):\n"
        "  for name, one in vars(load('package', kind)).items():\n"
        "    print(name, type(one).__module__.partition('.')[0], len(one))"
    )
    tables = sorted(table.name for table in codebook.TABLES)
    rows = {name: pl.read_parquet(package / "parquet" / f"{name}.parquet").height for name in tables}
    kinds = ("polars", "pandas")
    expected = [f"{name} {kind} {count}" for kind in kinds for name, count in rows.items()]
    assert in_python(package.parent, program).splitlines() == expected


def test_what_is_no_package_is_said(package: Path) -> None:
    program = (
        "from package.load import load\n"
        "try: load('elsewhere')\n"
        "except FileNotFoundError as error: print(error)"
    )
    assert "elsewhere is no data package" in in_python(package.parent, program)


def drawn(package: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(in_python(package, _DRAWN).splitlines()[-1])
    return found


def test_the_notebook_draws_the_reports_figures(package: Path) -> None:
    published = json.loads((package / "published.json").read_text())
    baselines = [row["upper_median"] for row in published["baselines"]]
    found = drawn(package)
    assert found["actions"]["human baseline"] == baselines
    assert found["actions"]["best first run"] == [
        row["actions"] for row in json.loads((package / "fewest.json").read_text())
    ]
    assert found["completions"] == sum(row["completers"] for row in published["baselines"])
    assert found["attempts"] == ["solved (n = 2)", "not solved (n = 3)"]
    assert len(found["people"]) == len(found["scores"]) > 5


def test_the_notebook_runs_where_nobody_has_played(tmp_path: Path) -> None:
    write_package(make.study("ck01", name="Nobody yet"), tmp_path / "package", identified=False)
    assert drawn(tmp_path / "package")["people"] == []
