"""What tables of a page contain: the rows of long tables, and sparklines."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from playtest.insight.figures import Figure

WIDTH, HEIGHT, MARGIN = 96, 24, 3


def spark_svg(figure: Figure) -> SafeString:
    """Draws columns x and y as a line that ends in a dot. Rows without y are left out.

    Options: `y_max`, the value at the top (by default the largest y); `mark` "bars" for one bar for each row.
    """
    names = [column.name for column in figure.columns]
    x, y = names.index("x"), names.index("y")
    points = [(float(row[x] or 0), float(row[y])) for row in figure.rows if row[y] is not None]  # type: ignore[arg-type]
    if not points:
        return format_html('<span class="spark muted" title="{}">–</span>', figure.empty)  # noqa: RUF001
    if figure.options.get("mark") == "bars":
        marks = _bars([value for _, value in points], _top(figure, points))
    else:
        marks = _line(points, _top(figure, points))
    return format_html(
        '<svg class="spark" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" height="{}">{}</svg>',
        figure.title, WIDTH, HEIGHT, WIDTH, HEIGHT, marks,
    )  # fmt: skip


def _top(figure: Figure, points: list[tuple[float, float]]) -> float:
    return float(figure.options.get("y_max") or 0) or max(value for _, value in points) or 1


def _height(value: float, top: float) -> float:
    """The height above the bottom in the drawing's units, at most the top."""
    return round((HEIGHT - 2 * MARGIN) * min(max(value / top, 0), 1), 2)


def _line(points: list[tuple[float, float]], top: float) -> SafeString:
    left, right = min(at for at, _ in points), max(at for at, _ in points)
    width = (WIDTH - 2 * MARGIN) / ((right - left) or 1)
    places = [
        (round(MARGIN + (at - left) * width, 2), round(HEIGHT - MARGIN - _height(value, top), 2))
        for at, value in points
    ]
    return format_html(
        '<polyline points="{}"/><circle cx="{}" cy="{}" r="2.5"/>',
        " ".join(f"{at},{value}" for at, value in places), *places[-1],
    )  # fmt: skip


def _bars(values: list[float], top: float) -> SafeString:
    step = (WIDTH - 2 * MARGIN) / len(values)
    path = "".join(
        f"M{round(MARGIN + index * step, 2)},{HEIGHT - MARGIN}"
        f"v{-max(_height(value, top), 0.5)}h{round(step * 0.8, 2)}V{HEIGHT - MARGIN}z"
        for index, value in enumerate(values)
    )
    return format_html('<path d="{}"/>', path)


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
