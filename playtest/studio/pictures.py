"""An environment's first frame as a small picture beside its id; fields of forms that choose by it."""

from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from playtest.studio.models import Environment


def address_of_picture(code: str, digest: str | None) -> str | None:
    """Where the first frame of a version's first level is, which never changes; None without a version."""
    if not digest:
        return None
    return f"{reverse('insight:level-picture', args=[code, 1])}?{urlencode({'version': digest})}"


@lru_cache(1_000)  # a page has the same ones again and again
def picture_and_id(code: str, digest: str | None) -> SafeString:
    """The picture and the id of an environment; without a version, an empty square in the picture's place.

    The picture says nothing that the id does not, so that screen readers pass over it.
    """
    address = address_of_picture(code, digest)
    if address is None:
        picture = SafeString('<span class="first-frame"></span>')
    else:
        picture = format_html(
            '<img class="first-frame" src="{}" width="32" height="32" alt="" loading="lazy">', address
        )
    return format_html('<span class="environment-id">{}<code>{}</code></span>', picture, code)


_CHOSEN = SafeString('<button type="button"><selectedcontent></selectedcontent></button>')
"""Shows the chosen one with its picture, where the browser lets pages draw lists; others ignore it."""


class PicturedSelect(forms.Select):
    """A list whose choices have pictures where the browser draws them, and are their text elsewhere."""

    def __init__(self, attrs: dict[str, Any] | None = None, choices: Any = ()) -> None:
        super().__init__({"class": "pictured", **(attrs or {})}, choices)

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        opening, end, choices = super().render(name, value, attrs, renderer).partition(">")
        return SafeString(opening + end + _CHOSEN + choices)


class EnvironmentField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """One environment."""

    widget = PicturedSelect

    def label_from_instance(self, obj: Environment) -> SafeString:
        return picture_and_id(obj.code, obj.current.digest if obj.current else None)


class EnvironmentsField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Several environments with their titles and stages."""

    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, obj: Environment) -> SafeString:
        pictured = picture_and_id(obj.code, obj.current.digest if obj.current else None)
        return format_html(
            "{}{} (in {})", pictured, f" {obj.title}" if obj.title else "", obj.stage.capitalize()
        )


def with_pictures() -> Any:
    """The environments with what a field shows of them: not their notes and sources."""
    whole = Environment.objects.select_related("current")
    return whole.only("code", "title", "stage", "current__digest")
