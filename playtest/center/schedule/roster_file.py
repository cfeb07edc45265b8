"""A roster as text: separator, headings and lines, each line read by itself.

A line break ends a line even within quotation marks, so that a missing quotation mark spoils one line only.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from playtest.people.languages import ENGLISH_NAMES, offered
from playtest.play.errors import Refusal
from playtest.rules.text import storable

MOST_LINES = 2_000
MOST_REFERENCE, MOST_EMAIL = 64, 254

_HEADINGS = {
    "reference": "reference",
    "ref": "reference",
    "id": "reference",
    "email": "email",
    "e-mail": "email",
    "mail": "email",
    "slot": "slot",
    "date": "date",
    "day": "date",
    "time": "time",
    "start": "time",
    "room": "room",
    "language": "language",
    "lang": "language",
}
_SEPARATORS = ",;\t"
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_DATES = ("%Y-%m-%d", "%d.%m.%Y")
_TIMES = ("%H:%M", "%H.%M", "%H:%M:%S")


@dataclass(frozen=True)
class Problem:
    """Why a line cannot be imported: its number in the file, a stable code, and a sentence."""

    number: int
    text: str
    code: str
    sentence: str


@dataclass(frozen=True)
class Line:
    """One person of a roster. The slot is given by its number, or by day, time and room; else it is None."""

    number: int
    text: str
    reference: str
    email: str
    slot: int | None = None
    day: date | None = None
    at: time | None = None
    room: str = ""
    language: str = settings.LANGUAGE_CODE

    def problem(self, code: str, sentence: str) -> Problem:
        return Problem(self.number, self.text, code, sentence)


@dataclass(frozen=True)
class Roster:
    """`ignored` are headings of columns that are not read."""

    lines: list[Line]
    problems: list[Problem]
    ignored: list[str]


def decoded(content: bytes) -> str:
    """The text of an uploaded file: UTF-8, with or without a mark, or else Latin-1."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def read_roster(text: str) -> Roster:
    """The lines of a roster. The first line has the headings; lines without any text are skipped.

    Refusal: roster_empty, heading_missing, heading_twice, too_many_lines.
    """
    found = [
        line for line in enumerate(_LINE_BREAK.split(text.removeprefix("\ufeff")), start=1) if line[1].strip()
    ]
    if not found:
        raise Refusal("roster_empty", "The roster is empty. Choose a file, or paste its lines.", status=400)
    (_, heading), *rows = found
    if len(rows) > MOST_LINES:
        message = f"The roster has {len(rows):,} lines; at most {MOST_LINES:,} are read at once. Divide it."
        raise Refusal("too_many_lines", message, status=400)
    separator = max(_SEPARATORS, key=heading.count)
    names = _names(_cells(heading, separator) or [])
    read = [_line(number, row, _cells(row, separator), names) for number, row in rows]
    lines = [one for one in read if isinstance(one, Line)]
    problems = [one for one in read if isinstance(one, Problem)]
    ignored = [name for name in names if name.strip() and name not in _HEADINGS.values()]
    return Roster(lines, problems, ignored)


def _names(cells: list[str]) -> list[str]:
    """The name of each column; headings that mean nothing here stay as they are."""
    names = [_HEADINGS.get(cell.strip().lower(), cell.strip()) for cell in cells]
    known = [name for name in names if name in _HEADINGS.values()]
    if not {"reference", "email"} & set(known):
        raise Refusal(
            "heading_missing",
            "The first line must name the columns, with “reference” or “email” among them.",
            status=400,
        )
    if len(known) != len(set(known)):
        raise Refusal(
            "heading_twice", "Two columns have the same meaning. Name each column once.", status=400
        )
    return names


def _cells(row: str, separator: str) -> list[str] | None:
    try:
        return next(iter(csv.reader([row], delimiter=separator)), None)
    except csv.Error:
        return None


def _line(number: int, row: str, cells: list[str] | None, names: list[str]) -> Line | Problem:
    def problem(sentence: str) -> Problem:
        return Problem(number, row if storable(row) else "", "malformed_line", sentence)

    if not storable(row):
        return problem("This line has characters that no text has.")
    if cells is None or len(cells) > len(names):
        return problem(f"This line has more cells than the {len(names)} columns.")
    values = {name: cell.strip() for name, cell in zip(names, cells, strict=False)}
    reference, email = values.get("reference", ""), values.get("email", "")
    language = values.get("language", "")
    for wrong in _wrong(reference, email, language):
        return problem(wrong)
    slot, day, at = values.get("slot", ""), values.get("date", ""), values.get("time", "")
    try:
        number_of_slot, on, starts = _when(slot, day, at)
    except ValueError as error:
        return problem(str(error))
    room, pages = values.get("room", ""), offered(language) or settings.LANGUAGE_CODE
    return Line(number, row, reference, email, number_of_slot, on, starts, room, pages)


def _wrong(reference: str, email: str, language: str) -> Iterator[str]:
    if not reference and not email:
        yield "This line has neither a reference nor an e-mail address."
    if len(reference) > MOST_REFERENCE:
        yield f"The reference is longer than {MOST_REFERENCE} characters."
    if language and not offered(language):
        yield f"“{language[:40]}” is not a language of participants' pages: {', '.join(ENGLISH_NAMES)}."
    if email:
        try:
            if len(email) > MOST_EMAIL:
                raise ValidationError("")
            validate_email(email)
        except ValidationError:
            yield "This is not an e-mail address."


def _when(slot: str, day: str, at: str) -> tuple[int | None, date | None, time | None]:
    """The number of the slot, or its day and time. Raises ValueError with a sentence."""
    if slot and (day or at):
        raise ValueError("Give either the slot, or its date and time.")
    if slot:
        digits = slot.removeprefix("#")
        if digits.isascii() and digits.isdigit() and len(digits) <= 18:
            return int(digits), None, None
        day, _, at = slot.replace("T", " ", 1).partition(" ")
    if not day and not at:
        return None, None, None
    return (
        None,
        _parsed(day, _DATES, "a date, as 2026-11-23").date(),
        _parsed(at, _TIMES, "a time, as 09:00").time(),
    )


def _parsed(text: str, formats: tuple[str, ...], what: str) -> datetime:
    for known in formats:
        try:
            return datetime.strptime(text.strip(), known)  # noqa: DTZ007
        except ValueError:
            continue
    raise ValueError(f"“{text[:40]}” is not {what}.")
