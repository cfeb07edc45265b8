"""The navigation within the arena, and the names of its sets."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.template.context import RequestContext

from playtest.arena.navigation import PAGES
from playtest.studio.models import ReleaseSet

register = template.Library()


@register.simple_tag(takes_context=True)
def arena_pages(context: RequestContext) -> list[dict[str, Any]]:
    """The arena's pages that the reader may open."""
    request = context["request"]
    return [
        {"title": page.title, "address": page.address, "current": page.contains(request.path)}
        for page in PAGES
        if request.user.may(page.right)
    ]


@register.filter
def set_names(sets: Iterable[str]) -> str:
    """The labels of release sets, separated by commas."""
    return ", ".join(ReleaseSet(one).label for one in sets)
