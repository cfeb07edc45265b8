"""Numbers of a report as text."""

from collections.abc import Sequence
from statistics import median

from playtest.rules.proportions import share

NONE = "none"


def spread(values: Sequence[float], unit: str = "") -> str:
    """ "median 8 (3 to 12)", with a unit after it; "none" without values."""
    if not values:
        return NONE
    middle, low, high = median(values), min(values), max(values)
    return f"median {_number(middle)}{unit} ({_number(low)} to {_number(high)}{unit})"


def count(number: int, noun: str, plural: str = "") -> str:
    """ "1 session", "1,204 sessions"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percent(part: int, whole: int) -> str:
    """ "12 of 40 (30 %, 95 % interval 18 to 45 %)"; of nobody, only the count."""
    if not whole:
        return f"{part} of {whole}"
    one = share(part, whole)
    value, low, high = (f"{100 * value:.0f}" for value in (one.value, one.low, one.high))
    return f"{part:,} of {whole:,} ({value} %, 95 % interval {low} to {high} %)"


def minutes(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f} min"


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
