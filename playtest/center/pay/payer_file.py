"""The file for the payer: who is paid what for which receipts, and nothing about play."""

import csv
from collections.abc import Iterable
from io import StringIO

from django.conf import settings

from playtest.center.pay.queries.accounts import Payout
from playtest.rules.spreadsheets import guarded

COLUMNS = ("receipts", "date", "payee", "amount", "currency")


def payer_file(payouts: Iterable[Payout]) -> str:
    """CSV with a line for each person. `date` is the day of the last session in the center's time zone."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for one in payouts:
        values = (" ".join(one.receipts), one.day.isoformat(), one.payee, f"{one.amount:.2f}")
        writer.writerow([guarded(value) for value in (*values, settings.CENTER_CURRENCY)])
    return text.getvalue()
