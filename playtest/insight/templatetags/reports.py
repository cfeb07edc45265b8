"""What the page of a report needs."""

from collections.abc import Mapping
from typing import Any

from django import template

from playtest.rules.reporting.document import place_of

register = template.Library()


@register.filter
def anchor(number: str) -> str:
    """The id of an item's place on the page."""
    return f"item-{number.replace('.', '-')}"


@register.filter
def at_item(number: str) -> str:
    """What follows the address of a report's page: the item's chapter, and its place there."""
    return f"?chapter={place_of(number)}#{anchor(number)}"


@register.filter
def item(found: Mapping[str, Any], number: str) -> Any:
    """The value under this key, None if there is none."""
    return found.get(number)
