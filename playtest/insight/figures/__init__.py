"""A figure: its title, its table, and the kind of its drawing, which the browser makes.

A figure is sent as JSON (for `<insight-figure>`), as CSV, and as the table under the drawing.
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
    """A column: `name` in the drawing and the CSV, `label` in the table, `unit` of values."""

    name: str
    label: str
    unit: str = ""

    @property
    def heading(self) -> str:
        """The label with its unit, unless that says the same."""
        same = not self.unit or self.unit.lower() == self.label.lower()
        return self.label if same else f"{self.label} ({self.unit})"


def finite(value: Value) -> Value:
    """The value, or None for NaN and infinity, which a division by 0 people results in."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


HREF = Column("href", "Replays")
"""The column of addresses to which marks and rows of the table lead. It is not in the CSV."""


@dataclass(frozen=True)
class Figure:
    """One figure. `title` states its result.

    `empty` says what will appear and when. `kind` names the module of `static/insight/kinds/` that draws the
    figure, which says the columns that it needs.
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
        """The figure with each row as an object by column name. NaN and infinity become null."""
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
        """CSV (RFC 4180) with a header of column names; formulas are escaped."""
        shown = [index for index, column in enumerate(self.columns) if column.name != HREF.name]
        written = io.StringIO()
        table = csv.writer(written)
        table.writerow([self.columns[index].name for index in shown])
        table.writerows([guarded(finite(row[index])) for index in shown] for row in self.rows)
        return written.getvalue()
