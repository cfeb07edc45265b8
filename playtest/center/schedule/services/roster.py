"""Imports a roster: all lines without a problem, in one transaction."""

from django.db import transaction

from playtest.center.schedule.models import Booking, BookingKind, Slot
from playtest.center.schedule.roster import NewPerson, Plan, plan
from playtest.center.schedule.roster_file import read_roster
from playtest.people.models import Contact, Participant, Staff
from playtest.people.services import new_participants
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.play.sessions.locks import locked_study


def import_roster(text: str, study: Study, slot: Slot | None, staff: Staff | None) -> Plan:
    """Books everybody whose line has no problem, and creates those who are new; returns what was done.

    Lines are checked again with the study's row locked. Refusal: study_closed, and as `read_roster`.
    """
    roster = read_roster(text)
    with transaction.atomic():
        study = locked_study(study.pk)
        if not study.open:
            raise Refusal("study_closed", "This study is closed. Open it first, or choose another.")
        made = plan(roster, study, slot)
        people = _people(made)
        Booking.objects.bulk_create(
            Booking(
                slot=good.slot,
                participant_id=good.who if isinstance(good.who, int) else people[good.who].pk,
                kind=BookingKind.INVITED,
                created_at=now(),
                created_by=staff,
                changed_at=now(),
                changed_by=staff,
            )
            for good in made.good
        )
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
    changed = [person for person in without if references[person.pk].casefold() != person.label.casefold()]
    for person in changed:
        person.reference = references[person.pk]
    Participant.objects.bulk_update(changed, ["reference"])
