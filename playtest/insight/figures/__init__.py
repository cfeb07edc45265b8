"""A figure: its title, its table, and the kind of its drawing, which the browser makes.

A figure is sent as JSON (for `<insight-figure>`), as CSV, and as the table under the drawing.
"""

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, TypeGuard

from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString, mark_safe

from playtest.insight.tables.protocols import Protocols
from playtest.people.downloads import csv_file
from playtest.rules.spreadsheets import csv_text

type Value = str | int | float | bool | None
type Row = tuple[Value, ...]


@dataclass(frozen=True)
class Column:
    """A column: `name` in the drawing, `label` in the table, `unit` of values."""

    name: str
    label: str
    unit: str = ""

    @property
    def heading(self) -> str:
        """The label with its unit, unless that says the same."""
        same = not self.unit or self.unit.lower() == self.label.lower()
        return self.label if same else f"{self.label} ({self.unit})"

    @property
    def in_files(self) -> str:
        """Its name in the CSV: a drawing calls `people` what it counts, a file what that is."""
        return self.unit.replace(" ", "_") if self.name == "people" and self.unit else self.name


def finite(value: Value) -> Value:
    """The value, or None for NaN and infinity, which a division by 0 people results in."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


HREF = Column("href", "Replays")
"""The column of addresses to which marks and rows of the table lead. It is not in the CSV."""


def columns(written: str) -> tuple[Column, ...]:
    """Columns written as "value Time [minutes] | label Participant | href": name, label and unit of each."""
    return tuple(_column(*part.split(maxsplit=1)) for part in written.split("|"))


def _column(name: str, label: str = "") -> Column:
    if name == HREF.name and not label:
        return HREF
    label, _, unit = label.strip().removesuffix("]").partition(" [")
    return Column(name, label, unit)


@dataclass(frozen=True)
class Figure:
    """One figure. `title` states its result.

    `empty` says what will appear and when, `assumes` what its intervals and tests rest on: it ends the
    caption and is a column of the CSV. `kind` names the module of `static/insight/kinds/` that draws the
    figure, which says the columns that it needs.
    """

    name: str
    kind: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    caption: str = ""
    empty: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    assumes: str = ""

    @property
    def described(self) -> str:
        """The caption with what it assumes."""
        return f"{self.caption} {self.assumes}".strip()

    def as_json(self) -> dict[str, Any]:
        """The figure with each row as an object by column name. NaN and infinity become null."""
        names = [column.name for column in self.columns]
        return {
            "name": self.name,
            "kind": self.kind,
            "title": self.title,
            "caption": self.described,
            "assumes": self.assumes,
            "columns": [{"name": c.name, "label": c.label, "unit": c.unit} for c in self.columns],
            "rows": [dict(zip(names, map(finite, row), strict=True)) for row in self.rows],
            "empty": self.empty,
            "options": self.options,
        }

    def as_csv(self, **said: str) -> str:
        """CSV (RFC 4180) with a header of column names; formulas are escaped.

        What is `said` of all rows, and what they assume, are the last columns.
        """
        shown = [index for index, column in enumerate(self.columns) if column.name != HREF.name]
        names = [self.columns[index].in_files for index in shown]
        rows = ([finite(row[index]) for index in shown] for row in self.rows)
        of_all = {name: text for name, text in (said | {"assumes": self.assumes}).items() if text}
        return csv_text([*names, *of_all], ([*row, *of_all.values()] for row in rows))


def table(name: str, title: str, written: str, rows: Sequence[Row], caption: str = "") -> Figure:
    """A figure that is a table alone, with columns as `columns` reads them."""
    return Figure(name, "table", title, columns(written), rows, caption)


_HEIGHTS = {
    "bars": 46, "funnel": 90, "heatmap": 560, "histogram": 290, "progression": 110, "scatter": 340,
    "states": 330, "strip": 134, "incidence": 320,
}  # fmt: skip
"""Pixels of a drawing with its axes and its legend, by kind."""
_A_ROW = {
    "bars": ("label", 28),
    "funnel": ("level", 40),
    "progression": ("label", 15),
    "strip": ("group", 90),
}
"""The column whose values are drawn one below the other, and the pixels of each."""
_LEAST = {"progression": 380}


def height_of(figure: Figure) -> int:
    """The pixels that a page reserves for a drawing; 0 if there is none."""
    if not figure.rows or figure.kind not in _HEIGHTS:
        return 0
    name, each = _A_ROW.get(figure.kind, ("", 0))
    index = next((index for index, column in enumerate(figure.columns) if column.name == name), None)
    rows = 0 if index is None else len({row[index] for row in figure.rows})
    return max(_LEAST.get(figure.kind, 0), _HEIGHTS[figure.kind] + each * rows)


def figure_document(figure: Figure, protocols: Protocols, actions: str = "") -> dict[str, Any]:
    """The figure in JSON types, with the versions of protocols that its sessions follow.

    `actions` says whether undo is one of the actions (`Scope.undo`).
    """
    return {**figure.as_json(), "protocols": protocols.as_json(), "of_actions": actions}


def tag_of(figure: Figure, protocols: Protocols, actions: str = "") -> str:
    """The ETag of a figure in any format, which changes with whatever its document says."""
    document = _dumped(figure_document(figure, protocols, actions))
    return f'"{hashlib.sha256(document.encode()).hexdigest()[:32]}"'


def figure_json(figure: Figure, protocols: Protocols, actions: str = "") -> str:
    """The JSON that `<insight-figure>` polls: the figure, `table` with HTML rows, `height` to reserve."""
    parts = {"table": table_rows(figure), "height": height_of(figure)}
    return _dumped({**figure_document(figure, protocols, actions), **parts})


def table_rows(figure: Figure) -> SafeString:
    """The `<tr>` elements of the table. A template would be too slow for thousands of rows.

    A cell has its exact value as `data-value`. The link of a row is on its label, else on its last cell.
    """
    shown = [(index, column) for index, column in enumerate(figure.columns) if column.name != HREF.name]
    address = next((index for index, column in enumerate(figure.columns) if column.name == HREF.name), None)
    link = next((index for index, column in shown if column.name == "label"), shown[-1][0])
    columns = (_cells(figure, index, column, address if index == link else None) for index, column in shown)
    return mark_safe("".join(f"<tr>{''.join(cells)}</tr>" for cells in zip(*columns, strict=True)))


def _cells(figure: Figure, index: int, column: Column, address: int | None) -> Iterator[str]:
    """The cells of one column, escaped; `address` is the index of what they link to, if they do.

    A value is written once for all its rows: levels and outcomes are few, however many the people.
    """
    digits, labels = digits_of(figure, index), figure.options.get("labels", {})
    number = _NUMBER if is_numeric(figure, index) else ""
    known: dict[tuple[type, Value], tuple[str, str]] = {}  # by type too: 1, 1.0 and True are equal
    for row in figure.rows:
        value = finite(row[index])
        if (key := (type(value), value)) not in known:
            exact = "" if value is None else escape(str(value))
            text = labels.get(value) or formatted(value, column, digits)
            known[key] = (f'<td{number} data-value="{exact}">', escape(text))
        before, text = known[key]
        if address is not None and row[address]:
            text = f'<a href="{escape(str(row[address]))}">{text}</a>'
        yield f"{before}{text}</td>"


_NUMBER = ' class="number"'


def is_numeric(figure: Figure, index: int) -> bool:
    """Whether a column has numbers, and perhaps missing values, alone: then they stand to the right."""
    values = [row[index] for row in figure.rows if row[index] is not None]
    return bool(values) and all(is_number(value) for value in values)


def is_number(value: Value) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def digits_of(figure: Figure, index: int) -> int:
    """How many digits of a fraction all values of a column have (`digitsOf` in static/insight/labels.js)."""
    values = [row[index] for row in figure.rows]
    numbers = [float(one) for one in values if is_number(one) and math.isfinite(one)]
    most = max(map(abs, numbers), default=0.0)
    percent = figure.columns[index].unit.startswith("%")
    if percent or most >= 100 or all(one.is_integer() for one in numbers):
        return 0
    return 1 if most >= 10 else 2 if most >= 1 else 3


def formatted(value: Value, column: Column, digits: int = 0) -> str:
    """A value as text: a dash for None, so many digits of a fraction, `gave_up` as "gave up"."""
    match value:
        case None:
            return "–"  # noqa: RUF001
        case bool():
            return "yes" if value else "no"
        case int() | float():
            small = value and abs(value) < 10**-digits / 2
            return f"< {10**-digits:g}" if small else f"{value:,.{digits}f}"
        case _:
            return value.replace("_", " ") if column.name == "outcome" else value


def _dumped(data: object) -> str:
    return json.dumps(data, cls=DjangoJSONEncoder, allow_nan=False)


def figure_response(
    request: HttpRequest,
    figure: Figure,
    format: str,  # noqa: A002
    protocols: Protocols,
    *,
    actions: str = "",
) -> HttpResponseBase:
    """The figure as "json" (for the drawing) or "csv" (a file). Http404 for any other format.

    The JSON has the versions of protocols, and a sentence if they are combined; the CSV has them in the
    header X-Protocol-Versions, as `Protocols.names`. Both say where data from outside are from (`origin`) and
    whether undo is one of the actions (`of_actions`, given as `actions`: `Scope.undo`); in the CSV these are
    columns. Both have an ETag; the response is 304 to a client that has the same figure.
    """
    match format:
        case "json":
            response = HttpResponse(figure_json(figure, protocols, actions), content_type="application/json")
        case "csv":
            text = figure.as_csv(of_actions=actions, origin=" ".join(protocols.origins))
            response = csv_file(text, f"{figure.name}.csv")
            response["X-Protocol-Versions"] = protocols.names
        case _:
            raise Http404(f"Figures have the formats json and csv, not {format}.")
    tag = tag_of(figure, protocols, actions)
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return get_conditional_response(request, etag=tag, response=response) or response
