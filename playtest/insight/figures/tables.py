"""Rows of long tables, written without a template: hundreds of them must not slow a page."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe


class Cell(NamedTuple):
    """`words` are escaped, unless they are marked safe. `value` is what the column sorts by, if not they.

    `href` makes the words a link, and `of` says to a screen reader what it leads to; `tip` is on hover.
    `kind` is "number", "wide" (its words may break) or "".
    """

    words: str | int
    kind: str = ""
    value: float | str | None = None
    href: str | None = None
    of: str = ""
    tip: str = ""


def code(words: str) -> SafeString:
    return mark_safe(f"<code>{escape(words)}</code>")


def table_rows(rows: Iterable[Sequence[Cell]]) -> SafeString:
    """The `<tr>`s; the first cell of each is its heading."""
    return mark_safe(
        "".join(f"<tr>{_heading(first)}{''.join(map(_cell, rest))}</tr>" for first, *rest in rows)
    )


def _heading(cell: Cell) -> str:
    return f'<th scope="row"{_attributes(cell)}>{_words(cell)}</th>'


def _cell(cell: Cell) -> str:
    return f"<td{_attributes(cell)}>{_words(cell)}</td>"


def _attributes(cell: Cell) -> str:
    kind = f' class="{cell.kind}"' if cell.kind else ""
    value = "" if cell.value is None else f' data-value="{escape(str(cell.value))}"'
    return f"{kind}{value}" + (f' title="{escape(cell.tip)}"' if cell.tip else "")


def _words(cell: Cell) -> str:
    words = cell.words if isinstance(cell.words, SafeString) else escape(str(cell.words))
    if not cell.href:
        return words
    of = f'<span class="visually-hidden"> {escape(cell.of)}</span>' if cell.of else ""
    return f'<a href="{escape(cell.href)}">{words}{of}</a>'
