"""Which lines of a roster can be imported, why others cannot, and the import of those that can."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from django.db import transaction

from playtest.center.schedule.models import PRESENT, Booking, BookingKind, RosterColumns, Slot
from playtest.center.schedule.roster_file import Line, Problem, Reading, Roster, Table, read_roster
from playtest.center.schedule.times import local
from playtest.people.models import Contact, Participant, Staff, Withdrawal
from playtest.people.participants import Directory, records_of
from playtest.people.services import new_participants
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.play.sessions.locks import locked_study
from playtest.play.sessions.quota import candidates, environments_played_by, places_of, refuse_without_places
from playtest.rules.sheets import as_number, same_heading
from playtest.rules.text import clean_identity


@dataclass(eq=False)
class NewPerson:
    """A person of the file who has not been here before; several lines may be about them."""

    reference: str
    email: str


type Who = int | NewPerson


@dataclass(frozen=True)
class Good:
    """A line that can be imported: the slot, and the participant's id or a person who is new."""

    line: Line
    slot: Slot
    who: Who


@dataclass
class Plan:
    """What an import would do, and every line that it would leave out, in the order of the file."""

    good: list[Good] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def returning(self) -> int:
        return sum(isinstance(good.who, int) for good in self.good)


_NO_LINE = 0
"""In place of a line's number: the seat was booked before."""


class _Found(Exception):
    """A line has a problem."""

    def __init__(self, code: str, sentence: str, like: str = "") -> None:
        super().__init__(code)
        self.code, self.sentence, self.like = code, sentence, like


def plan(roster: Roster, study: Study, slot: Slot | None, answers: Mapping[int, str] | None = None) -> Plan:
    """Checks each line in its order; `slot` is for lines that name none. Earlier lines take the places.

    `answers` are as of `Reading`.
    """
    checks = _Checks(roster.lines, study, slot, answers or {})
    made = Plan(problems=list(roster.problems))
    for line in roster.lines:
        try:
            made.good.append(checks.check(line))
        except _Found as found:
            made.problems.append(line.problem(found.code, found.sentence, found.like))
    made.problems.sort(key=lambda problem: problem.number)
    return made


class _Checks:
    """Everything that lines are checked against, read once, and what earlier lines have taken."""

    def __init__(
        self, lines: Sequence[Line], study: Study, slot: Slot | None, answers: Mapping[int, str]
    ) -> None:
        self._directory = Directory()
        self._answers = answers
        self._default = slot
        self._slots = {one.pk: one for one in Slot.objects.filter(study=study)}
        self._by_time: defaultdict[datetime, list[Slot]] = defaultdict(list)
        for one in self._slots.values():
            if one.cancelled_at is None:
                self._by_time[local(one.starts_at).replace(tzinfo=None)].append(one)
        present = Booking.objects.filter(state__in=PRESENT, slot__cancelled_at__isnull=True)
        self._taken = Counter(present.filter(slot__study=study).values_list("slot", flat=True))
        self._seats: defaultdict[Who, list[tuple[Slot, int]]] = defaultdict(list)
        for booking in present.filter(slot__ends_at__gt=now()).select_related("slot"):
            self._seats[booking.participant_id].append((booking.slot, _NO_LINE))
        self._withdrawn = set(Withdrawal.objects.values_list("participant", flat=True))
        self._places = places_of(study).left
        target = study.protocol.acceptance.people
        self._open = {one.environment for one in candidates(study) if one.people < target}
        known = {
            pk
            for line in lines
            for pk in (
                *self._directory.named(line.reference),
                *self._directory.find(line.email),
                *self._directory.similar(line.reference),
            )
        }
        self._met = environments_played_by(known)
        self._records = records_of(known)
        self._by_reference: dict[str, NewPerson] = {}
        self._by_email: dict[str, Who] = {}
        self._by_number: defaultdict[str, set[NewPerson]] = defaultdict(set)

    def check(self, line: Line) -> Good:
        slot = self._slot(line)
        who = self._who(line)
        if isinstance(who, int):
            self._refuse_person(who)
        self._refuse_seat(slot, who)
        if self._places <= 0:
            raise _Found(
                "no_places", "The study has no place left: what it still needs is promised to others."
            )
        self._places -= 1
        self._taken[slot.pk] += 1
        self._seats[who].append((slot, line.number))
        if line.email:
            self._by_email[clean_identity(line.email)] = who
        if isinstance(who, NewPerson) and line.reference:
            self._by_reference[clean_identity(line.reference)] = who
            for number in filter(None, as_number(line.reference)):
                self._by_number[number].add(who)
            who.reference, who.email = line.reference, who.email or line.email
        return Good(line, slot, who)

    def _slot(self, line: Line) -> Slot:
        slot = self._default
        if line.slot is not None:
            slot = self._slots.get(line.slot)
        elif line.day is not None and line.at is not None:
            at = datetime.combine(line.day, line.at)
            found = [
                one
                for one in self._by_time.get(at, [])
                if not line.room or clean_identity(one.room) == clean_identity(line.room)
            ]
            if len(found) > 1:
                raise _Found(
                    "slot_ambiguous", "Several slots begin at this time. Give the room or the number."
                )
            slot = found[0] if found else None
        if slot is None:
            raise _Found("slot_unknown", "This study has no such slot. Check date, time, room and study.")
        if slot.cancelled_at is not None:
            raise _Found("slot_cancelled", "This slot has been cancelled.")
        if slot.ends_at <= now():
            raise _Found("slot_over", "This slot is over.")
        return slot

    def _who(self, line: Line) -> Who:
        """Who the line is about, by reference and address, among participants and earlier lines."""
        named: Who | None = self._known_by_name(line.reference) or self._by_reference.get(
            clean_identity(line.reference)
        )
        reached: Who | None = None
        if line.email:
            reached = self._directory.reached_by(line.email) or self._by_email.get(clean_identity(line.email))
        if named is not None and reached is not None and named != reached:
            raise _Found(
                "person_contradicts", "The reference and the address belong to two different people."
            )
        digits, shortened = as_number(line.reference)
        alike: list[Who] = []
        if named is None and (digits or shortened):
            alike = [*self._directory.similar(line.reference), *self._by_number.get(digits or shortened, ())]
            if not alike and not digits:
                message = "A spreadsheet shortened this number. Save its column as text."
                raise _Found("reference_shortened", message)
        if named is None and reached is not None and line.reference:
            known = self._reference_of(reached)
            if known and reached not in alike:
                raise _Found("person_contradicts", f"The person with this address has the reference {known}.")
        return named or reached or self._meant(line, alike) or NewPerson(line.reference, line.email)

    def _reference_of(self, who: Who) -> str:
        return who.reference if isinstance(who, NewPerson) else self._directory.references.get(who, "")

    def _meant(self, line: Line, alike: Sequence[Who]) -> Who | None:
        """Whom staff say to be meant by a number that a spreadsheet may have changed; None: somebody new."""
        answer, zeros = self._answers.get(line.number), bool(as_number(line.reference)[0])
        if not alike or (answer == "new" and zeros):
            return None
        if len(alike) > 1:
            raise _Found("person_ambiguous", "Several people have such a reference. Give it in full.")
        if answer == "same":
            return alike[0]
        known = self._reference_of(alike[0])
        message = f"Is this {known}, changed by a spreadsheet? Answer, else the line is left out."
        raise _Found("zeros_lost" if zeros else "reference_shortened", message, known)

    def _known_by_name(self, reference: str) -> int | None:
        found = self._directory.named(reference)
        if len(found) > 1:
            raise _Found("person_ambiguous", "Several people have this reference. Ask who is meant.")
        return next(iter(found), None)

    def _refuse_person(self, person: int) -> None:
        if person in self._withdrawn:
            raise _Found("participant_withdrawn", "This person withdrew their consent and cannot play again.")
        if self._open and self._met[person] >= self._open:
            raise _Found(
                "everything_met", "This person has played every environment of this study that needs people."
            )

    def _refuse_seat(self, slot: Slot, who: Who) -> None:
        records = self._records[who] if isinstance(who, int) else (who,)
        for other, number in (seat for one in records for seat in self._seats.get(one, [])):
            if other.pk == slot.pk and number != _NO_LINE:
                raise _Found("duplicate_line", f"Line {number} books this person into this slot already.")
            if other.pk == slot.pk:
                raise _Found("already_booked", "This person has a seat in this slot already.")
            if other.starts_at < slot.ends_at and other.ends_at > slot.starts_at:
                raise _Found("booked_elsewhere", f"This person has a seat in {other}, at the same time.")
        if self._taken[slot.pk] >= slot.capacity:
            raise _Found("slot_full", f"All {slot.capacity} seats of this slot are taken.")


def remembered(table: Table) -> Reading:
    """How the last file with these headings was read."""
    found = RosterColumns.objects.filter(headings=_names(table)).first()
    return Reading(tuple(found.columns), found.day_first) if found else Reading()


def _names(table: Table) -> str:
    """Headings as one text that identifies them; a digest, since they may be long."""
    return sha256(json.dumps([same_heading(one) for one in table.headings]).encode()).hexdigest()


def import_roster(
    text: str, study: Study, slot: Slot | None, staff: Staff | None, reading: Reading | None = None
) -> Plan:
    """Books everybody whose line has no problem, and creates those who are new; returns what was done.

    Lines are checked again with the study's row locked. Refusal: study_closed, as `read_roster`, and as
    `play.sessions.quota.refuse_without_places` of all of them together: then nobody is booked.
    """
    reading = reading or Reading()
    roster = read_roster(text, reading)
    with transaction.atomic():
        study = locked_study(study.pk)
        if not study.open:
            raise Refusal("study_closed", "This study is closed. Open it first, or choose another.")
        made = plan(roster, study, slot, reading.answers)
        if made.good:
            refuse_without_places(study, len(made.good))
        people = _people(made)
        Booking.objects.bulk_create(
            Booking(
                slot=good.slot,
                participant_id=good.who if isinstance(good.who, int) else people[good.who].pk,
                kind=BookingKind.INVITED,
                language=good.line.language,
                created_at=now(),
                created_by=staff,
                changed_at=now(),
                changed_by=staff,
            )
            for good in made.good
        )
        if reading.columns is not None:
            stored = {"columns": roster.table.columns, "day_first": reading.day_first, "changed_at": now()}
            RosterColumns.objects.update_or_create(headings=_names(roster.table), defaults=stored)
    return made


def _people(made: Plan) -> dict[NewPerson, Participant]:
    """Creates the people who are new, and stores the addresses and references of the others."""
    new = list(dict.fromkeys(good.who for good in made.good if isinstance(good.who, NewPerson)))
    people = dict(zip(new, new_participants([one.reference for one in new]), strict=True))
    emails = {people[one].pk: one.email for one in new if one.email}
    known = [good for good in made.good if isinstance(good.who, int)]
    emails |= {good.who: good.line.email for good in known if isinstance(good.who, int) and good.line.email}
    _store_references({good.who: good.line.reference for good in known if isinstance(good.who, int)})
    Contact.objects.bulk_create(
        [Contact(participant_id=pk, email=email, stored_at=now()) for pk, email in emails.items()],
        update_conflicts=True,
        unique_fields=["participant"],
        update_fields=["email", "stored_at"],
    )
    return people


def _store_references(references: dict[int, str]) -> None:
    """The references of people who were known by their address only."""
    without = Participant.objects.filter(pk__in=[pk for pk, text in references.items() if text], reference="")
    changed = [
        person for person in without if clean_identity(references[person.pk]) != clean_identity(person.label)
    ]
    for person in changed:
        person.reference = references[person.pk]
    Participant.objects.bulk_update(changed, ["reference"])
