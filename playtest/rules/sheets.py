"""Tables that people bring in files, as spreadsheets and mail programs save them: cells, days and times."""

import csv
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from io import BytesIO, StringIO
from zipfile import BadZipFile, ZipFile

from playtest.rules.errors import RuleError
from playtest.rules.text import clean_identity

MOST_ROWS = 20_000
_MOST_COLUMNS = 200
_MOST_UNPACKED = 100 * 1024 * 1024
_BEGINS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How workbooks begin: xlsx and ods, and xls."""
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_SEPARATORS = ",;\t|"
_SEP = re.compile(r'"?sep=(.)"?\s*')
_HEADING_WITHIN = 20
"""Titles and blank lines may precede the headings."""
_MOST_BREAKS = 20
"""Line breaks in a row: a missing quotation mark spoils no more."""
_MARKS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Row:
    """A row: the number of its first line, its text, and its cells; None if a quotation mark is left open."""

    number: int
    text: str
    cells: list[str] | None


def same_heading(cell: str) -> str:
    """A heading as it is compared: letters and digits only."""
    return _MARKS.sub("", clean_identity(cell))


def is_workbook(content: bytes) -> bool:
    return content.startswith(_BEGINS)


def text_of_workbook(content: bytes) -> str:
    """The only visible sheet with any text, as CSV.

    RuleError: workbook_unreadable, workbook_too_large, sheets_several.
    """
    # not for each page
    from python_calamine import CalamineError, CalamineSheet, SheetVisibleEnum, load_workbook

    def rows(sheet: CalamineSheet) -> list[list[str]]:
        if sheet.total_height > MOST_ROWS + _HEADING_WITHIN or sheet.total_width > _MOST_COLUMNS:
            message = f"The sheet has more than {MOST_ROWS:,} rows or {_MOST_COLUMNS} columns. Divide it."
            raise RuleError("workbook_too_large", message)
        return [[_cell(value) for value in row] for row in sheet.to_python(skip_empty_area=False)]

    try:
        if content.startswith(_BEGINS[0]):
            with ZipFile(BytesIO(content)) as packed:
                if sum(one.file_size for one in packed.infolist()) > _MOST_UNPACKED:
                    raise RuleError("workbook_too_large", "The workbook is too large. Save its table as CSV.")
        book = load_workbook(BytesIO(content))
        shown = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
        sheets = {name: found for name in shown if (found := rows(book.get_sheet_by_name(name)))}
    except (BadZipFile, CalamineError, OSError, ValueError) as error:
        message = "This workbook cannot be read. Save it without a password, or its table as CSV."
        raise RuleError("workbook_unreadable", message) from error
    if len(sheets) > 1:
        message = f"These sheets have rows: {', '.join(sheets)}. Save the one that is the roster as a file."
        raise RuleError("sheets_several", message)
    written = StringIO()
    csv.writer(written, lineterminator="\n").writerows(next(iter(sheets.values()), []))
    return written.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d}" if value.time() == time() else f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, timedelta):
        return f"{(_MIDNIGHT + value):%H:%M:%S}"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def rows_of(text: str, known: Collection[str]) -> list[Row]:
    """The rows with any text. `known` are headings, as of `same_heading`, that tell the separator."""
    lines = _LINE_BREAK.split(text.removeprefix("\ufeff"))
    if said := _SEP.fullmatch(lines[0]):
        separator, lines[0] = said[1], ""
    else:
        first = [line for line in lines[:50] if line.strip()][:_HEADING_WITHIN]
        separator = max(_SEPARATORS, key=lambda each: _score(first, each, known))
    rows, at = [], 0
    while at < len(lines):
        taken, cells = _row(lines, at, separator)
        whole = "\n".join(lines[at : at + taken])
        if whole.strip(f"{separator} \t\n"):
            rows.append(Row(at + 1, whole, cells))
        at += taken
    return rows


def _score(lines: Sequence[str], separator: str, known: Collection[str]) -> tuple[int, int]:
    cells = [_row(lines, at, separator)[1] or [] for at in range(len(lines))]
    best = max((known_in(row, known) for row in cells), default=0)
    return best, max(map(len, cells), default=0)


def known_in(cells: Iterable[str], known: Collection[str]) -> int:
    """How many of the cells are known headings."""
    return sum(same_heading(cell) in known for cell in cells)


def _row(lines: Sequence[str], at: int, separator: str) -> tuple[int, list[str] | None]:
    """How many lines the row at a line has, and its cells."""
    for taken in range(1, 2 + min(_MOST_BREAKS, lines[at].count('"') * _MOST_BREAKS)):
        if at + taken > len(lines):
            break
        try:
            whole = (f"{line}\n" for line in lines[at : at + taken])
            return taken, next(csv.reader(whole, delimiter=separator, strict=True), [])
        except csv.Error:
            continue
    return 1, None


def heading_at(rows: Sequence[Row], known: Collection[str]) -> int:
    """Which row has the headings: that with most known ones, else the first of those with most cells."""
    first = rows[:_HEADING_WITHIN]
    scores = [
        (known_in(row.cells or [], known), sum(bool(cell.strip()) for cell in row.cells or []))
        for row in first
    ]
    return scores.index(max(scores))


class DayAmbiguous(ValueError):
    """03/04/2026 is a day in March or in April."""


_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_PARTS = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})")
_DAYS = ("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%d-%b-%Y", "%d-%b-%y")
_TIMES = ("%H:%M", "%H.%M", "%H:%M:%S", "%I:%M %p", "%I:%M%p", "%I:%M:%S %p", "%I %p", "%I%p", "%Hh%M")
_WEEKDAY = re.compile(r"^[a-z]{3,9}\.?,?\s+(?=\d|[a-z]{3,9}\s+\d)", re.IGNORECASE)
_SERIAL = re.compile(r"[34567]\d{4}")
_FIRST_SERIAL = date(1899, 12, 30)
_MIDNIGHT = datetime(1, 1, 1)  # noqa: DTZ001  a day that is not shown
_FRACTION = re.compile(r"0?\.\d+")


def day_of(text: str, *, day_first: bool | None) -> date:
    """The day that a cell names; also as a spreadsheet's number of days. `day_first`: 03/04 is in April.

    Raises DayAmbiguous, where that is not known and matters, and ValueError with a sentence.
    """
    text = " ".join(text.split())
    try:
        if found := _ISO.fullmatch(text):
            return date(*map(int, found.groups()))
        if found := _PARTS.fullmatch(text):
            one, two, year = int(found[1]), int(found[3]), int(found[4]) + (2000 if len(found[4]) == 2 else 0)
            first = found[2] == "." or (day_first if one <= 12 and two <= 12 and one != two else one > 12)
            if first is None:
                raise DayAmbiguous(
                    f"“{text}” can be two days. Say below whether the day or the month is first."
                )
            return date(year, two, one) if first else date(year, one, two)
        if _SERIAL.fullmatch(text):
            return _FIRST_SERIAL + timedelta(days=int(text))
        return _parsed(_WEEKDAY.sub("", text.replace(",", "")), _DAYS).date()
    except DayAmbiguous:
        raise
    except ValueError:
        raise ValueError(f"“{text[:40]}” is not a date, as 2026-11-23.") from None


def time_of(text: str) -> time:
    """The time that a cell names; also as a fraction of a day. Raises ValueError with a sentence."""
    text = " ".join(text.upper().replace("A.M.", "AM").replace("P.M.", "PM").split())
    try:
        if _FRACTION.fullmatch(text):
            return (_MIDNIGHT + timedelta(minutes=round(float(text) * 24 * 60))).time()
        return _parsed(text.replace("H", "h"), _TIMES).time()
    except ValueError:
        raise ValueError(f"“{text[:40]}” is not a time, as 09:00.") from None


def _parsed(text: str, formats: Iterable[str]) -> datetime:
    for known in formats:
        try:
            return datetime.strptime(text, known)  # noqa: DTZ007
        except ValueError:
            continue
    raise ValueError(text)


_SHORTENED = re.compile(r"([1-9])(?:[.,](\d+))?E\+?(\d{1,2})", re.IGNORECASE)


def as_number(text: str) -> tuple[str, str]:
    """What a spreadsheet leaves of an identifier: its digits without leading zeros, and its short form.

    "00042" is ("42", ""); "123456789012" is ("123456789012", "1.23457E+11"); "1.23457E+11" is
    ("", "1.23457E+11"); others are ("", "").
    """
    text = clean_identity(text)
    if found := _SHORTENED.fullmatch(text):
        return "", f"{found[1]}.{(found[2] or '').ljust(5, '0')[:5]}E+{int(found[3])}"
    if not (text.isascii() and text.isdigit()) or len(text) > 40:
        return "", ""
    digits = text.lstrip("0") or "0"
    return digits, f"{int(digits):.5E}".replace("E+0", "E+") if len(digits) > 11 else ""
