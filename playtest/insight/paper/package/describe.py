"""The two descriptions of a package: Psych-DS for psychologists, a dataset card for machine learners."""

import json
import re
from collections.abc import Sequence
from typing import Any

import polars as pl

from playtest.insight.scope import Scope
from playtest.play.models import Study
from playtest.review.codebook import Table

_NOT_A_KEYWORD = re.compile("[^a-zA-Z0-9]+")
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def csv_name(study: Study, table: str) -> str:
    """The name of a table's CSV file, as Psych-DS wants it: pairs of keyword and value, then `_data`."""
    name = _NOT_A_KEYWORD.sub("", study.name) or str(study.pk)
    return f"study-{name}_description-{_NOT_A_KEYWORD.sub('', table)}_data.csv"


def psych_ds(study: Study, tables: Sequence[Table], columns: dict[str, list[str]]) -> str:
    """`dataset_description.json`: JSON-LD of schema.org, with a PropertyValue for each column of a table."""
    document: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.name,
        "description": _description(study),
        "schemaVersion": "Psych-DS 0.4.0",
        "variableMeasured": _variables(tables, columns),
        "keywords": ["interactive reasoning", "human baseline"],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def card(study: Study, frames: dict[str, pl.DataFrame], tables: Sequence[Table], *, public: bool) -> str:
    """`README.md`: a dataset card with YAML metadata, each table as a configuration of its own."""
    rows = sum(frame.height for frame in frames.values())
    size = next((name for most, name in _SIZES if rows < most), "n>1M")
    lines = ["---", f"pretty_name: {json.dumps(study.name, ensure_ascii=False)}", "language:", "- en"]
    lines += [
        "tags:",
        "- human-baseline",
        "- interactive-reasoning",
        "size_categories:",
        f"- {size}",
        "configs:",
    ]
    for table in tables:
        lines += [f"- config_name: {table.name}", "  data_files:", f"  - parquet/{table.name}.parquet"]
    lines += ["---", "", f"# {study.name}", "", _description(study), ""]
    if public:
        lines += [*_PUBLIC, ""]
    lines += ["| table | rows | what a row is |", "| --- | --- | --- |"]
    lines += [f"| `{table.name}` | {frames[table.name].height:,} | {table.meaning} |" for table in tables]
    return "\n".join([*lines, "", *_FILES]) + "\n"


_PUBLIC = (
    "This is the public variant: times are rounded down to the hour; seats, texts that people wrote and",
    "details of events are left out; answers to the survey are groups of at least five people.",
)
_FILES = (
    "In three lines of Python, with polars or pandas:",
    "",
    "```python",
    "from package.load import load  # the folder of this file is called package",
    'study = load("package")  # or load("package", "pandas")',
    "print(study.attempts)",
    "```",
    "",
    "`figures.ipynb` is a notebook that draws figures 4, 6, 7 and 8 of the technical report of ARC-AGI-3",
    "from these tables. `fewest.json` has the fewest actions known of each completed level.",
    "",
    "`codebook.md` describes every column. `parquet/` and `data/` have the same tables, `recordings/` the",
    "official recordings of all attempts (JSON lines, gzip), `protocols/` every version of what the study",
    "prescribed.",
    "",
    "`published.json` has the baselines and success rates that were published; `recompute.py`",
    "(it needs polars) computes them and who counts again from the package alone, and the hash chain",
    "of every attempt (not in the public variant), and exits with status 1 if one differs.",
    "",
    "`SHA256SUMS` has the digest of every file: `sha256sum --check SHA256SUMS`.",
)


def _description(study: Study) -> str:
    kind = "A rehearsal with simulated people" if study.rehearsal else "A study with people"
    return (
        f"{kind} who played environments without instructions, turn-based ones of 64x64 cells or static"
        " tasks: sessions, attempts, every action or edit, submissions, the log of events, effort flags and"
        f" decisions of reviewers. Of actions, {Scope(study).undo}.{_origin(study)}"
    )


def _origin(study: Study) -> str:
    return (
        f" The data are from outside the center that wrote this. {study.outside.full_origin}"
        if study.is_outside
        else ""
    )


def _variables(tables: Sequence[Table], columns: dict[str, list[str]]) -> list[dict[str, Any]]:
    """Each column name once; its description names every table that has it with another meaning."""
    meanings: dict[str, dict[str, None]] = {}
    for table in tables:
        for column in table.columns:
            if column.name in columns[table.name]:
                meanings.setdefault(column.name, {})[column.meaning] = None
    return [
        {"@type": "PropertyValue", "name": name, "description": " / ".join(found)}
        for name, found in meanings.items()
    ]
