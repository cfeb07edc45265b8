"""How templates show which environment something is about."""

from django import template
from django.http import HttpRequest
from django.template.context import RequestContext
from django.utils.html import format_html

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.studio.models import Environment
from playtest.studio.pictures import picture_and_id

_READ_ONCE = "_digests_of_environments"

register = template.Library()


@register.simple_tag(takes_context=True)
def environment_id(context: RequestContext, code: str) -> str:
    """An environment's id beside the first frame of its current version.

    Who may not read about environments sees the id alone. A page reads the versions once, however many
    environments it lists.
    """
    request, user = context.get("request"), context.get("user")
    if request is None or not isinstance(user, Staff) or not user.may(Right.READ_BASELINES):
        return format_html("<code>{}</code>", code)
    return picture_and_id(code, _digests(request).get(code))


def _digests(request: HttpRequest) -> dict[str, str | None]:
    """The digest of every environment's current version."""
    found: dict[str, str | None] | None = getattr(request, _READ_ONCE, None)
    if found is None:
        found = dict(Environment.objects.values_list("code", "current__digest"))
        setattr(request, _READ_ONCE, found)
    return found
