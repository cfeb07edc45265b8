"""Fields of forms that choose environments, which are shown with their first frames."""

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

from playtest.studio.models import Environment
from playtest.studio.pictures import picture_and_id

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
