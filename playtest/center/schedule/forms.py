"""Forms of the schedule. Times are those of the center's clock."""

from typing import Any

from django import forms
from django.conf import settings
from django.db import IntegrityError

from playtest.center.schedule.roster_file import decoded
from playtest.center.schedule.slots import MOST_CAPACITY, MOST_MINUTES, MOST_WEEKS
from playtest.center.schedule.times import local
from playtest.people.languages import ENGLISH_NAMES
from playtest.people.models import Participant
from playtest.people.participants import find_participants
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.rules.text import storable

WEEKDAYS = [(number, name) for number, name in enumerate(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))]
USUAL_SEATS = 34
_MOST_ROSTER_BYTES = 600_000


def open_studies() -> "forms.ModelChoiceField[Study]":
    return forms.ModelChoiceField(Study.objects.filter(open=True).order_by("-created_at"), empty_label=None)


def language_of_pages() -> forms.ChoiceField:
    return forms.ChoiceField(
        label="Language of the participant's pages",
        choices=list(ENGLISH_NAMES.items()),
        initial=settings.LANGUAGE_CODE,
        required=False,
        help_text="The participant can choose another one until they consent.",
    )


class SlotForm(forms.Form):
    """One slot, or one for each chosen weekday of some weeks."""

    study = open_studies()
    day = forms.DateField(label="Date", widget=forms.DateInput(attrs={"type": "date"}))
    begins = forms.TimeField(label="Begins", widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))
    minutes = forms.IntegerField(label="Minutes", min_value=1, max_value=MOST_MINUTES)
    capacity = forms.IntegerField(label="Seats", min_value=1, max_value=MOST_CAPACITY, initial=USUAL_SEATS)
    room = forms.CharField(max_length=40, required=False)
    note = forms.CharField(
        max_length=500, required=False, help_text="For colleagues; participants never see it."
    )
    weekdays = forms.TypedMultipleChoiceField(
        label="Repeat on",
        choices=WEEKDAYS,
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Choose none for a single slot.",
    )
    weeks = forms.IntegerField(label="Weeks", min_value=1, max_value=MOST_WEEKS, initial=1)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        newest = Study.objects.filter(open=True).order_by("-created_at").first()
        self.initial.setdefault("day", local(now()).date())
        self.initial.setdefault("begins", "09:00")
        if newest is not None:
            self.initial.setdefault("minutes", newest.protocol.limits.session_seconds // 60 + 30)


class _PersonForm(forms.Form):
    """A person who is at the desk: new, or found by pseudonym, reference or address."""

    name = forms.CharField(label="Pseudonym, reference or e-mail", max_length=254, required=False)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        name, new = values.get("name", ""), self.is_new(values)
        self.found: list[Participant] = find_participants(name) if name else []
        if new and self.found:
            self._refuse("reference_taken", f"{self.found[0]} has this reference and is not new.")
        elif new and "@" in name:
            self._refuse("reference_invalid", "Enter a reference, not an address, for a new person.")
        elif new and len(name) > 64:
            self._refuse("reference_invalid", "A reference has at most 64 characters.")
        elif not new and not name:
            self._refuse("participant_missing", "Enter who it is, or choose “First time here”.")
        elif not new and not self.found:
            self._refuse(
                "participant_unknown",
                "Nobody has this pseudonym, reference or address. Check it, or choose “First time here”.",
            )
        elif len(self.found) > 1:
            self._refuse("person_ambiguous", "Several people match. Enter the pseudonym.")
        values["language"] = values.get("language") or settings.LANGUAGE_CODE
        return values

    def is_new(self, values: dict[str, Any]) -> bool:
        """Whether the person says that they have not been here."""
        raise NotImplementedError

    def participant(self) -> Participant:
        """The person, created if new, within a transaction. Refusal: reference_taken."""
        if self.found:
            return self.found[0]
        try:
            return new_participant(self.cleaned_data["name"])
        except IntegrityError as error:
            message = "Someone else has just used this reference. Check who has it."
            raise Refusal("reference_taken", message) from error

    def _refuse(self, code: str, message: str) -> None:
        self.add_error("name", forms.ValidationError(message, code=code))


class PersonForm(_PersonForm):
    """A person who has walked in."""

    new = forms.BooleanField(label="First time here", required=False)
    language = language_of_pages()

    def is_new(self, values: dict[str, Any]) -> bool:
        return bool(values.get("new", False))


class SessionForm(_PersonForm):
    """A study and a person for a session without a slot."""

    NEW = "new"
    study = open_studies()
    who = forms.ChoiceField(
        label="Participant",
        choices=[(NEW, "First time here"), ("returning", "Has been here before")],
        initial=NEW,
        widget=forms.RadioSelect,
    )
    name = forms.CharField(
        label="Pseudonym or recruiter's reference",
        max_length=254,
        required=False,
        help_text="New participant: the recruiter's reference, if there is one. Returning: either one, or the"
        " e-mail address. Case and spaces do not matter.",
    )
    another = forms.BooleanField(
        label="Also if this person has a session open now",
        required=False,
        help_text="They can then play in two places at once.",
    )
    language = language_of_pages()
    field_order = ("study", "who", "name", "language", "another")

    def is_new(self, values: dict[str, Any]) -> bool:
        return values.get("who") == self.NEW


class RosterForm(forms.Form):
    """A roster as a file or as text."""

    study = open_studies()
    slot = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    file = forms.FileField(label="CSV file", required=False)
    text = forms.CharField(
        label="or lines pasted here",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        file = values.get("file")
        if file is not None and file.size > _MOST_ROSTER_BYTES:
            self.add_error(
                "file", forms.ValidationError("This file is too large. Divide it.", code="roster_too_large")
            )
        elif file is not None:
            values["text"] = decoded(file.read()).replace("\0", "\ufffd")
        if not storable(values.get("text", "")):
            self.add_error("text", forms.ValidationError("This is not text.", code="roster_invalid"))
        return values
