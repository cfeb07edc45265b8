"""A report as Markdown (GitHub's tables)."""

import re
from collections.abc import Iterator

from playtest.rules.reporting.document import Entry, Report, Table

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")
UNANSWERED = "Not answered yet."


def as_markdown(report: Report) -> str:
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# Report of “{_escaped(report.study)}”"
    yield ""
    yield f"{_escaped(report.scope)} Items are those of the checklist of Wei et al. 2025."
    yield ""
    yield f"Digest (SHA-256): `{report.digest}`"
    chapter = ""
    for entry in report.entries:
        if entry.chapter != chapter:
            chapter = entry.chapter
            yield ""
            yield f"## {chapter}"
        yield ""
        yield from _entry(entry)


def _entry(entry: Entry) -> Iterator[str]:
    yield f"### {entry.number} {_escaped(entry.title)}"
    yield ""
    for fact in entry.facts:
        yield f"- **{_escaped(fact.label)}**: {_escaped(fact.value)}"
    if entry.facts:
        yield ""
    for table in entry.tables:
        yield from _table(table)
        yield ""
    if entry.asked:
        yield f"*{_escaped(entry.asked)}*"
        yield ""
        if entry.answer:
            for line in entry.answer.splitlines():
                yield f"> {_escaped(line)}"
            yield ">"
            yield f"> ({_escaped(entry.answered)})"
        else:
            yield f"> {UNANSWERED}"


def _table(table: Table) -> Iterator[str]:
    yield _escaped(table.caption)
    yield ""
    yield _row(table.columns)
    yield _row(["---"] * len(table.columns), escape=False)
    yield from (_row(row) for row in table.rows)


def _row(cells: tuple[str, ...] | list[str], *, escape: bool = True) -> str:
    return f"| {' | '.join(_escaped(cell) if escape else cell for cell in cells)} |"


def _escaped(text: str) -> str:
    """The text on one line, with nothing that Markdown would take for its own."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
