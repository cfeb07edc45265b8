"""Reads the tables and columns of a study's data from docs/codebook.md, which declares them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from django.conf import settings

from playtest.rules.survey import Kind, Question

DOCUMENT = settings.BASE_DIR / "docs" / "codebook.md"
_SURVEY = "survey_"


@dataclass(frozen=True, slots=True)
class Column:
    """`kind` is integer, number, text, boolean or time (UTC, microseconds)."""

    name: str
    kind: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows are sorted by the `key` columns, which name a row."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


def _table(section: str) -> Table:
    name, about, _, _, *rows = (line for line in section.splitlines() if line)
    meaning, _, key = about.rpartition(" Key: ")
    columns = (row.removeprefix("| `").removesuffix(" |").split(" | ", 2) for row in rows)
    return Table(
        name,
        meaning,
        tuple(re.findall("`(.+?)`", key)),
        tuple(Column(name.removesuffix("`"), kind, meaning) for name, kind, meaning in columns),
    )


def tables_in(document: Path) -> tuple[str, tuple[Table, ...]]:
    """The introduction of a codebook, and the tables that it declares."""
    introduction, *sections = document.read_text().split("\n## ")
    return introduction, tuple(map(_table, sections))


_INTRODUCTION, TABLES = tables_in(DOCUMENT)
"""Those of a study with the usual survey."""
OF_LEVELS = ("person", "environment", "version", "counts", "in_baseline", "under_review", "cut_short")
"""What `level_results` say of the attempt, so that nobody has to join tables."""
SESSIONS, ATTEMPTS, DEBRIEFS, ENTRIES, LEVEL_RESULTS, _, _, EVENTS, FLAGS, DECISIONS, COMMENTS = TABLES
RESULTS = tuple(name for name in LEVEL_RESULTS.column_names if name not in ("attempt", *OF_LEVELS))
"""The columns of `level_results` that are computed from entries; those of runs."""


def tables_of(questions: Iterable[Question]) -> tuple[Table, ...]:
    """The tables of a study whose surveys have these questions."""
    usual = (column for column in SESSIONS.columns if not column.name.startswith(_SURVEY))
    return replace(SESSIONS, columns=(*usual, *map(_answer, questions))), *TABLES[1:]


def _answer(question: Question) -> Column:
    kind = "integer" if question.is_whole else "text"
    return Column(
        _SURVEY + question.name, kind, f"“{question.text}” {_answers(question)}; empty when skipped."
    )


def _answers(question: Question) -> str:
    match question.kind:
        case Kind.NUMBER:
            return f"A whole number from {question.least} to {question.most}"
        case Kind.SCALE:
            low, high = (f" ({end})" if end else "" for end in question.ends)
            return f"A step from {question.least}{low} to {question.most}{high}"
        case Kind.TEXT:
            return "In the person's words"
        case _:
            return f"One of {', '.join(value for value, _ in question.choices)}"


def markdown(tables: Iterable[Table]) -> str:
    """The codebook of these tables."""
    return "\n".join([_INTRODUCTION, *sections(tables)])


def sections(tables: Iterable[Table]) -> Iterator[str]:
    """The lines that describe these tables."""
    for table in tables:
        yield f"## {table.name}\n"
        yield f"{table.meaning} Key: {', '.join(f'`{name}`' for name in table.key)}.\n"
        yield "| column | kind | meaning |\n| --- | --- | --- |"
        yield from (f"| `{column.name}` | {column.kind} | {column.meaning} |" for column in table.columns)
        yield ""
