"""Where a replay stands in the collection it was opened from."""

from typing import Any

from django import template
from django.template.context import RequestContext

from playtest.review.queries.collections import place_of
from playtest.rules.text import whole_number

register = template.Library()


@register.inclusion_tag("review/collection-place.html", takes_context=True)
def collection_place(context: RequestContext) -> dict[str, Any]:
    """Previous and next, when the address says `?item=` and the item is still there."""
    number = whole_number(context["request"].GET.get("item", ""))
    return {"place": None if number is None else place_of(number)}
