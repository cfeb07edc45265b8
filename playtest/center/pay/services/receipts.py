"""Receipts: notes that an original was printed, so that every further print is marked as a copy."""

from typing import NamedTuple

from django.db import transaction

from playtest.center.pay.models import PayAccount, Receipt
from playtest.center.pay.queries.accounts import balance_of
from playtest.center.pay.services.posting import lock_account
from playtest.people.models import Staff
from playtest.play.clock import now


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
