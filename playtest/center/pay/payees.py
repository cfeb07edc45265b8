"""Who people are who withdrew while money was owed to them: stored until it is paid, and erased then."""

from playtest.center.pay.accounts import unsettled
from playtest.center.pay.models import Payee
from playtest.people.models import Contact, Participant
from playtest.people.retention import overwrite_deleted_rows
from playtest.play.clock import now


def store_payee(person: Participant) -> None:
    """Stores how somebody who withdraws is known to the payer, if money is or may be owed to them."""
    if person.pk in unsettled([person.pk]):
        contact = Contact.objects.filter(participant=person).first()
        address = contact.email if contact else ""
        Payee.objects.create(participant=person, reference=person.reference, address=address, stored_at=now())


def erase_paid() -> None:
    """Erases who somebody was who withdrew, once all is paid."""
    people = set(Payee.objects.values_list("participant", flat=True))
    if paid := people - unsettled(people):
        overwrite_deleted_rows()
        Payee.objects.filter(participant__in=paid).delete()
