"""Forms of the schedule. Times are those of the center's clock."""

import zlib
from base64 import b85decode, b85encode
from typing import Any

from django import forms
from django.conf import settings
from django.db import IntegrityError

from playtest.center.schedule.roster_file import Reading, text_of_file
from playtest.center.schedule.slots import MOST_CAPACITY, MOST_MINUTES, MOST_WEEKS
from playtest.center.schedule.times import local
from playtest.center.stations.queries import rooms
from playtest.people.languages import ENGLISH_NAMES
from playtest.people.models import Participant
from playtest.people.participants import find_participants
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.rules.errors import RuleError
from playtest.rules.spreadsheets import misread
from playtest.rules.text import whole_number

WEEKDAYS = [(number, name) for number, name in enumerate(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))]
USUAL_SEATS = 34
BEFORE_PLAY_MINUTES = 10
OTHER_ROOM = "*other"
MOST_ROSTER_BYTES = 4_000_000
_ORDERS = {"day": "Day first: 3 April", "month": "Month first: March 4"}


_OPEN = Study.objects.filter(open=True).order_by("rehearsal", "-created_at")
"""Those with real people first: the first one is chosen unless staff choose another."""


class _StudyField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, study: Study) -> str:
        return f"{study.name} (rehearsal)" if study.rehearsal else study.name


def open_studies() -> _StudyField:
    return _StudyField(_OPEN, empty_label=None)


def rooms_of_slots() -> list[tuple[str, str]]:
    """The rooms that have stations; none, and one that has no station yet."""
    return [("", "None"), *((room, room) for room in rooms()), (OTHER_ROOM, "Another room")]


class SlotForm(forms.Form):
    """One slot, or one for each chosen weekday of some weeks."""

    study = open_studies()
    day = forms.DateField(label="Date", widget=forms.DateInput(attrs={"type": "date"}))
    begins = forms.TimeField(label="Begins", widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))
    minutes = forms.IntegerField(label="Minutes", min_value=1, max_value=MOST_MINUTES)
    capacity = forms.IntegerField(label="Seats", min_value=1, max_value=MOST_CAPACITY, initial=USUAL_SEATS)
    room = forms.ChoiceField(choices=rooms_of_slots, required=False)
    other_room = forms.CharField(max_length=40, required=False, help_text="If “Another room” is chosen.")
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
    short = forms.BooleanField(label="Create it all the same", required=False)
    is_short = False
    """Whether the page asks about `short`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        newest = _OPEN.first()
        self.initial.setdefault("day", local(now()).date())
        self.initial.setdefault("begins", "09:00")
        if newest is not None:
            self.initial.setdefault("minutes", newest.protocol.limits.session_seconds // 60 + 30)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if values.get("room") == OTHER_ROOM:
            values["room"] = values.get("other_room", "")
            if not values["room"]:
                self.add_error(
                    "other_room", forms.ValidationError("Enter the name of the room.", code="room_missing")
                )
        study, minutes = values.get("study"), values.get("minutes")
        if study and minutes and not values.get("short"):
            play = study.protocol.limits.session_seconds // 60
            self.is_short = minutes < play + BEFORE_PLAY_MINUTES
            if self.is_short:
                told = (
                    f"A person needs {play + BEFORE_PLAY_MINUTES} minutes: {BEFORE_PLAY_MINUTES} for consent,"
                    f" questions and tutorial, and up to {play} to play. Plan as long, or say so below."
                )
                self.add_error("minutes", forms.ValidationError(told, code="slot_short"))
        return values


class PersonForm(forms.Form):
    """A person who is at the desk: new, or found by pseudonym, reference or address."""

    name = forms.CharField(
        label="Pseudonym, reference or e-mail",
        max_length=254,
        required=False,
        help_text="Of somebody new the recruiter's reference, if there is one.",
    )
    new = forms.BooleanField(label="First time here", required=False)
    language = forms.ChoiceField(
        label="Language of the participant's pages",
        choices=list(ENGLISH_NAMES.items()),
        initial=settings.LANGUAGE_CODE,
        required=False,
        help_text="The participant can choose another one until they consent.",
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        name, new = values.get("name", ""), values.get("new", False)
        self.found: list[Participant] = find_participants(name) if name else []
        if new and self.found:
            self._refuse("reference_taken", f"{self.found[0]} has this reference and is not new.")
        elif new and "@" in name:
            self._refuse("reference_invalid", "Enter a reference, not an address, for a new person.")
        elif new and len(name) > 64:
            self._refuse("reference_invalid", "A reference has at most 64 characters.")
        elif new and (why := misread(name)):
            self._refuse("reference_misread", why)
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


class SessionForm(PersonForm):
    """A study and a person for a session without a slot."""

    study = open_studies()
    new = forms.BooleanField(label="First time here", required=False, initial=True)
    another = forms.BooleanField(
        label="Also if this person has a session open now",
        required=False,
        help_text="They can then play in two places at once.",
    )
    field_order = ("study", "name", "new", "language", "another")


class RosterForm(forms.Form):
    """A roster as a file or as text, and what staff say about its columns, dates and doubtful lines.

    `packed` is the text of a file that was read before. Of a file, `cleaned_data["text"]` is its text.
    """

    study = open_studies()
    slot = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    file = forms.FileField(label="CSV file or workbook", required=False)
    text = forms.CharField(
        label="or lines pasted here",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )
    packed = forms.CharField(required=False, widget=forms.HiddenInput)
    dates = forms.ChoiceField(
        label="Dates such as 03/04/2026",
        choices={"": "As other dates of the file say"} | _ORDERS,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        file = values.get("file")
        try:
            if file is not None and file.size > MOST_ROSTER_BYTES:
                raise RuleError("roster_too_large", "This file is too large. Divide it.")
            if file is not None:
                values["text"] = text_of_file(file.read())
            elif values.get("packed"):
                values["text"] = _unpacked(values["packed"])
        except RuleError as error:
            self.add_error("file", forms.ValidationError(error.message, code=error.code))
        return values

    def packed_text(self) -> str:
        """The text, for the next form of the page: compressed, since a form may not have as many bytes."""
        text = str(self.cleaned_data["text"]).encode("utf-8", "surrogatepass")
        return b85encode(zlib.compress(text)).decode()

    def reading(self) -> Reading:
        """What was chosen on the page; the columns are None where it had no choice of them."""
        columns: list[str] = []
        while (name := f"column-{len(columns)}") in self.data:
            columns.append(str(self.data[name]))
        numbers = {name: whole_number(name.removeprefix("answer-")) for name in self.data}
        answers = {number: str(self.data[name]) for name, number in numbers.items() if number is not None}
        order = self.cleaned_data["dates"]
        return Reading(tuple(columns) or None, order == "day" if order else None, answers)


def order_of(reading: Reading) -> str:
    """The choice of `RosterForm.dates` that a reading has."""
    return "" if reading.day_first is None else "day" if reading.day_first else "month"


def _unpacked(packed: str) -> str:
    """The text in a form of this page. RuleError roster_invalid, for anything else."""
    try:
        unpack = zlib.decompressobj()
        text = unpack.decompress(b85decode(packed), 3 * MOST_ROSTER_BYTES)
        if unpack.eof:
            return text.decode("utf-8", "surrogatepass")
    except (ValueError, zlib.error):
        pass
    raise RuleError("roster_invalid", "The roster did not arrive whole. Choose the file again.")
