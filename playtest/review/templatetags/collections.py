"""Where a replay stands in the collection it was opened from."""

from typing import Any

from django import template
from django.template.context import RequestContext

from playtest.people.models import Staff
from playtest.review.queries.collections import place_of
from playtest.review.queries.decisions import sessions_asking
from playtest.rules.text import whole_number

register = template.Library()


@register.inclusion_tag("review/collection-place.html", takes_context=True)
def collection_place(context: RequestContext) -> dict[str, Any]:
    """Previous and next, when the address says `?item=` and the item is still there.

    Its note is not told to a reviewer who is asked for a second verdict on it.
    """
    number = whole_number(context["request"].GET.get("item", ""))
    place = None if number is None else place_of(number)
    user = context.get("user")
    asking = sessions_asking(user) if isinstance(user, Staff) else set()
    return {"place": place, "noted": place is not None and place.item.attempt.session_id not in asking}
