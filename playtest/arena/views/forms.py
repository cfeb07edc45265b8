"""The forms of the boards."""

from django import forms

from playtest.arena.models import Board, BoardEntry


class EntryForm(forms.Form):
    """A scorecard enters a board. Its score is derived and no field of this form."""

    board = forms.ChoiceField(choices=Board)
    agent = forms.CharField(
        label="Name of the agent", max_length=BoardEntry._meta.get_field("agent").max_length
    )
    code_url = forms.CharField(
        label="Address of its public code",
        required=False,
        max_length=500,
        help_text="Needed on the community board.",
    )
    description = forms.CharField(
        label="How it works and how it was run", widget=forms.Textarea(attrs={"rows": 4}), max_length=10_000
    )


class RemovalForm(forms.Form):
    """Why an entry leaves its board."""

    why = forms.CharField(label="Reason", max_length=200)
