"""The two descriptions of a package: Psych-DS for psychologists, a dataset card for machine learners."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl
from django.conf import settings

from playtest.insight.scope import Scope
from playtest.play.models import Study
from playtest.review.codebook import Table
from playtest.review.reading import baseline_lines

_NOT_A_KEYWORD = re.compile("[^a-zA-Z0-9]+")
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def csv_name(study: Study, table: str) -> str:
    """The name of a table's CSV file, as Psych-DS wants it: pairs of keyword and value, then `_data`.

    Values have letters and digits alone: a name with others ends in its digest, so that two names differ.
    """
    name = _NOT_A_KEYWORD.sub("", study.name)
    if name != study.name:
        name += sha256(study.name.encode()).hexdigest()[:8]
    return f"study-{name}_description-{_NOT_A_KEYWORD.sub('', table)}_data.csv"


def psych_ds(study: Study, tables: Sequence[Table], columns: dict[str, list[str]], *, public: bool) -> str:
    """`dataset_description.json`: JSON-LD of schema.org, with a PropertyValue for each column of a table."""
    document: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.name,
        "description": _description(study, public=public),
        "schemaVersion": "Psych-DS 0.4.0",
        "variableMeasured": _variables(tables, columns),
        "keywords": ["interactive reasoning", "human baseline"],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def card(
    study: Study, frames: dict[str, pl.DataFrame], tables: Sequence[Table], *, public: bool, licence: str
) -> str:
    """`README.md`: a dataset card with YAML metadata, each table as a configuration of its own.

    Those without rows are none, because `datasets` loads no empty table.
    """
    rows = {table.name: frames[table.name].height for table in tables}
    lines = front_matter(study.name, rows, ("human-baseline", "interactive-reasoning"), licence)
    lines += ["", f"# {study.name}", "", _description(study, public=public), ""]
    variant = "public variant, which names nobody" if public else "full variant, for who may see all of it"
    lines += [f"This is the {variant}.", "", *_variants(), ""]
    lines += [f"Licence: {licence or NO_LICENCE}", ""]
    lines += table_of_tables(tables, rows)
    return "\n".join([*lines, "", *baseline_lines("parquet/level_results.parquet"), "", _FILES.read_text()])


def front_matter(name: str, rows: Mapping[str, int], tags: Iterable[str], licence: str) -> list[str]:
    """The YAML of a dataset card: `parquet/<table>.parquet` of each table with rows is a configuration."""
    total = sum(rows.values())
    size = next((name for most, name in _SIZES if total < most), "n>1M")
    lines = ["---", f"pretty_name: {_quoted(name)}", *_licence(licence), "language:", "- en", "tags:"]
    lines += [*(f"- {tag}" for tag in tags), "size_categories:", f"- {size}"]
    lines += ["configs:"] if total else []
    for table, count in rows.items():
        if count:
            lines += [f"- config_name: {table}", "  data_files:", f"  - parquet/{table}.parquet"]
    return [*lines, "---"]


def table_of_tables(tables: Iterable[Table], rows: Mapping[str, int]) -> list[str]:
    """The tables with their rows and what one of these is, in Markdown."""
    lines = [f"| `{table.name}` | {rows[table.name]:,} | {table.meaning} |" for table in tables]
    return ["| table | rows | what a row is |", "| --- | --- | --- |", *lines]


NO_LICENCE = "none is named. Ask who gave you the data before you use or pass them on."
_KNOWN_LICENCES = re.compile(
    r"cc0-1\.0|cc-by(-nc)?(-sa|-nd)?-4\.0|odbl|odc-by|pddl|mit|apache-2\.0", re.IGNORECASE
)


def _licence(licence: str) -> tuple[str, ...]:
    """A licence as the hub of datasets names it; another one by its text."""
    if not licence:
        return ("license: unknown",)
    if _KNOWN_LICENCES.fullmatch(licence):
        return (f"license: {licence.lower()}",)
    return "license: other", f"license_name: {_quoted(licence)}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _variants() -> list[str]:
    """The table of docs/packages.md that says what each variant holds."""
    _, _, section = _DOCUMENT.read_text().partition("## What each variant holds\n")
    return [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("|")]


_DOCUMENT = settings.BASE_DIR / "docs" / "packages.md"
_FILES = Path(__file__).with_name("files.md")
"""What the other files of a package are."""


def _description(study: Study, *, public: bool) -> str:
    kind = "A rehearsal with simulated people" if study.rehearsal else "A study with people"
    return (
        f"{kind} who played environments without instructions, turn-based ones of 64x64 cells or static"
        " tasks: sessions, attempts, every action or edit, submissions, the log of events, effort flags and"
        f" decisions of reviewers. Of actions, {Scope(study).undo}.{_origin(study, public=public)}"
    )


def _origin(study: Study, *, public: bool) -> str:
    if not study.is_outside:
        return ""
    found = study.outside.public_origin if public else study.outside.full_origin
    return f" The data are from outside the center that wrote this. {found}"


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
