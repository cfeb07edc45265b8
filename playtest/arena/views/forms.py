"""The forms of the boards."""

from django import forms

from playtest.arena.models import Board, BoardEntry, Harness, SubmissionFile
from playtest.arena.services.card_notes import LONGEST_NOTE
from playtest.arena.services.run_exports import FORMATS
from playtest.studio.models import ReleaseSet


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


class HarnessForm(forms.Form):
    """A harness in one version, through which all agents of the official board play."""

    name = forms.CharField(label="Name of the harness", max_length=100)
    version = forms.CharField(max_length=100, help_text="A release or a commit that everybody can find.")
    code_url = forms.CharField(label="Address of its code", required=False, max_length=500)


class DeclarationForm(forms.Form):
    """How an official entry was played, by somebody else than who ran it."""

    harness = forms.ModelChoiceField(Harness.objects.all())
    no_tools = forms.BooleanField(
        label="The agent had no tools: frames went in, actions came out", required=False
    )
    evidence = forms.CharField(
        label="What you looked at", widget=forms.Textarea(attrs={"rows": 2}), max_length=2_000
    )


class SubmissionForm(forms.Form):
    """A file of a program's answers to static tasks. Its score is derived and no field of this form."""

    file = forms.FileField(
        label="File of answers",
        allow_empty_file=True,
        help_text='JSON: {task: [{"attempt_1": grid, "attempt_2": grid}]}, an item for each test input.',
    )
    program = forms.CharField(
        label="Name of the program", max_length=SubmissionFile._meta.get_field("program").max_length
    )
    release_set = forms.ChoiceField(
        label="Set",
        required=False,
        choices=[("", "the one that its tasks are in"), *ReleaseSet.choices[1:]],
        help_text="It is scored over all tasks of the set: a task that the file leaves out is not solved.",
    )
    cost = forms.FloatField(
        label="Cost in $", required=False, min_value=0, help_text="Of all its answers, if known."
    )
    code_url = forms.CharField(label="Address of its public code", required=False, max_length=500)
    description = forms.CharField(
        label="How it works and how it was run",
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=10_000,
    )


class NoteForm(forms.Form):
    """A note on a scorecard."""

    text = forms.CharField(label="Note", widget=forms.Textarea(attrs={"rows": 2}), max_length=LONGEST_NOTE)


class FilesForm(forms.Form):
    """The format of exported runs."""

    kind = forms.ChoiceField(label="Files", choices=[(kind.value, kind.label) for kind in FORMATS])
