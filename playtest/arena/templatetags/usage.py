"""Tokens and costs as pages show them."""

from django import template

register = template.Library()


@register.filter
def tokens(number: int) -> str:
    """As 12,345."""
    return f"{number:,}"


@register.filter
def cost(dollars: float | None) -> str:
    """As $0.0123, to four places; "not said" for None."""
    return "not said" if dollars is None else f"${dollars:,.4f}"
