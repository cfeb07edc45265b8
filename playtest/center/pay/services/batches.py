"""Batches for the payer: everything that is unpaid of a choice of sessions, once."""

from datetime import date

from django.db import transaction

from playtest.center.pay.models import PayAccount, PayBatch
from playtest.center.pay.queries.accounts import chosen_accounts, payable, unpaid_amounts
from playtest.center.pay.services.posting import post_line
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.rules.pay import LineKind


def make_batch(study: Study | None, since: date | None, until: date | None, staff: Staff) -> PayBatch:
    """Makes a batch of what is unpaid, and posts its payments.

    `study` None means all studies, `since` and `until` are days of sessions in the center's time zone, both
    included. Every account that can be paid is locked first: of two people who make a batch at the same time,
    the second is refused. Rehearsals and simulated people are never paid.

    Refusal: rehearsal_not_paid, days_reversed, nothing_to_pay.
    """
    check_choice(study, since, until)
    with transaction.atomic():
        locked = PayAccount.objects.select_for_update(of=("self",)).filter(payable()).order_by("pk")
        accounts = {account.pk: account for account in locked}
        paid = unpaid_amounts(chosen_accounts(study, since, until), set(accounts))
        if not paid:
            message = "Nothing is unpaid in this choice. What was unpaid may just have been put into a batch."
            raise Refusal("nothing_to_pay", message)
        batch = PayBatch.objects.create(
            study=study,
            since=since,
            until=until,
            total=sum(one.amount for sessions in paid.values() for one in sessions),
            people=len(paid),
            made_by=staff,
            made_at=now(),
        )
        for sessions in paid.values():
            for one in sessions:
                post_line(accounts[one.account], LineKind.PAYMENT, -one.amount, batch=batch)
    return batch


def check_choice(study: Study | None, since: date | None, until: date | None) -> None:
    """Refusal: rehearsal_not_paid, days_reversed."""
    if study is not None and study.rehearsal:
        raise Refusal("rehearsal_not_paid", "This study is a rehearsal. Nobody is paid for it.")
    if since is not None and until is not None and until < since:
        raise Refusal("days_reversed", "The last day is before the first. Exchange them.")
