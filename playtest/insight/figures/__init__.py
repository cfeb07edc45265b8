"""A figure: what it says in words, its table, and how it is drawn. The browser draws; the table is here.

One figure answers as JSON (for `<insight-figure>`), as CSV, and as the table under the drawing.
"""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playtest.rules.spreadsheets import guarded

type Value = str | int | float | bool | None
type Row = tuple[Value, ...]


@dataclass(frozen=True)
class Column:
    """`name` is what the drawing and the CSV call it, `label` its heading, `unit` what its numbers count."""

    name: str
    label: str
    unit: str = ""


def finite(value: Value) -> Value:
    """The value, or None for a number that is none or endless: what a division by nobody leaves."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


HREF = Column("href", "Replays")
"""A row's address: where its mark in the drawing, and its row in the table, lead. Never in the CSV."""


@dataclass(frozen=True)
class Figure:
    """One figure. `title` is its answer in a sentence.

    `empty` says what will appear here, and how to make it appear. `kind` names the module of
    `static/insight/kinds/` that draws it and says which columns it needs.
    """

    name: str
    kind: str
    title: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    empty: str
    options: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """With each row an object by column names. JSON has no NaN and no infinity: they are null."""
        names = [column.name for column in self.columns]
        return {
            "name": self.name,
            "kind": self.kind,
            "title": self.title,
            "caption": self.caption,
            "columns": [{"name": c.name, "label": c.label, "unit": c.unit} for c in self.columns],
            "rows": [dict(zip(names, map(finite, row), strict=True)) for row in self.rows],
            "empty": self.empty,
            "options": self.options,
        }

    def as_csv(self) -> str:
        """RFC 4180, a header of column names, without addresses; nothing in it is a spreadsheet's formula."""
        shown = [index for index, column in enumerate(self.columns) if column.name != HREF.name]
        written = io.StringIO()
        table = csv.writer(written)
        table.writerow([self.columns[index].name for index in shown])
        table.writerows([guarded(finite(row[index])) for index in shown] for row in self.rows)
        return written.getvalue()
