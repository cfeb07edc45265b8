"""Pages of pay, also in a browser."""

import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.center.models import Adjustment, PayAccount, PayBatch
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Session, SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse, settled
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


FORM = {"amount": "10.00", "reason": "waited", "text": "The station was broken.", "form_token": "t"}


@pytest.fixture(scope="module")
def ended(module_db: None) -> int:
    """A session that ended with one environment solved."""
    session = make.session(make.study(people=100), new_participant("R-17"))
    make.play(session, WALK, Outcome.COMPLETED)
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    return session.pk


@pytest.fixture
def session(ended: int) -> Session:
    return Session.objects.select_related("study", "participant").get(pk=ended)


def adjust(session: Session, client: Client, **changes: str) -> str:
    address = reverse("center:session-pay", args=[session.pk])
    return client.post(address, FORM | changes, follow=True).content.decode()


def text(client: Client, name: str, *arguments: Any) -> str:
    return client.get(reverse(f"center:{name}", args=arguments)).content.decode()


def test_an_adjustment_waits_on_the_page_of_pay_until_it_is_approved(session: Session) -> None:
    proctor = signed_in(Role.PROCTOR)
    assert "$10.00 is entered" in adjust(session, proctor)
    adjust(session, proctor)
    adjustment = Adjustment.objects.get()
    lead = signed_in(Role.LEAD)
    assert "1 adjustment waits for approval" in text(lead, "pay")
    assert "Approve" not in text(signed_in(Role.PROCTOR), "pay")
    lead.post(reverse("center:pay-decide", args=[adjustment.pk]), {"approve": "yes"})
    page = text(lead, "session", session.pk)
    assert "<strong>$130.00</strong> = $115.00 fee + $5.00 for 1 solved, adjusted by $10.00" in page
    assert "approved by lead" in page


def test_an_adjustment_that_cannot_be_is_refused(session: Session) -> None:
    proctor = signed_in(Role.PROCTOR)
    assert "(max_decimal_places)" in adjust(session, proctor, amount="1.234")
    assert "(invalid)" in adjust(session, proctor, amount="NaN")
    assert "(invalid_choice)" in adjust(session, proctor, reason="x")
    assert not Adjustment.objects.exists()


def test_a_receipt_is_an_original_once_and_names_no_environment(session: Session) -> None:
    address = reverse("center:pay-receipt", args=[PayAccount.objects.get().pk])
    proctor = signed_in(Role.PROCTOR)
    shown = [proctor.get(address), proctor.post(address), proctor.post(address), proctor.get(address)]
    marks = [re.search(r'class="mark">(\w+)', page.content.decode()) for page in shown]
    assert [mark and mark[1] for mark in marks] == ["Draft", "Original", "Copy", "Copy"]
    page = shown[1].content.decode()
    assert "1 game solved \u00d7 $5.00" in page
    assert "$120.00" in page
    assert "R-17" in page
    assert "wk01" not in page


def test_a_batch_is_previewed_made_once_and_downloaded_again(session: Session) -> None:
    lead = signed_in(Role.LEAD)
    assert "$120.00 for 1 person is unpaid" in text(lead, "pay-batch-new")
    seen = seen_on(text(lead, "pay-batch-new"))
    for _ in "12":
        lead.post(reverse("center:pay-batch-new"), {"form_token": "b", "seen": seen})
    batch = PayBatch.objects.get()
    files = [text(lead, "pay-batch-file", batch.pk) for _ in "12"]
    assert files[0] == files[1]
    assert files[0].splitlines()[0] == "receipts,date,payee,amount,currency,address"
    assert files[0].splitlines()[1].endswith(",R-17,120.00,USD,")
    assert "R-17" in text(lead, "pay-batch", batch.pk)
    assert "Nothing is unpaid" in text(lead, "pay-batch-new")


def seen_on(page: str) -> str:
    found = re.search(r'name="seen" value="(\w+)"', page)
    return found[1] if found else ""


def test_a_batch_is_exactly_the_list_that_was_seen(session: Session) -> None:
    lead, address = signed_in(Role.LEAD), reverse("center:pay-batch-new")
    seen = seen_on(text(lead, "pay-batch-new"))
    end_session(make.session(session.study), SessionEnd.ENDED_BY_STAFF)
    page = lead.post(address, {"form_token": "b", "seen": seen}).content.decode()
    assert "list_changed" in page
    assert "$235.00 for 2 people" in page
    assert "list_changed" in lead.post(address, {"form_token": "c"}).content.decode()
    assert not PayBatch.objects.exists()
    lead.post(address, {"form_token": "b", "seen": seen_on(page)})
    assert PayBatch.objects.get().total == 235


def test_payments_have_states_that_their_pages_change(session: Session) -> None:
    lead, account = signed_in(Role.LEAD), PayAccount.objects.get()
    seen = seen_on(text(lead, "pay-batch-new"))
    lead.post(reverse("center:pay-batch-new"), {"form_token": "b", "seen": seen})
    batch = PayBatch.objects.get()
    lead.post(reverse("center:pay-batch-sent", args=[batch.pk]))
    assert "<strong>sent</strong> (batch" in text(lead, "pay-receipt", account.pk)
    back = {"account": account.pk, "text": "The bank account is closed."}
    lead.post(reverse("center:pay-batch-returned", args=[batch.pk]), back)
    assert "returned, owed again" in text(lead, "pay-batch", batch.pk)
    assert "$120.00 for 1 person is unpaid" in text(lead, "pay-batch-new")
    proctor = signed_in(Role.PROCTOR)
    proctor.post(reverse("center:pay-receipt", args=[account.pk]))
    assert "$120.00 paid in cash, and the receipt is signed" in text(proctor, "pay-receipt", account.pk)
    proctor.post(reverse("center:pay-cash", args=[account.pk]))
    assert "<strong>paid in cash</strong>" in text(proctor, "pay-receipt", account.pk)
    assert "Nothing is unpaid" in text(lead, "pay-batch-new")


def test_a_budget_is_set_with_a_reason_and_its_warning_is_shown(session: Session) -> None:
    lead = signed_in(Role.LEAD)
    address = reverse("center:pay-budget", args=[session.study_id])
    refused = lead.post(address, {"cap": "200", "warn_percent": "80", "reason": "short"}).content.decode()
    assert "reason_missing" in refused
    lead.post(address, {"cap": "200", "warn_percent": "80", "reason": "The sponsor gave this."})
    page = text(lead, "pay-study", session.study_id)
    assert "has no room for another session" in page
    assert "No room for another session at about $120.00." in page
    assert "has no room for another session" in text(lead, "session-new")
    assert "has no room for another session" in text(lead, "schedule")
    assert "budget used" in lead.get(reverse("play:studies")).content.decode()


def test_the_command_fails_where_the_ledger_does_not_add_up(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("pay", "--study", str(session.study_id), "--json")
    assert '"owed": "120.00"' in capsys.readouterr().out
    account = PayAccount.objects.get()
    void = PayBatch.objects.create(total=1, people=1, made_by=staff(Role.LEAD), made_at=account.opened_at)
    assert not void.lines.exists()
    with pytest.raises(CommandError, match="pay_differs: 1"):
        call_command("pay", "--study", str(session.study_id))
    with pytest.raises(CommandError, match="study_unknown"):
        call_command("pay", "--study", "999999")


@pytest.mark.usefixtures("ended")
def test_a_receipt_is_one_sheet_to_be_signed(page: Page) -> None:
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('center:pay-receipt', args=[PayAccount.objects.get().pk])}")
    page.get_by_role("button", name="Make the original").click()
    settled(page)
    page.emulate_media(media="print")
    expect(page.get_by_text("Received, date and signature")).to_be_visible()
    expect(page.get_by_role("navigation", name="Places", include_hidden=True)).to_be_hidden()
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1
