"""Every write of payments: batches for the payer, cash at the desk, what became of them, and receipts."""

from datetime import date
from typing import NamedTuple

from django.db import transaction

from playtest.center.pay.accounts import (
    balance_of,
    chosen_accounts,
    currency_of,
    payable,
    seen_of,
    unpaid_amounts,
)
from playtest.center.pay.models import PayAccount, PayBatch, PaymentNote, Receipt
from playtest.center.pay.payees import erase_paid
from playtest.center.pay.services import checked_text, lock_account, post_line
from playtest.center.pay.totals import budget_of, study_pay
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.rules.pay import PAYING, LineKind, PaymentState, amount_text


def make_batch(
    study: Study | None,
    since: date | None,
    until: date | None,
    staff: Staff,
    currency: str = "",
    seen: str = "",
    slot: int | None = None,
) -> PayBatch:
    """Makes a batch of what is unpaid, and posts its payments.

    `study` None means all studies with this currency ("": the center's); `since` and `until` are days of
    sessions in the center's time zone, both included; `slot` is one of the study. Every account that can be
    paid is locked first: of two people who make a batch at the same time, the second is refused. Rehearsals
    and simulated people are never paid. `seen` is what the list was that somebody has looked at
    (`accounts.seen_of`; "": nobody has).

    Refusal: rehearsal_not_paid, days_reversed, nothing_to_pay, list_changed, budget_exceeded.
    """
    check_choice(study, since, until)
    currency = currency_of(study, currency)
    with transaction.atomic():
        locked = PayAccount.objects.select_for_update(of=("self",)).filter(payable(currency)).order_by("pk")
        accounts = {account.pk: account for account in locked}
        paid = unpaid_amounts(chosen_accounts(study, since, until, slot), currency, set(accounts))
        if not paid:
            message = "Nothing is unpaid in this choice. What was unpaid may just have been put into a batch."
            raise Refusal("nothing_to_pay", message)
        if seen and seen != seen_of(paid):
            message = "What is unpaid has changed since the list was shown. This is the list as it is now."
            raise Refusal("list_changed", message)
        _refuse_exceeded({accounts[one.account].study_id for sessions in paid.values() for one in sessions})
        batch = PayBatch.objects.create(
            study=study,
            since=since,
            until=until,
            total=sum(one.amount for sessions in paid.values() for one in sessions),
            people=len(paid),
            currency=currency,
            made_by=staff,
            made_at=now(),
        )
        for sessions in paid.values():
            for one in sessions:
                post_line(accounts[one.account], LineKind.PAYMENT, -one.amount, batch=batch)
    return batch


def _refuse_exceeded(studies: set[int]) -> None:
    """Refusal: budget_exceeded, if more is owed than a study's budget: a lead sets another, with a reason."""
    for study in Study.objects.filter(pk__in=studies, budgets__isnull=False).distinct().order_by("pk"):
        budget, owed = budget_of(study), study_pay(study).balance.owed
        if budget is not None and owed > budget.cap:
            raise Refusal(
                "budget_exceeded",
                f"{amount_text(owed, study.currency)} is owed in {study.name}, and its budget is"
                f" {amount_text(budget.cap, study.currency)}. No batch is made until a lead has set another"
                " budget, with a reason.",
            )


def pay_in_cash(account: PayAccount, staff: Staff) -> PaymentNote:
    """What is unpaid was paid at the desk, and "Received" is signed on the receipt: no batch pays it.

    Refusal: rehearsal_not_paid, nothing_to_pay, receipt_missing.
    """
    if account.study.stands_alone or account.participant.simulated:
        raise Refusal("rehearsal_not_paid", "Nobody is paid for this session.")
    with transaction.atomic():
        account = lock_account(account.pk)
        found = balance_of(account)
        if found.unpaid <= 0:
            raise Refusal("nothing_to_pay", "Nothing is unpaid here. It may just have been paid.")
        receipt = account.receipts.order_by("-edition").first()
        if receipt is None or receipt.total != found.owed:
            raise Refusal("receipt_missing", "Make the original of this amount and have it signed first.")
        line = post_line(account, LineKind.CASH, -found.unpaid)
        text = f"signed on receipt {receipt.number}"
        note = _note(PaymentState.CASH, staff, text, account=account, line=line)
        erase_paid()
    return note


def undo_cash(account: PayAccount, text: str, staff: Staff) -> PaymentNote:
    """The newest payment was noted as cash by mistake: a line against it, so that the amount is owed again.

    Refusal: nothing_to_undo, reason_missing, reason_too_long.
    """
    text = checked_text(text)
    with transaction.atomic():
        account = lock_account(account.pk)
        newest = account.lines.filter(kind__in=PAYING).last()
        if newest is None or newest.kind != LineKind.CASH:
            raise Refusal("nothing_to_undo", "The newest payment of this account was not in cash.")
        line = post_line(account, LineKind.RETURNED, -newest.amount)
        return _note(PaymentState.MISTAKEN, staff, text, account=account, line=line)


def note_sent(batch: PayBatch, staff: Staff) -> PaymentNote:
    """The payer has sent the payments of a batch. Refusal: sent_already."""
    with transaction.atomic():
        batch = PayBatch.objects.select_for_update().get(pk=batch.pk)
        if batch.payment_notes.filter(account=None).exists():
            raise Refusal("sent_already", "Somebody has noted already that this batch was sent.")
        note = _note(PaymentState.SENT, staff, batch=batch)
        erase_paid()
    return note


def take_back(batch: PayBatch, account: int, text: str, staff: Staff) -> PaymentState:
    """What a batch paid the person of this account did not arrive, so all of it is owed again.

    FAILED before the batch was sent, RETURNED after it. Refusal: not_in_batch, returned_already,
    reason_missing, reason_too_long.
    """
    text = checked_text(text)
    with transaction.atomic():
        sent = batch.payment_notes.filter(account=None).exists()
        state = PaymentState.RETURNED if sent else PaymentState.FAILED
        person = PayAccount.objects.filter(pk=account).values("participant")
        lines = batch.lines.filter(account__participant__in=person).order_by("account")
        accounts = {line.account_id: lock_account(line.account_id) for line in lines}
        if not accounts:
            raise Refusal("not_in_batch", "This person is not paid by this batch.")
        if batch.payment_notes.filter(account__in=accounts).exists():
            raise Refusal("returned_already", "Somebody has noted already that this payment did not arrive.")
        for line in lines:
            back = post_line(accounts[line.account_id], LineKind.RETURNED, -line.amount)
            _note(state, staff, text, account=back.account, batch=batch, line=back)
    return state


def _note(state: PaymentState, staff: Staff, text: str = "", **about: object) -> PaymentNote:
    return PaymentNote.objects.create(state=state, text=text, entered_by=staff, entered_at=now(), **about)


def check_choice(study: Study | None, since: date | None, until: date | None) -> None:
    """Refusal: rehearsal_not_paid, days_reversed."""
    if study is not None and study.rehearsal:
        raise Refusal("rehearsal_not_paid", "This study is a rehearsal. Nobody is paid for it.")
    if since is not None and until is not None and until < since:
        raise Refusal("days_reversed", "The last day is before the first. Exchange them.")


class Issued(NamedTuple):
    receipt: Receipt
    original: bool


def issue_receipt(account: PayAccount, staff: Staff) -> Issued:
    """The account's receipt; an original the first time, and again only after the amount owed changed."""
    with transaction.atomic():
        account = lock_account(account.pk)
        newest = account.receipts.order_by("-edition").first()
        owed = balance_of(account).owed
        if newest is not None and newest.total == owed:
            return Issued(newest, original=False)
        edition = newest.edition + 1 if newest else 1
        receipt = Receipt.objects.create(
            account=account, edition=edition, total=owed, issued_by=staff, issued_at=now()
        )
    return Issued(receipt, original=True)
