"""Cards with check-in codes as a PDF, to be cut along the lines, in every script that its fonts have."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext, override

from playtest.center.schedule.codes import Card
from playtest.center.schedule.times import local
from playtest.rules.codes import display, spell
from playtest.rules.qr import dark_runs

if TYPE_CHECKING:
    from fpdf import FPDF

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in mm."""
_COLUMNS, _ROWS = 2, 4
_MARGIN, _INSET = 10.0, 4.0
_LEAST_SIZE = 4.0
_LEADING = 0.44
"""Height of a line in mm for each point of its size."""
_FONTS = Path(__file__).parent / "fonts"
_FIRST = "DejaVuSans"
"""Latin, Greek, Cyrillic, Arabic, Hebrew; the others are tried in their order."""
_LAST = "DroidSansFallback"
_QR, _ROW = 19.0, 14.5
"""Sides of the QR codes on cards, and on the list of all."""


def cards_pdf(
    cards: Sequence[Card],
    starts_at: datetime,
    ends_at: datetime,
    where: str,
    *,
    paper: str = "a4",
) -> bytes:
    """One card for each person, and a list of all for the desk.

    A card says the center, when and where, the code (also spelled, and as QR code), who, and what to do.

    `paper` is a key of PAPERS. There is nothing about play on a card.
    """
    width, height = PAPERS[paper]
    names = (card.name for card in cards)
    pdf = document((width, height), (settings.CENTER_NAME, where, *names), "Check-in codes")
    card_width, card_height = (width - 2 * _MARGIN) / _COLUMNS, (height - 2 * _MARGIN) / _ROWS
    for number, card in enumerate(cards):
        place = number % (_COLUMNS * _ROWS)
        if place == 0:
            pdf.add_page()
            _cut_lines(pdf, width, height)
        left = _MARGIN + place % _COLUMNS * card_width
        top = _MARGIN + place // _COLUMNS * card_height
        with override(card.language):
            _draw(pdf, card, _texts(starts_at, ends_at, where), left, top, card_width, card_height)
    _list(pdf, cards, " · ".join((settings.CENTER_NAME, *_texts(starts_at, ends_at, where))), width, height)
    return bytes(pdf.output())


def document(size: tuple[float, float], texts: Iterable[str], title: str) -> "FPDF":
    """An empty document with the fonts that these texts need."""
    from fpdf import FPDF  # takes 0.1 s, and most processes never need it

    pdf = FPDF(format=size, unit="mm")
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.c_margin = 0
    pdf.set_title(title)
    pdf.set_creator("Playtest")
    fonts = [_FIRST, *_needed({ord(letter) for text in texts for letter in text})]
    for name in fonts:
        pdf.add_font(name, fname=_FONTS / f"{name}.ttf")
    pdf.set_font(_FIRST)
    pdf.set_fallback_fonts(fonts[1:], exact_match=False)
    pdf.set_text_shaping(True)
    return pdf


def _needed(letters: set[int]) -> list[str]:
    """The fonts for letters that the first one has not."""
    missing, found = letters - _letters_of(_FIRST), []
    others = sorted(path.stem for path in _FONTS.glob("Noto*.ttf"))
    for name in (*others, _LAST):
        if missing & _letters_of(name):
            missing -= _letters_of(name)
            found.append(name)
    return found


@cache
def _letters_of(font: str) -> frozenset[int]:
    from fontTools.ttLib import TTFont  # slow to import

    with TTFont(_FONTS / f"{font}.ttf", lazy=True) as opened:
        return frozenset(opened.getBestCmap())


def _texts(starts_at: datetime, ends_at: datetime, where: str) -> tuple[str, str]:
    """The day, and time and room, in the language of the card."""
    begin, end = local(starts_at), local(ends_at)
    time = f"{begin:%H:%M} – {end:%H:%M}"  # noqa: RUF001
    return date_format(begin, "l j F Y"), f"{time}, {where}" if where else time


def _draw(
    pdf: "FPDF", card: Card, texts: tuple[str, str], left: float, top: float, width: float, height: float
) -> None:
    day, time = texts
    inner, wide = width - 2 * _INSET - _QR, width - 2 * _INSET
    scale = (height - 2 * _INSET) / 47
    lines = (
        (settings.CENTER_NAME, inner, 4.5, 9.0),
        (day, inner, 5.0, 11.0),
        (time, inner, 7.0, 10.0),
        (display(card.code), inner, 12.0, 34.0),
        (spell(card.code), wide, 4.5, 9.0),
        (card.pseudonym, wide, 4.0, 10.0),
        (card.reference, wide, 4.0, 10.0),
        (gettext("Enter this code at your station. Everything else is on the screen."), wide, 3.0, 7.5),
        (gettext("It works once, at the time above. Keep it to yourself."), wide, 3.0, 7.5),
    )
    y = top + _INSET
    for text, room, part, size in lines:
        fitted(pdf, text, left + _INSET, y, room, part * scale, size)
        y += part * scale
    _square(pdf, card.code, left + width - _INSET - _QR + 1, top + _INSET, _QR)


def _list(pdf: "FPDF", cards: Sequence[Card], title: str, width: float, height: float) -> None:
    """Everybody on one list for the desk, which stays there: it has all codes."""
    part, a_page = (width - 2 * _MARGIN - _ROW) / 3, int((height - 3 * _MARGIN) // _ROW)
    for number, card in enumerate(cards):
        y = 2 * _MARGIN + number % a_page * _ROW
        if number % a_page == 0:
            pdf.add_page()
            fitted(pdf, title, _MARGIN, _MARGIN, width - 2 * _MARGIN, _MARGIN, 11.0)
        for at, text in enumerate((card.pseudonym, card.reference, display(card.code))):
            fitted(pdf, text, _MARGIN + at * part, y, part, _ROW, 14.0)
        _square(pdf, card.code, width - _MARGIN - _ROW, y, _ROW)


def fitted(
    pdf: "FPDF", text: str, x: float, y: float, width: float, height: float, size: float, align: str = "C"
) -> None:
    """Text in the middle of a box: the largest size up to `size`, in points, at which all of it fits."""
    if not text:
        return
    while True:
        pdf.set_font_size(size)
        pdf.set_xy(x, y)
        needed = pdf.multi_cell(width, size * _LEADING, text, align=align, dry_run=True, output="HEIGHT")
        assert isinstance(needed, float)
        if needed <= height + 0.01 or size <= _LEAST_SIZE:
            break
        size -= 0.5
    pdf.set_xy(x, y + max(0, height - needed) / 2)
    pdf.multi_cell(width, size * _LEADING, text, align=align)


def _square(pdf: "FPDF", code: str, left: float, top: float, side: float) -> None:
    """The code as a QR code: a reader at the station types it."""
    size, runs = dark_runs(code)
    module = side / size
    pdf.set_fill_color(0)
    for x, y, length in runs:
        pdf.rect(left + x * module, top + y * module, length * module, module, style="F")


def _cut_lines(pdf: "FPDF", width: float, height: float) -> None:
    pdf.set_dash_pattern(0.7, 1)
    pdf.set_line_width(0.15)
    pdf.set_draw_color(128)
    pdf.line(width / 2, 0, width / 2, height)
    for row in range(_ROWS + 1):
        y = _MARGIN + row * (height - 2 * _MARGIN) / _ROWS
        pdf.line(0, y, width, y)
    pdf.set_dash_pattern()
