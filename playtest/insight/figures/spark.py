"""A sparkline for a cell of a table, drawn on the server because a page has hundreds."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

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
