"""A form with a field of each kind, one of them refused."""

from django import forms
from django.core.exceptions import ValidationError


class SampleForm(forms.Form):
    """What a study asks for, in part; it is never stored."""

    name = forms.CharField(label="Name of the study", help_text="Staff see it; participants do not.")
    minutes = forms.IntegerField(label="Minutes a session")
    order = forms.ChoiceField(label="Order", choices=[("random", "random"), ("balanced", "balanced")])
    day = forms.DateField(label="First day", widget=forms.DateInput(attrs={"type": "date"}))
    note = forms.CharField(label="Note", widget=forms.Textarea(attrs={"rows": 3}), required=False)
    paid = forms.ChoiceField(
        label="Paid for",
        choices=[("solved", "each environment solved"), ("session", "the session alone")],
        widget=forms.RadioSelect,
    )

    def clean_minutes(self) -> int:
        """Refuses what no session takes. ValidationError: minutes_invalid."""
        minutes: int = self.cleaned_data["minutes"]
        if minutes < 1:
            raise ValidationError("Enter a number from 1 to 240.", code="minutes_invalid")
        return minutes


def refused_form() -> SampleForm:
    """The form as it comes back with one field that cannot be stored."""
    given = {"name": "Autumn", "minutes": -3, "order": "random", "day": "2026-03-02", "paid": "solved"}
    return SampleForm(given)
