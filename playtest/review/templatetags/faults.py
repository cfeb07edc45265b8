"""The notice on top of every staff page while an environment fault waits to be seen."""

from typing import Any

from django import template
from django.template.context import RequestContext

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.review.queries.attempts import unacknowledged_faults

register = template.Library()


@register.inclusion_tag("review/fault-notice.html", takes_context=True)
def fault_notice(context: RequestContext) -> dict[str, Any]:
    """Only for those who may open the attempts it leads to."""
    user = context.get("user")
    told = isinstance(user, Staff) and user.may(Right.WATCH_ATTEMPTS)
    return {"faults": unacknowledged_faults().count() if told else 0}
