"""Receipts as rows of text, for a page or all of a slot as one PDF with a sheet of all amounts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import QuerySet

from playtest.center.pay.accounts import balance_of, payee_of, solved_of
from playtest.center.pay.models import PayAccount
from playtest.center.schedule.cards_pdf import PAPERS, document, fitted
from playtest.center.schedule.models import Slot
from playtest.center.schedule.times import local
from playtest.rules.pay import amount_text
from playtest.rules.text import counted

if TYPE_CHECKING:
    from fpdf import FPDF

_MARGIN, _ROW = 18.0, 9.0
_RECEIPTS_A_PAGE = 2


@dataclass(frozen=True)
class Printed:
    """What a receipt says: what was earned for what, and `mark`, whether it is an original."""

    number: str
    mark: str
    day: date
    payee: str
    rows: list[tuple[str, str]]
    total: str
    currency: str


def printed(account: PayAccount, number: str, mark: str) -> Printed:
    """The receipt of an account as it is owed now."""
    balance, currency = balance_of(account), account.study.currency
    solved = solved_of(account)
    bonus = "Bonus"
    if solved:
        bonus += f": {counted(solved[0], 'game')} solved"
        bonus += f" × {amount_text(solved[1], currency)}" if solved[0] else ""  # noqa: RUF001
    adjusted = account.adjustments.filter(line__isnull=False).order_by("line")
    named = [(one.get_reason_display().capitalize(), one.amount) for one in adjusted]
    rows = [("Fee", balance.fee), (bonus, balance.bonus), *named]
    return Printed(
        number,
        mark,
        local(account.held_at).date(),
        ", ".join(filter(None, payee_of(account.participant))),
        [(text, amount_text(amount, currency)) for text, amount in rows],
        amount_text(balance.owed, currency),
        currency,
    )


def accounts_of_slot(slot: Slot) -> QuerySet[PayAccount]:
    """The accounts of sessions of a slot that have ended, in the order of their numbers."""
    found = PayAccount.objects.filter(link__session__booking__slot=slot)
    return found.select_related("participant__payee", "study", "link__session").order_by("pk")


def receipts_pdf(title: str, total: str, receipts: Sequence[Printed], paper: str = "a4") -> bytes:
    """A sheet with all amounts, to be signed by who is paid in cash, then all receipts, two on a page."""
    width, height = PAPERS[paper]
    payees = [one.payee for one in receipts]
    pdf = document((width, height), (title, *_center(), *payees), "Receipts")
    _sheet(pdf, title, total, receipts, width, height)
    for place, one in enumerate(receipts):
        if place % _RECEIPTS_A_PAGE == 0:
            pdf.add_page()
        _receipt(pdf, one, place % _RECEIPTS_A_PAGE * height / _RECEIPTS_A_PAGE + _MARGIN, width)
    return bytes(pdf.output())


def _center() -> list[str]:
    return [settings.CENTER_NAME, *settings.CENTER_ADDRESS.splitlines()]


def _sheet(
    pdf: "FPDF", title: str, total: str, receipts: Sequence[Printed], width: float, height: float
) -> None:
    a_page = int((height - 2 * _MARGIN) // _ROW) - 2
    for place, one in enumerate(receipts):
        y = _MARGIN + (2 + place % a_page) * _ROW
        if place % a_page == 0:
            pdf.add_page()
            fitted(pdf, title, _MARGIN, _MARGIN, width - 2 * _MARGIN, _ROW, 12.0, "L")
            _cells(pdf, ("Receipt", "Participant", f"Total {total}", "Received (signature)"), y - _ROW, width)
        _cells(pdf, (one.number, one.payee, one.total, ""), y, width)


def _cells(pdf: "FPDF", texts: Sequence[str], y: float, width: float) -> None:
    """A line of the sheet, with a rule below it."""
    x, unit = _MARGIN, (width - 2 * _MARGIN) / 12
    for text, units, align in zip(texts, (2, 4, 2.7, 3.3), "LLRL", strict=True):
        fitted(pdf, text, x, y, units * unit - 2, _ROW - 1, 10.0, align)
        x += units * unit
    pdf.line(_MARGIN, y + _ROW - 0.5, width - _MARGIN, y + _ROW - 0.5)


def _receipt(pdf: "FPDF", one: Printed, top: float, width: float) -> None:
    wide, half = width - 2 * _MARGIN, (width - 2 * _MARGIN) / 2
    y = top
    for text in _center():
        fitted(pdf, text, _MARGIN, y, half, 6, 11.0, "L")
        y += 6
    fitted(pdf, one.mark, _MARGIN + half, top, half, 6, 11.0, "R")
    y += 4
    for text, size in ((f"Receipt {one.number}", 16.0), (f"{one.day:%Y-%m-%d} · {one.payee}", 11.0)):
        fitted(pdf, text, _MARGIN, y, wide, _ROW, size, "L")
        y += _ROW
    for text, amount in (*one.rows, (f"Total ({one.currency})", one.total)):
        fitted(pdf, text, _MARGIN, y, wide * 0.7, 7, 11.0, "L")
        fitted(pdf, amount, _MARGIN + wide * 0.7, y, wide * 0.3, 7, 11.0, "R")
        y += 7
        pdf.line(_MARGIN, y, width - _MARGIN, y)
    fitted(pdf, "Received, date and signature", _MARGIN, y + 18, half, 6, 9.0, "L")
    pdf.line(_MARGIN, y + 18, _MARGIN + half, y + 18)
