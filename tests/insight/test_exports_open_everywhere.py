"""Files of exports open in pandas, polars and R as they are; their README gives the released baseline."""

import re
import shutil
import subprocess
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from django.conf import settings

from playtest.insight.paper.package.write import write_package
from playtest.insight.requests import find_version
from playtest.insight.services.releases import release
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Study
from playtest.play.sessions.debriefs import answer_debrief
from playtest.review import codebook, reading
from playtest.review.models import DecisionKind
from playtest.review.services.dataset import write_dataset
from playtest.rules.attempt import Outcome
from playtest.rules.debrief import Answers
from playtest.rules.spreadsheets import guarded
from tests import make
from tests.insight.up_to_date import up_to_date
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

MISREAD = ("null", "mar1", "true", "1e10", "NA", "007", "=1+1", "José, “日本”")


@pytest.fixture(scope="module")
def study(module_db: None) -> Study:
    """People with such references who solved it in other numbers of actions, one excluded in part."""
    study = make.study(people=100)
    attempts = []
    for wasted, text in enumerate(MISREAD):
        attempt = make.play(
            make.session(study, new_participant(text)), [*[2] * wasted, *WALK], Outcome.COMPLETED
        )
        answer_debrief(attempt.pk, Answers(None if wasted % 2 else 3, text))
        attempts.append(attempt)
    settled(
        attempts[-1].session, staff(Role.LEAD), DecisionKind.EXCLUDE_FROM, "disturbed",
        attempt_id=attempts[-1].pk, from_seq=12,
    )  # fmt: skip
    make.play(make.session(study), WALK[:7], Outcome.SESSION_OVER)
    return study


TYPES = {
    "integer": (pl.Int64,),
    "number": (pl.Float64,),
    "boolean": (pl.Boolean,),
    "text": (pl.String,),
    "time": (pl.String, pl.Datetime),
}


def is_same(kind: str, written: Any, read: Any, *, from_csv: bool) -> bool:
    """Whether a value that a program read is what Parquet has; times in CSV are text in UTC."""
    if pd.isna(read):
        return written is None or (from_csv and written == "")
    if kind == "time":
        return bool((datetime.fromisoformat(read) if isinstance(read, str) else read) == written)
    if kind == "text":
        return bool(read == (guarded(written) if from_csv else written))
    return bool(read == written) and isinstance(read, bool) == (kind == "boolean")


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_every_file_opens_in_pandas_and_polars_as_it_is(study: Study, tmp_path: Path, form: str) -> None:
    write_dataset(study, tmp_path, "parquet", identified=True)
    write_dataset(study, tmp_path, form, identified=True)
    for table in codebook.TABLES:
        written = pl.read_parquet(tmp_path / f"{table.name}.parquet")
        file = tmp_path / f"{table.name}.{form}"
        pandas = (pd.read_csv if form == "csv" else pd.read_parquet)(file)
        polars = (pl.read_csv if form == "csv" else pl.read_parquet)(file)
        assert list(pandas.columns) == polars.columns == list(table.column_names)
        for column in table.columns:
            values = written[column.name].to_list()
            if column.name == "rule_version" and form == "csv":  # text, and a number as it is
                values, column = [int(value) for value in values], replace(column, kind="integer")
            if any(value is not None for value in values):
                assert isinstance(polars[column.name].dtype, TYPES[column.kind]), column
            for found in (pandas[column.name].tolist(), polars[column.name].to_list()):
                assert len(found) == len(values)
                pairs = zip(values, found, strict=True)
                wrong = [one for one in pairs if not is_same(column.kind, *one, from_csv=form == "csv")]
                assert not wrong, (table.name, column.name, wrong[:3])


def test_csv_begins_with_the_mark_of_utf_8(study: Study, tmp_path: Path) -> None:
    write_dataset(study, tmp_path, "csv", identified=True)
    assert all(file.read_bytes().startswith(b"\xef\xbb\xbf") for file in tmp_path.glob("*.csv"))
    assert "José, “日本”" in (tmp_path / "sessions.csv").read_text("utf-8-sig")


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_csv_opens_in_r(study: Study, tmp_path: Path) -> None:
    write_dataset(study, tmp_path, "csv", identified=True)
    program = """
        for (file in list.files(pattern = "[.]csv$")) {
            table <- read.csv(file, fileEncoding = "UTF-8-BOM")
            cat(file, nrow(table), names(table)[1], "\\n")
        }
        print(class(read.csv("entries.csv", fileEncoding = "UTF-8-BOM")$state_hash))"""
    done = subprocess.run(
        ["Rscript", "-e", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    for table in codebook.TABLES:
        rows = pl.read_csv(tmp_path / f"{table.name}.csv").height
        assert f"{table.name}.csv {rows} {table.column_names[0]} \n" in done.stdout
    assert '"character"' in done.stdout


def programs(readme: str) -> list[str]:
    return [lines for lines in re.findall("```python\n(.*?)```", readme, re.DOTALL) if "baseline" in lines]


@pytest.mark.parametrize("form", ["csv", "parquet", "package"])
def test_three_lines_of_the_readme_give_the_released_baseline(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    up_to_date()
    version = find_version("wk01")
    made = release(version, staff(Role.LEAD), "A first look.", provisional=True)
    released = {("wk01", version.digest, one["level"]): one["upper_median"] for one in made.levels}
    if form == "package":
        write_package(study, tmp_path / "data", identified=False)
    else:
        write_dataset(study, tmp_path / "data", form, identified=False)
    monkeypatch.chdir(tmp_path / "data")
    with_polars, with_pandas = programs(Path("README.md").read_text())
    assert {row[:3]: row[3] for row in _run(with_polars).iter_rows()} == released
    assert _run(with_pandas).to_dict() == released
    assert len(released) == 6


def test_the_page_of_the_documentation_has_the_same_lines() -> None:
    readme = "\n".join(reading.baseline_lines("level_results.parquet"))
    page = (settings.BASE_DIR / "docs" / "analysing.md").read_text()
    assert programs(readme) == programs(page)[:2]


def _run(lines: str) -> Any:
    assert len([line for line in lines.splitlines() if line]) == 3
    found: dict[str, Any] = {}
    exec(lines, found)
    return found["baseline"]
