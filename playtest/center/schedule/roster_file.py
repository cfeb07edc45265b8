"""A roster as text: which column is what, and its lines, each read by itself."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, time
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from engine.texts import decoded, fault_in
from playtest.people.languages import ENGLISH_NAMES, offered
from playtest.play.errors import Refusal
from playtest.rules.sheets import (
    MOST_ROWS,
    DayAmbiguous,
    Row,
    as_number,
    day_of,
    heading_at,
    is_workbook,
    rows_of,
    same_heading,
    text_of_workbook,
    time_of,
)
from playtest.rules.spreadsheets import misread
from playtest.rules.text import clean_identity, drawn

MOST_REFERENCE, MOST_EMAIL = 64, 254
_PREVIEWED = 4
_SLASHED = re.compile(r"\s*(\d{1,2})/(\d{1,2})/")


class Column(NamedTuple):
    """What a column can be: its title, an example, the headings that mean it, and what it is for."""

    title: str
    example: str
    headings: str
    meaning: str


_COLUMNS = """
reference | Reference | R-0042 | reference, ref, id, participant, participant id, pseudonym, code \
    | The recruiter's number of the person, or their pseudonym here. Case and blanks do not matter.
email | E-mail | zoe@example.org | email, mail, email address, primary email, e-mail 1 - value, mail-adresse \
    | Where invitations go. A roster has a reference, an address, or both.
slot | Slot | 7 | slot, slot number | The number of the slot, or its date and time in one cell.
date | Date | 2026-11-23 | date, day, start date, session date, datum | Its day, where it has no number.
time | Time | 09:00 | time, start, begins, start time, session time, uhrzeit | When the slot begins.
room | Room | Room 2 | room, place, location, raum | Where two slots begin at the same time.
language | Language | Spanish | language, lang, sprache | In which the person's pages begin.
"""
_CELLS = [[cell.strip() for cell in row.split("|")] for row in _COLUMNS.strip().splitlines()]
COLUMNS = {name: Column(*rest) for name, *rest in _CELLS}
EXAMPLE = {name: each.example for name, each in COLUMNS.items() if name != "slot"}
_HEADINGS = {same_heading(text): name for name, each in COLUMNS.items() for text in each.headings.split(",")}


@dataclass(frozen=True)
class Problem:
    """Why a line cannot be imported: its number in the file, a stable code, and a sentence.

    `like` is the reference of the person who may be meant: staff are asked.
    """

    number: int
    text: str
    code: str
    sentence: str
    like: str = ""


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

    def problem(self, code: str, sentence: str, like: str = "") -> Problem:
        return Problem(self.number, self.text, code, sentence, like)


@dataclass(frozen=True)
class Reading:
    """What staff said about a file: what each column is ("" for one that is not read; None: by its heading),

    whether 03/04 is in April, and of lines by number whether they are about the "same" person or a "new" one.
    """

    columns: tuple[str, ...] | None = None
    day_first: bool | None = None
    answers: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """The rows of a roster below its headings, and what each column is."""

    rows: list[Row]
    line: int
    """Of the headings."""
    headings: list[str]
    columns: tuple[str, ...]

    @property
    def shown(self) -> list[tuple[str, str, list[str]]]:
        """Each column: its heading, what it is, and its first cells."""
        first = [row.cells or [] for row in self.rows[:_PREVIEWED]]
        cells = [[row[at] if at < len(row) else "" for row in first] for at in range(len(self.headings))]
        return list(zip(self.headings, self.columns, cells, strict=True))

    @property
    def ignored(self) -> list[str]:
        """The headings of columns that are not read."""
        pairs = zip(self.headings, self.columns, strict=True)
        return [heading for heading, column in pairs if heading.strip() and not column]


@dataclass(frozen=True)
class Roster:
    """The lines that can be read, and why others cannot."""

    table: Table
    lines: list[Line]
    problems: list[Problem]


def text_of_file(content: bytes) -> str:
    """The text of an uploaded roster. RuleError as `text_of_workbook`."""
    return text_of_workbook(content) if is_workbook(content) else decoded(content)


def read_table(text: str, columns: Sequence[str] | None = None) -> Table:
    """The rows, with the columns as said or by their headings. Refusal: roster_empty, too_many_lines."""
    rows = rows_of(text, _HEADINGS)
    if not rows:
        raise Refusal("roster_empty", "The roster is empty. Choose a file, or paste its lines.", status=400)
    at = heading_at(rows, _HEADINGS)
    headings = [cell.strip() for cell in rows[at].cells or [rows[at].text]]
    if len(rows) - at - 1 > MOST_ROWS:
        message = (
            f"The roster has {len(rows) - at - 1:,} lines; at most {MOST_ROWS:,} are read at once. Divide it."
        )
        raise Refusal("too_many_lines", message, status=400)
    if columns is None or len(columns) != len(headings) or not set(columns) <= {"", *COLUMNS}:
        columns = [_HEADINGS.get(same_heading(heading), "") for heading in headings]
    return Table(rows[at + 1 :], rows[at].number, headings, tuple(columns))


def read_roster(text: str, reading: Reading | None = None) -> Roster:
    """The lines of a roster. Refusal: as `read_table` and `read_lines`."""
    reading = reading or Reading()
    return read_lines(read_table(text, reading.columns), day_first=reading.day_first)


def read_lines(table: Table, *, day_first: bool | None = None) -> Roster:
    """The lines of a table. Refusal: heading_missing, heading_twice."""
    known = [name for name in table.columns if name]
    if not {"reference", "email"} & set(known):
        message = "Say which column has the references or the e-mail addresses."
        raise Refusal("heading_missing", message, status=400)
    if len(known) != len(set(known)):
        message = "Two columns have the same meaning. Choose for each meaning one column."
        raise Refusal("heading_twice", message, status=400)
    if day_first is None:
        day_first = _order(table)
    read = [_line(row, table, day_first) for row in table.rows]
    lines = [one for one in read if isinstance(one, Line)]
    return Roster(table, lines, [one for one in read if isinstance(one, Problem)])


def _order(table: Table) -> bool | None:
    """Whether days precede months, if the file has days that say so, and none that says otherwise."""
    said: set[bool] = set()
    if "date" not in table.columns:
        return None
    at = table.columns.index("date")
    for row in table.rows:
        found = _SLASHED.match("".join((row.cells or [])[at : at + 1]))
        if found and max(numbers := tuple(map(int, found.groups()))) > 12:
            said.add(numbers[0] > 12)
    return said.pop() if len(said) == 1 else None


def _line(row: Row, table: Table, day_first: bool | None) -> Line | Problem:
    problem = Problem(row.number, row.text, "malformed_line", "")
    if fault := fault_in(row.text):
        shown = row.text if fault_in(row.text.replace("\ufffd", "")) == "" else ""
        return replace(problem, text=shown, code="text_unreadable", sentence=f"This line has {fault}.")
    if row.cells is None:
        return replace(problem, sentence="This line has a quotation mark that is not closed.")
    if any(cell.strip() for cell in row.cells[len(table.columns) :]):
        return replace(problem, sentence=f"This line has more cells than the {len(table.columns)} columns.")
    values = {
        name: " ".join(drawn(cell).split()) for name, cell in zip(table.columns, row.cells, strict=False)
    }
    reference, email = values.get("reference", ""), values.get("email", "").removeprefix("mailto:")
    reference, language = reference if clean_identity(reference) else "", values.get("language", "")
    for wrong in _wrong(reference, email, language):
        return replace(problem, sentence=wrong)
    slot, day, at = (values.get(name, "") for name in ("slot", "date", "time"))
    try:
        number_of_slot, on, starts = _when(slot, day, at, day_first)
    except DayAmbiguous as error:
        return replace(problem, code="date_ambiguous", sentence=str(error))
    except ValueError as error:
        return replace(problem, sentence=str(error))
    pages = offered(language) or settings.LANGUAGE_CODE
    return Line(
        row.number, row.text, reference, email, number_of_slot, on, starts, values.get("room", ""), pages
    )


def _wrong(reference: str, email: str, language: str) -> Iterator[str]:
    if not reference and not email:
        yield "This line has neither a reference nor an e-mail address."
    if len(reference) > MOST_REFERENCE:
        yield f"The reference is longer than {MOST_REFERENCE} characters."
    if not any(as_number(reference)) and (why := misread(reference)):  # one that was shortened is asked about
        yield why
    if language and not offered(language):
        yield f"“{language[:40]}” is not a language of participants' pages: {', '.join(ENGLISH_NAMES)}."
    if email:
        try:
            if len(email) > MOST_EMAIL:
                raise ValidationError("")
            validate_email(email)
        except ValidationError:
            yield "This is not an e-mail address."


def _when(
    slot: str, day: str, at: str, day_first: bool | None
) -> tuple[int | None, date | None, time | None]:
    """The number of the slot, or its day and time. Raises ValueError with a sentence."""
    if slot and (day or at):
        raise ValueError("Give either the slot, or its date and time.")
    if slot:
        digits = slot.removeprefix("#")
        if digits.isascii() and digits.isdigit() and len(digits) <= 18:
            return int(digits), None, None
        day, _, at = slot.replace("T", " ", 1).partition(" ")
    elif day and not at:
        day, _, at = day.replace("T", " ", 1).partition(" ")
    if not day and not at:
        return None, None, None
    return None, day_of(day, day_first=day_first), time_of(at)
