"""Who withdraws while money is owed stays known to the payer until it is paid, and to nobody after."""

from decimal import Decimal

import pytest
from django.urls import reverse

from playtest.center.models import AdjustmentReason, PayAccount, Payee, PayLine
from playtest.center.pay.accounts import payouts_of
from playtest.center.pay.payments import issue_receipt, make_batch, note_sent, pay_in_cash, take_back
from playtest.center.pay.services import decide_adjustment, enter_adjustment
from playtest.center.pay.views import payer_file
from playtest.people.models import Contact, Participant
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.review.services.withdrawal import withdraw
from tests import make
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

WHY = "Agreed with the sponsor."


def gone(*, simulated: bool = False) -> Participant:
    """Somebody who withdrew after a session whose fee is unpaid."""
    person = new_participant("" if simulated else "R-17", simulated=simulated)
    Contact.objects.create(participant=person, email="ana@example.org", stored_at=now())
    end_session(make.session(make.study(people=100), person), SessionEnd.ENDED_BY_STAFF)
    withdraw(person, staff(Role.LEAD))
    return person


@pytest.mark.services
def test_who_withdrew_is_paid_by_name_and_then_forgotten() -> None:
    gone()
    lead = staff(Role.LEAD)
    batch = make_batch(None, None, None, lead)
    assert (
        payer_file(payouts_of(batch), batch.currency)
        .splitlines()[1]
        .endswith(",R-17,115.00,USD,ana@example.org")
    )
    take_back(batch, PayAccount.objects.get().pk, WHY, lead)
    again = make_batch(None, None, None, lead)
    assert payouts_of(again)[0].payee == "R-17", "until it is sent it may come back"
    note_sent(again, lead)
    assert not Payee.objects.exists()
    assert payouts_of(again)[0].payee == PayAccount.objects.get().participant.label


def test_cash_is_paid_after_a_withdrawal_too() -> None:
    person, lead = gone(), staff(Role.LEAD)
    account = PayAccount.objects.get()
    entered = account.adjustments.create(
        amount=Decimal(5), reason=AdjustmentReason.TRAVEL, text=WHY, entered_by=lead, entered_at=now()
    )
    issue_receipt(account, lead)
    pay_in_cash(account, lead)
    assert Payee.objects.get().participant == person, "an adjustment waits"
    decide_adjustment(entered, approved=False, text=WHY, staff=staff(Role.RESEARCHER))
    assert not Payee.objects.exists()


def test_nobody_is_stored_who_is_owed_nothing() -> None:
    gone(simulated=True)
    assert not Payee.objects.exists()


def test_the_page_says_what_is_owed_before_and_afterwards() -> None:
    person, lead = new_participant("R-17"), signed_in(Role.LEAD)
    session = make.session(make.study(people=100), person)
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    enter_adjustment(session, Decimal(10), AdjustmentReason.WAITED, WHY, staff(Role.PROCTOR))
    address = reverse("review:withdrawal")
    owed = f"$115.00 is owed to {person.label}."
    assert owed in lead.get(address, {"participant": person.label}).content.decode()
    form = {"participant": person.label, "confirmation": person.label}
    page = lead.post(address, form, follow=True).content.decode()
    assert owed in page
    assert f"to be paid: {PayAccount.objects.get().number}" in page


def test_a_fee_that_was_not_posted_is_not_lost_by_a_withdrawal() -> None:
    session = make.session(make.study(people=100), new_participant("R-17"))
    session.ended_at, session.end_reason = now(), SessionEnd.ENDED_BY_STAFF
    session.save()
    withdraw(session.participant, None)
    assert [line.amount for line in PayLine.objects.all()] == [115]
    assert Payee.objects.get().reference == "R-17"
