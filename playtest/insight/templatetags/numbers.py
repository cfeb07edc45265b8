"""Numbers as text."""

from django import template

register = template.Library()


@register.filter
def thousands(value: int | float) -> str:
    """A number with commas between thousands: 2,893."""
    return f"{value:,}"
