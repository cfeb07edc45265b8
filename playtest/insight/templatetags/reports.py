"""What the page of a report needs."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def anchor(number: str) -> str:
    """The id of an item's place on the page."""
    return f"item-{number.replace('.', '-')}"


@register.filter
def item(found: Mapping[str, Any], number: str) -> Any:
    """The value under this key, None if there is none."""
    return found.get(number)
