"""At the end of a slot: all amounts, all receipts in one PDF, cash in one pass, the rest to the payer."""

from datetime import time
from io import BytesIO
from typing import Any

import pytest
from django.urls import reverse
from pypdf import PdfReader
from pytest_django import Settings

from playtest.center.models import Booking, PayAccount, PayBatch
from playtest.center.pay.accounts import state_of
from playtest.center.schedule.bookings import book
from playtest.center.schedule.models import Slot
from playtest.center.schedule.slots import create_slots
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import SessionEnd
from playtest.play.sessions.ends import end_session
from tests import make
from tests.center.pay.test_pages import seen_on
from tests.center.schedule.conftest import MONDAY, clock
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("clock")]

__all__ = ["clock"]


@pytest.fixture
def slot(settings: Settings) -> Slot:
    """Three people of a slot, each owed 19,000 yen once they have given consent; the last still plays."""
    settings.CENTER_CURRENCY = "JPY"
    study = make.study(people=100, fee="19000", bonus="0")
    days = [MONDAY.date()]
    [found] = create_slots(study, None, days=days, begins=time(9), minutes=120, capacity=3, room="North")
    for name in ("Ana", "Ben", "Cem"):
        booking = book(found, new_participant(name), None)
        booking.session = make.session(study, booking.participant)
        booking.save()
        if name != "Cem":
            assert booking.session is not None
            end_session(booking.session, SessionEnd.ENDED_BY_STAFF)
    return found


def test_a_slot_is_paid_in_one_pass(slot: Slot) -> None:
    lead, address = signed_in(Role.LEAD), reverse("center:slot-pay", args=[slot.pk])
    page = lead.get(address).content.decode()
    assert "¥38,000 for 2 people, ¥38,000 of it unpaid" in page
    assert "1 still plays" in page
    unprinted = lead.post(
        reverse("center:slot-cash", args=[slot.pk]),
        {"account": PayAccount.objects.values_list("pk", flat=True)},
        follow=True,
    )
    assert "Ana, Ben: Make the original of this amount" in unprinted.content.decode()
    marks = []
    for _ in "12":
        pdf = PdfReader(BytesIO(lead.post(reverse("center:slot-receipts", args=[slot.pk])).content))
        text = "\n".join(one.extract_text() for one in pdf.pages)
        marks.append((len(pdf.pages), text.count("Original"), text.count("Copy")))
        assert all(part in text for part in ("Total ¥38,000", "Ana", "Ben", "¥19,000", "Total (JPY)"))
    assert marks == [(2, 2, 0), (2, 0, 2)]
    ana, ben = PayAccount.objects.order_by("pk")
    paid = lead.post(reverse("center:slot-cash", args=[slot.pk]), {"account": [ana.pk, "x"]}, follow=True)
    assert "Noted: 1 person paid in cash." in paid.content.decode()
    assert f'value="{ben.pk}">' in paid.content.decode(), "whose tick was removed has not signed"
    assert f'value="{ana.pk}"' not in paid.content.decode()
    assert f'value="{ben.pk}" checked' in lead.get(address).content.decode()
    choice = {"study": slot.study_id, "slot": slot.pk}
    preview = lead.get(reverse("center:pay-batch-new"), choice).content.decode()
    assert "¥19,000 for 1 person" in preview
    lead.post(reverse("center:pay-batch-new"), choice | {"seen": seen_on(preview), "form_token": "b"})
    assert PayBatch.objects.get().total == 19_000
    states = [(state_of(one) or [""])[0] for one in (ana, ben)]
    assert states == ["paid in cash", "in a batch"]
    assert "all paid" in lead.get(address).content.decode()


def test_its_page_asks_no_more_for_many(slot: Slot, django_assert_max_num_queries: Any) -> None:
    lead, address = signed_in(Role.LEAD), reverse("center:slot-pay", args=[slot.pk])
    numbers = []
    lead.get(address)  # what is read once by the process
    for _ in "12":
        with django_assert_max_num_queries(40) as captured:
            lead.get(address)
        numbers.append(len(captured))
        for booking in Booking.objects.filter(session__ended_at=None):
            assert booking.session is not None
            end_session(booking.session, SessionEnd.ENDED_BY_STAFF)
    assert numbers[0] == numbers[1]
