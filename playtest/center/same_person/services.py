"""Links two records of one person, and reverses a link that was a mistake."""

from django.db import transaction

from playtest.center.interventions.services import checked_text
from playtest.people.matching import find_participants
from playtest.people.models import Participant, SamePerson, SamePersonReversal, Staff, Withdrawal
from playtest.people.same_person import records_of
from playtest.play.clock import now
from playtest.play.errors import Refusal


def link_records(person: Participant, name: str, reason: str, staff: Staff) -> SamePerson:
    """Links a record with the one of this pseudonym, reference or address; no attempt is changed.

    Refusal: text_missing, text_too_long, text_not_one_line, participant_unknown, person_ambiguous,
    same_record, linked_already, simulated_differs, participant_withdrawn.
    """
    reason = checked_text(reason, required=True)
    other = _named(name)
    if other == person:
        raise Refusal("same_record", f"{person} is this record itself. Enter the person's other record.")
    if other.simulated != person.simulated:
        raise Refusal("simulated_differs", "One record is of a simulated person and the other is not.")
    with transaction.atomic():
        pair = [person.pk, other.pk]
        list(Participant.objects.select_for_update().filter(pk__in=pair).order_by("pk"))
        if Withdrawal.objects.filter(participant__in=pair).exists():
            raise Refusal(
                "participant_withdrawn", "One of the two withdrew their consent: nothing of it is left."
            )
        if other.pk in records_of([person.pk])[person.pk]:
            raise Refusal("linked_already", f"{person} and {other} are known to be one person already.")
        return SamePerson.objects.create(one=person, other=other, staff=staff, linked_at=now(), reason=reason)


def reverse_link(link: SamePerson, reason: str, staff: Staff) -> SamePersonReversal:
    """Reverses a link. What did not count because of it counts again.

    Refusal: text_missing, text_too_long, text_not_one_line, reversed_already.
    """
    reason = checked_text(reason, required=True)
    with transaction.atomic():
        link = SamePerson.objects.select_for_update(of=("self",)).get(pk=link.pk)
        if SamePersonReversal.objects.filter(link=link).exists():
            raise Refusal("reversed_already", "Someone has reversed this meanwhile.")
        return SamePersonReversal.objects.create(link=link, staff=staff, reversed_at=now(), reason=reason)


def _named(name: str) -> Participant:
    found = find_participants(name)
    if not found:
        raise Refusal(
            "participant_unknown", "No participant has this pseudonym or reference. Check the spelling."
        )
    if len(found) > 1:
        raise Refusal("person_ambiguous", "Several people match. Enter the pseudonym.")
    return found[0]
