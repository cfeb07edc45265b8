"""What several pages of results show in a line: a person, actions, a state."""

from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from playtest.insight.pages.action_patterns.page import ActRun, PersonLink
from playtest.insight.pages.states.page import StateLink
from playtest.people.templatetags.tables import link
from playtest.studio.pictures import picture_and_id

register = template.Library()
register.filter("pictured", picture_and_id)


@register.simple_tag
def person(found: PersonLink) -> SafeString:
    """The person with the replay at this moment, and how it ended for them here."""
    ended = format_html(" <small>{}</small>", found.ended) if found.ended else ""
    return format_html("{}{}", link(found.href, found.participant), ended)


@register.inclusion_tag("insight/action_patterns/acts.html")
def acts(runs: tuple[ActRun, ...]) -> dict[str, Any]:
    """Actions in a row, as keys and places."""
    return {"runs": runs}


@register.simple_tag
def state_link(state: StateLink) -> SafeString:
    """A state and what can come of it."""
    kind = SafeString(' class="hopeless"') if state.hopeless else ""
    return format_html('<a href="{}">{}</a> <small{}>{}</small>', state.href, state.name, kind, state.outlook)


@register.simple_tag(takes_context=True)
def state_picture(context: Context, state: StateLink, size: int) -> SafeString:
    """The frame of a state, for those who may watch replays."""
    if not context.get("may_watch"):
        return SafeString("")
    return format_html(
        '<a href="{}" tabindex="-1" aria-hidden="true"><img class="state" src="{}?action={}&amp;scale=2"'
        ' width="{}" height="{}" alt="" loading="lazy"></a>',
        state.href, reverse("review:picture", args=[state.attempt]), state.action, size, size,
    )  # fmt: skip
