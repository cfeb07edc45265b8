"""How high a figure is drawn, by its rows: a page reserves the place, and the browser fills it.

Widths of texts are estimated; what a legend takes more or less, the drawing below it has less or more.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from playtest.insight.figures import Figure, Value

_WIDE, _NARROW = 560, 340
"""Pixels of a drawing on half a desk's page and on a phone."""
_AXIS, _AXIS_LABEL = 46, 24
_LEGEND_LINE, _LEGEND_GAP, _SWATCH, _LETTER = 20, 8, 38, 7
_BAR, _LEVEL_BAR = 28, 34
_CAPTION, _BETWEEN_ROWS = 16, 8
_SWARMS = ((4, 44), (3, 56), (2, 76), (1.5, 84))
"""Radius and reach of dots, as in `static/insight/beeswarm.js`."""
_SQUARE = 512


class Heights(NamedTuple):
    """Pixels of a drawing, with its legend, that is at least 480 pixels wide, and of a narrower one.

    A `square` drawing is as wide as high, and lower where there is less width.
    """

    wide: int
    narrow: int
    square: int = 0


def heights_of(figure: Figure) -> Heights:
    """The heights of a figure; of a kind that is not drawn by the browser, 0."""
    if figure.kind not in _KINDS or not figure.rows:
        return Heights(0, 0)
    below, labels = _KINDS[figure.kind](figure)
    wide, narrow = (round(below(width) + _legend(labels, width)) for width in (_WIDE, _NARROW))
    return Heights(wide, narrow, _SQUARE if figure.kind == "heatmap" else 0)


type _Parts = tuple[Callable[[int], float], Sequence[str]]
"""The height below the legend for a width, and the labels of the legend."""


def _legend(labels: Sequence[str], width: int) -> int:
    if not labels:
        return 0
    lines, used = 1, 0
    for label in labels:
        needed = min(width, _SWATCH + _LETTER * len(label))
        if used and used + needed > width:
            lines, used = lines + 1, 0
        used += needed
    return lines * _LEGEND_LINE + _LEGEND_GAP


def _column(figure: Figure, name: str) -> list[Value]:
    names = [column.name for column in figure.columns]
    return [row[names.index(name)] for row in figure.rows] if name in names else []


def _numbers(values: Iterable[Value]) -> list[float]:
    return [
        float(value) for value in values if isinstance(value, int | float) and math.isfinite(float(value))
    ]


def _groups(figure: Figure, name: str, *, even_one: bool = False) -> list[str]:
    """The groups that a legend names; none for a single one."""
    found = list(dict.fromkeys(map(str, _column(figure, name))))
    return found if even_one or len(found) > 1 else []


def _within(least: float, value: float, most: float) -> float:
    return max(least, min(value, most))


def _bars(figure: Figure) -> _Parts:
    height = len(figure.rows) * _BAR + _AXIS
    return lambda _: height, ()


def _funnel(figure: Figure) -> _Parts:
    height = len(set(_column(figure, "level"))) * _LEVEL_BAR + _AXIS
    return lambda _: height, _groups(figure, "outcome", even_one=True)


def _histogram(figure: Figure) -> _Parts:
    people: Counter[Value] = Counter()
    for low, count in zip(_column(figure, "low"), _numbers(_column(figure, "people")), strict=True):
        people[low] += int(count)
    lines = [str(line["name"]) for line in figure.options.get("lines", [])]
    height = _AXIS + _AXIS_LABEL + _within(100, 12 * max(people.values()), 190)
    return lambda _: height, [*_groups(figure, "group"), *lines]


def _scatter(figure: Figure) -> _Parts:
    height = _AXIS + _AXIS_LABEL + _within(160, 120 + 8 * len(figure.rows), 280)
    return lambda _: height, _groups(figure, "group")


def _progression(figure: Figure) -> _Parts:
    series = len(set(_column(figure, "series")))
    steps = 1 + max(_numbers(_column(figure, "y")), default=1)
    height = _AXIS + _AXIS_LABEL + _within(180, steps * _within(22, 3 * series, 44), 420)
    return lambda _: height, ()


def _survival(figure: Figure) -> _Parts:
    curves = len(set(_column(figure, "curve")))
    people = max(_numbers(_column(figure, "at_risk")), default=0)
    at_risk = 18 * (curves + 1 if curves > 1 else 1) + 16
    height = _AXIS + _within(156, 120 + 6 * people, 220) + at_risk
    return lambda _: height, [*_groups(figure, "curve"), "censored"]


def _strip(figure: Figure) -> _Parts:
    lines = [str(line["name"]) for line in figure.options.get("lines", [])]
    values = _column(figure, "value")
    groups = _column(figure, "group")
    log = bool(figure.options.get("log"))
    rows = [
        _numbers(value for value, other in zip(values, groups, strict=True) if other == group)
        for group in dict.fromkeys(groups)
    ]
    spare = (_CAPTION if lines else 0) + _BETWEEN_ROWS

    def height(width: int) -> float:
        crowds = _crowds(rows, log=log, columns=int(width * 0.8 / 9))
        radius, reach = next((one for one in _SWARMS if max(crowds) * (one[0] + 0.4) <= one[1]), _SWARMS[-1])
        halves = (max(13, min(crowd * (radius + 0.4), reach) + radius + 5) for crowd in crowds)
        return sum(2 * half + spare for half in halves) + _AXIS

    return height, [*_groups(figure, "mark"), *dict.fromkeys(lines)]


def _crowds(rows: Sequence[Sequence[float]], *, log: bool, columns: int) -> list[int]:
    """For each row, how many dots stand at most beside each other, in two columns as wide as a dot."""
    every = [value for row in rows for value in row]
    scale: Callable[[float], float] = math.log1p if log and min(every, default=0) >= 0 else float
    low, high = (scale(bound) for bound in (min(every, default=0), max(every, default=1)))
    width = ((high - low) or 1) / max(1, columns)

    def crowd(row: Sequence[float]) -> int:
        counts = Counter(int((scale(value) - low) / width) for value in row)
        filled = [counts[column] for column in range(columns + 2)]
        return max((max(one, other, (2 * (one + other)) // 3) for one, other in pairwise(filled)), default=0)

    return [crowd(row) for row in rows]


def _heatmap(_: Figure) -> _Parts:
    return lambda _: _SQUARE + 2 * _LEGEND_LINE + _LEGEND_GAP, ()


def _states(figure: Figure) -> _Parts:
    options = figure.options
    bands: list[str] = options["bands"]
    columns = options["farthest"] // options["step"] + 1
    marks = list(
        zip(
            _column(figure, "outlook"),
            _numbers(_column(figure, "x")),
            _numbers(_column(figure, "people")),
            strict=True,
        )
    )

    def height(width: int) -> float:
        largest = _within(3, (width - 36) / columns / 2 - 1, 15)
        filled: Counter[tuple[int, int]] = Counter()
        for outlook, x, people in marks:
            radius = max(3, largest * math.sqrt(people / options["most_people"]))
            band = bands.index(str(outlook)) if outlook in bands else 0
            filled[band, int(x // options["step"])] += math.ceil(2 * radius + 4)
        highest = (
            max((high for (band, _), high in filled.items() if band == one), default=6)
            for one in range(len(bands))
        )
        return sum(20 + high + 4 for high in highest) + _AXIS

    return height, bands


_KINDS: dict[str, Callable[[Figure], _Parts]] = {
    "bars": _bars,
    "funnel": _funnel,
    "heatmap": _heatmap,
    "histogram": _histogram,
    "progression": _progression,
    "scatter": _scatter,
    "states": _states,
    "strip": _strip,
    "survival": _survival,
}
