"""How templates show which environment something is about."""

from django import template
from django.http import HttpRequest
from django.template.context import RequestContext
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.studio.models import Environment, Version
from playtest.studio.pictures import picture_and_id
from playtest.studio.queries.masks import masks_of

_READ_ONCE = "_digests_of_environments"

register = template.Library()


@register.simple_tag
def masked_cells(*versions: Version) -> str:
    """One sentence that says that states of these versions are compared without some cells; else nothing."""
    masked = masks_of(version.pk for version in versions)
    links = [
        (f"{reverse('studio:mask', args=[one.environment.code])}?version={one.digest}", one.environment.code)
        for one in versions
        if one.pk in masked
    ]
    if not links:
        return ""
    codes = format_html_join(", ", '<a href="{}">{}</a>', links)
    sentence = '<p class="muted">States of {} are compared without their masked cells: counters.</p>'
    return format_html(sentence, codes)


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
