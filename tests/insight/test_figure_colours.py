"""Groups in figures can be told apart by people who see colours otherwise, by colour or by pattern."""

import re
from itertools import combinations, product
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "static" / "insight"
LEAST = 18
"""Distance of two colours in CIELAB; from about 10 on they differ at a glance."""
type Triple = tuple[float, float, float]

SIGHT: dict[str, tuple[Triple, Triple, Triple]] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.0520)),
    "deuteranopia": ((0.3673, 0.8606, -0.2280), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
    "tritanopia": ((1.2555, -0.0767, -0.1788), (-0.0784, 0.9308, 0.1476), (0.0047, 0.6914, 0.3039)),
}
"""What is seen of linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1)."""


def colours(scheme: str, kind: str) -> dict[str, str]:
    """The colours of "outcome" or "series" by group."""
    text = (ROOT / "figures.css").read_text()
    light, dark = text.split("prefers-color-scheme: dark", 1)
    pattern = rf"--{kind}-(\w+): (#\w{{6}});"
    found = dict(re.findall(pattern, light))
    return found if scheme == "light" else found | dict(re.findall(pattern, dark.split("\n}\n", 1)[0]))


def patterns() -> dict[str, str]:
    """The patterns of outcomes that have one."""
    (listed,) = re.findall(r"OUTCOME_PATTERNS = \{(.*?)\};", (ROOT / "styles.js").read_text(), re.DOTALL)
    return dict(re.findall(r'(\w+): "(\w+)"', listed))


def seen(colour: str, sight: tuple[Triple, Triple, Triple]) -> Triple:
    """A colour in CIELAB as this sight has it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in sight
    )
    x, y, z = (
        one ** (1 / 3) if one > 0.008856 else 7.787 * one + 16 / 116
        for one in (
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, sight: tuple[Triple, Triple, Triple]) -> float:
    pairs = zip(seen(one, sight), seen(other, sight), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


@pytest.mark.parametrize(("scheme", "kind"), product(("light", "dark"), ("outcome", "series")))
def test_two_groups_of_one_pattern_have_colours_that_nobody_confuses(scheme: str, kind: str) -> None:
    found, pattern = colours(scheme, kind), patterns()
    assert len(found) >= 6
    close = [
        (one, other, name)
        for (one, other), (name, sight) in product(combinations(found, 2), SIGHT.items())
        if pattern.get(one) == pattern.get(other) and distance(found[one], found[other], sight) < LEAST
    ]
    assert close == []


def test_the_simulation_confuses_what_the_literature_does() -> None:
    red, green = "#b04020", "#6a6a10"
    assert distance(red, green, SIGHT["deuteranopia"]) < distance(red, green, SIGHT["all cones"]) / 2
