"""Numbers as text."""

from django import template

from playtest.rules.inference.clusters import Estimate

register = template.Library()


@register.filter
def thousands(value: int | float) -> str:
    """A number with commas between thousands: 2,893."""
    return f"{value:,}"


@register.filter
def percent(value: float | str | None) -> str:
    """A share (0..1) in percent, 43 %; a dash for None and for what a template has not ("")."""
    return "–" if value in (None, "") else f"{100 * value:.0f} %"  # noqa: RUF001


@register.filter
def interval(one: Estimate) -> str:
    """The ends of an estimate of a share in percent: 35 to 59 %."""
    return f"{100 * one.low:.0f} to {100 * one.high:.0f} %"


@register.filter
def relative(value: float) -> str:
    """A ratio as a change: -38 % for 0.62, +51 % for 1.51."""
    return f"{100 * (value - 1):+.0f} %".replace("-", "\N{MINUS SIGN}")


@register.filter
def points(value: float | None) -> str:
    """A difference of shares (0..1) in percentage points, without the unit; a dash for None."""
    return "–" if value is None else f"{100 * value:.0f}"  # noqa: RUF001
