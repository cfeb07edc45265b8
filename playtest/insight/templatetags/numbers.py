"""Numbers as people read them."""

from django import template

register = template.Library()


@register.filter
def thousands(value: int | float) -> str:
    """With a comma between thousands: 2,893."""
    return f"{value:,}"
