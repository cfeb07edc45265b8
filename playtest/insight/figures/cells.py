"""The rows of long tables, for which a template would be too slow."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe


class Cell(NamedTuple):
    """A cell whose `text` is escaped unless it is marked safe; sorted by `value` or `text`.

    `href` makes the text a link, and `of` tells screen readers where it leads. `tip` is shown on hover.
    `kind` is "number", "wide" (its lines may wrap) or "".
    """

    text: str | int
    kind: str = ""
    value: float | str | None = None
    href: str | None = None
    of: str = ""
    tip: str = ""


def table_rows(rows: Iterable[Sequence[Cell]]) -> SafeString:
    """The `<tr>` elements. The first cell of each row is its heading."""
    return mark_safe(
        "".join(f"<tr>{_heading(first)}{''.join(map(_cell, rest))}</tr>" for first, *rest in rows)
    )


def _heading(cell: Cell) -> str:
    return f'<th scope="row"{_attributes(cell)}>{_content(cell)}</th>'


def _cell(cell: Cell) -> str:
    return f"<td{_attributes(cell)}>{_content(cell)}</td>"


def _attributes(cell: Cell) -> str:
    kind = f' class="{cell.kind}"' if cell.kind else ""
    value = "" if cell.value is None else f' data-value="{escape(str(cell.value))}"'
    return f"{kind}{value}" + (f' title="{escape(cell.tip)}"' if cell.tip else "")


def _content(cell: Cell) -> str:
    text = cell.text if isinstance(cell.text, SafeString) else escape(str(cell.text))
    if not cell.href:
        return text
    of = f'<span class="visually-hidden"> {escape(cell.of)}</span>' if cell.of else ""
    return f'<a href="{escape(cell.href)}">{text}{of}</a>'
