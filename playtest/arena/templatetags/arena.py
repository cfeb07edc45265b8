"""The names of release sets on pages of the arena."""

from collections.abc import Iterable

from django import template

from playtest.studio.models import ReleaseSet

register = template.Library()


@register.filter
def set_names(sets: Iterable[str]) -> str:
    """The labels of release sets, separated by commas."""
    return ", ".join(ReleaseSet(one).label for one in sets)
