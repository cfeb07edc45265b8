"""The place of a replay in the collection from which it was opened."""

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
    """The previous and the next replay, where the address has `?item=` and the item exists.

    A reviewer who owes a second verdict on the replay does not see its note.
    """
    number = whole_number(context["request"].GET.get("item", ""))
    place = None if number is None else place_of(number)
    user = context.get("user")
    asking = sessions_asking(user) if isinstance(user, Staff) else set()
    return {"place": place, "noted": place is not None and place.item.attempt.session_id not in asking}
