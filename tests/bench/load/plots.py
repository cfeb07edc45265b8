"""A plot of the cost of an action as SVG."""

from collections.abc import Sequence
from typing import NamedTuple

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 640, 300, 60, 50, 20, 90
_COLOURS = {"web": "#1e6fd0", "hosts": "#c2571a"}


class Point(NamedTuple):
    """A size, and by role the milliseconds of processor time an action took there."""

    size: int
    milliseconds: dict[str, float]


def plot(kind: str, points: Sequence[Point]) -> str:
    """The lines of all roles over the size, both axes from 0."""
    most = max(point.size for point in points) or 1
    highest = max(max(point.milliseconds.values()) for point in points) * 1.1 or 1.0

    def place(size: float, value: float) -> tuple[float, float]:
        x = _LEFT + (_WIDTH - _LEFT - _RIGHT) * size / most
        return round(x, 1), round(_HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * value / highest, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="13">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        _text(_WIDTH / 2, _HEIGHT - 8, kind, "middle"),
        _text(8, 14, "processor time an action, ms", "start"),
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        (left, y), (right, _) = place(0, highest * share), place(most, highest * share)
        parts.append(f'<path d="M{left} {y}H{right}" stroke="#ddd"/>')
        parts.append(_text(left - 6, y + 4, f"{highest * share:.2f}", "end"))
    for point in points:
        x, y = place(point.size, 0)
        parts.append(_text(x, y + 18, f"{point.size:,}", "middle"))
    for role, colour in _COLOURS.items():
        places = [place(point.size, point.milliseconds[role]) for point in points]
        path = "L".join(f"{x} {y}" for x, y in places)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>' for x, y in places]
        parts.append(_text(places[-1][0] + 10, places[-1][1] + 4, role, "start"))
    return "\n".join([*parts, "</svg>", ""])


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="#222">{text}</text>'
