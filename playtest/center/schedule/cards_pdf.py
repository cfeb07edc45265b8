"""Cards with check-in codes as a PDF, to be cut along the lines."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from playtest.center.schedule.bookings import Card
from playtest.rules.codes import display, spell

PAPERS = {"a4": A4, "letter": LETTER}
CARDS_A_PAGE = (8, 10)
_COLUMNS = 2
_MARGIN = 10 * mm
_INSET = 6 * mm
_FONT = "DejaVuSans"
_FONT_FILE = Path(__file__).parent / "fonts" / "DejaVuSans.ttf"
_ELLIPSIS = "…"


def cards_pdf(cards: Sequence[Card], when: str, where: str, *, paper: str = "a4", a_page: int = 8) -> bytes:
    """One card for each person: when and where, the name, and the code, also spelled.

    `paper` is a key of PAPERS, `a_page` one of CARDS_A_PAGE. There is nothing about play on a card.
    """
    pdfmetrics.registerFont(TTFont(_FONT, _FONT_FILE))
    out = BytesIO()
    width, height = PAPERS[paper]
    canvas = Canvas(out, pagesize=(width, height))
    canvas.setTitle("Check-in codes")
    canvas.setAuthor("Playtest")
    rows = a_page // _COLUMNS
    card_width, card_height = (width - 2 * _MARGIN) / _COLUMNS, (height - 2 * _MARGIN) / rows
    for number, card in enumerate(cards):
        place = number % a_page
        if place == 0:
            if number:
                canvas.showPage()
            _cut_lines(canvas, width, height, rows)
        left = _MARGIN + place % _COLUMNS * card_width
        top = height - _MARGIN - place // _COLUMNS * card_height
        _draw(canvas, card, when, where, left, top, card_width, card_height)
    canvas.save()
    return out.getvalue()


def _draw(
    canvas: Canvas, card: Card, when: str, where: str, left: float, top: float, width: float, height: float
) -> None:
    middle, most = left + width / 2, width - 2 * _INSET
    _line(canvas, when, middle, top - 0.15 * height, 10, most)
    _line(canvas, where, middle, top - 0.25 * height, 10, most)
    _line(canvas, display(card.code), middle, top - 0.57 * height, 34, most)
    _line(canvas, spell(card.code), middle, top - 0.70 * height, 10, most)
    _line(canvas, card.name, middle, top - 0.86 * height, 12, most)


def _line(canvas: Canvas, text: str, middle: float, y: float, size: int, most: float) -> None:
    """Text in the middle of a card; shortened where it is too wide."""
    shown = text
    while shown and canvas.stringWidth(shown, _FONT, size) > most:
        shown = shown.removesuffix(_ELLIPSIS)[:-1] + _ELLIPSIS
        if shown == _ELLIPSIS:
            break
    canvas.setFont(_FONT, size)
    canvas.drawCentredString(middle, y, shown)


def _cut_lines(canvas: Canvas, width: float, height: float, rows: int) -> None:
    canvas.setDash(2, 3)
    canvas.setLineWidth(0.4)
    canvas.setStrokeGray(0.5)
    canvas.line(width / 2, 0, width / 2, height)
    for row in range(rows + 1):
        y = _MARGIN + row * (height - 2 * _MARGIN) / rows
        canvas.line(0, y, width, y)
