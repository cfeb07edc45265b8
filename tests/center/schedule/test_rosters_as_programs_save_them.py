"""Rosters as Excel, LibreOffice and mail programs save them, and spellings of one person."""
# ruff: noqa: E501, RUF001

import csv
from collections.abc import Callable
from datetime import date, datetime
from datetime import time as clock_time
from io import BytesIO, StringIO
from typing import Any, Literal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from openpyxl import Workbook

from playtest.center.schedule.models import Booking, RosterColumns, Slot
from playtest.center.schedule.roster import import_roster, plan, remembered
from playtest.center.schedule.roster_file import Reading, read_roster, read_table, text_of_file
from playtest.center.schedule.slots import create_slots
from playtest.people.models import Contact, Participant
from playtest.people.participants import Directory, find_participants
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Study
from tests import make
from tests.center.schedule.conftest import MONDAY
from tests.refusals import rule_refused
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock"), pytest.mark.once]
type Rows = list[list[object]]


def slot_of(study: Study, **changes: Any) -> Slot:
    """A slot on Monday 2 March 2026 from 10:00 to 12:00."""
    values: dict[str, Any] = {"begins": clock_time(10), "minutes": 120, "capacity": 10, "room": "A"}
    return create_slots(study, None, **({"days": [MONDAY.date()]} | values | changes))[0]


def workbook(*sheets: Rows, hidden: bool = False) -> bytes:
    book, out = Workbook(), BytesIO()
    for number, rows in enumerate(sheets):
        sheet = book.active if number == 0 else book.create_sheet()
        assert sheet is not None
        for row in rows:
            sheet.append(row)
        if hidden and number:
            sheet.sheet_state = "hidden"
    book.save(out)
    return out.getvalue()


def saved(rows: Rows, delimiter: str = ",", end: str = "\r\n", *, quoted: bool = False) -> str:
    out = StringIO()
    quoting: Literal[0, 1] = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)
    return out.getvalue()


PEOPLE: Rows = [
    ["Reference", "E-mail", "Date", "Time"],
    ["O’Brien-7", "zoe@example.org", "2026-03-02", "10:00"],
]
NASTY: dict[str, Callable[[], bytes]] = {
    "Excel, CSV of a western Windows": lambda: saved(PEOPLE, ";").encode("cp1252"),
    "Excel, CSV UTF-8": lambda: saved(PEOPLE).encode("utf-8-sig"),
    "Excel, Unicode text": lambda: saved(PEOPLE, "\t").encode("utf-16"),
    "Excel, with the separator said": lambda: ("sep=|\r\n" + saved(PEOPLE, "|")).encode(),
    "Excel, workbook with dates and times": lambda: workbook(
        [*PEOPLE[:1], [*PEOPLE[1][:2], datetime(2026, 3, 2), clock_time(10)]]  # noqa: DTZ001
    ),
    "Excel, workbook with numbers for days": lambda: workbook(
        [[], ["Tuesday's list"], [], *PEOPLE[:1], [*PEOPLE[1][:2], 46083, 10 / 24]],
        [["a", "list"]],
        hidden=True,
    ),
    "Excel, CSV of an American": lambda: saved(
        [
            ["Participant ID", "Email Address", "Start Date", "Start Time"],
            [*PEOPLE[1][:2], "3/2/2026", "10:00 AM"],
            ["R-2", "", "3/16/2026", "10:00 AM"],
        ]
    ).encode(),
    "LibreOffice, everything quoted, with titles": lambda: (
        '"Room A, first list";;;\n\n' + saved(PEOPLE, ";", "\n", quoted=True)
    ).encode(),
    "Outlook, contacts with notes over two lines": lambda: saved(
        [
            ["First Name", "Notes", "E-mail Address", "ID", "Date", "Time"],
            ["Zoë", 'rings twice,\r\nthen "knocks"', *reversed(PEOPLE[1][:2]), *PEOPLE[1][2:]],
        ]
    ).encode("cp1252"),
    "Thunderbird, address book": lambda: saved(
        [
            ["Display Name", "Primary Email", "Reference", "Date", "Time"],
            ["Zoë", *reversed(PEOPLE[1][:2]), *PEOPLE[1][2:]],
        ],
        "\t",
        "\n",
    ).encode(),
    "Numbers of an old Mac, big-endian": lambda: b"\xfe\xff" + saved(PEOPLE, ";", "\r").encode("utf-16-be"),
    "A mail, copied with no-break and other blanks": lambda: (
        "\n\n reference ; email ; date ; time \nO’Brien\u20117; zoe@example.org\u200b ;2.3.2026;10.00\n\n"
    ).encode(),
}


@pytest.mark.parametrize("name", NASTY)
def test_a_roster_is_read_as_a_program_saves_it(name: str) -> None:
    study = make.study(people=20)
    slot = slot_of(study)
    person = new_participant("o’brien-7")
    found = plan(read_roster(text_of_file(NASTY[name]())), study, None)
    good = found.good[0]
    assert (good.slot, good.who, good.line.email) == (slot, person.pk, "zoe@example.org")
    assert {one.code for one in found.problems} <= {"slot_unknown"}


SPELLINGS = {
    "decomposed": "jose\u0301-7", "no-break hyphen": "josé\u20117", "en dash": "josé\u20137", "hyphen": "josé\u20107",
    "zero-width space": "jo\u200bsé-7", "full width": "ｊosé-7", "soft hyphen": "jo\u00adsé-7", "mark": "\ufeffJosé-7",
}  # fmt: skip


def test_eight_spellings_are_one_person_and_two_changed_numbers_are_asked_about() -> None:
    study = make.study(people=40)
    slot = slot_of(study)
    known, zeros, long = (new_participant(text) for text in ("josé-7", "00042", "123456789012"))
    for spelling in SPELLINGS.values():
        assert find_participants(spelling) == [known]
        assert [good.who for good in plan(read_roster(f"reference\n{spelling}\n"), study, slot).good] == [
            known.pk
        ]
    text = "reference\n42\n1.23457E+11\n"
    asked = plan(read_roster(text), study, slot)
    assert [(one.code, one.like) for one in asked.problems] == [
        ("zeros_lost", "00042"),
        ("reference_shortened", "123456789012"),
    ]
    same = plan(read_roster(text), study, slot, {2: "same", 3: "same"})
    assert [good.who for good in same.good] == [zeros.pk, long.pk]
    other = import_roster(text, study, slot, None, Reading(answers={2: "new", 3: "new"}))
    assert [one.code for one in other.problems] == ["reference_shortened"], "no number is invented"
    assert Participant.objects.filter(reference="42").count() == 1
    assert [one.code for one in plan(read_roster("reference\n9.9E+12"), study, slot).problems] == [
        "reference_shortened"
    ]
    within = plan(read_roster("reference\n00077\n77\n"), study, slot)
    assert [(one.number, one.like) for one in within.problems] == [(3, "00077")]


def test_an_address_says_who_a_changed_number_is() -> None:
    study = make.study(people=20)
    slot, person, unnamed = slot_of(study), new_participant("00042"), new_participant()
    for one, email in ((person, "a@example.org"), (unnamed, "b@example.org")):
        Contact.objects.create(participant=one, email=email, stored_at=MONDAY)
    text = "reference,email\n42,a@example.org\n1.23457E+11,b@example.org\n"
    found = import_roster(text, study, slot, None)
    assert [good.who for good in found.good] == [person.pk]
    assert [one.code for one in found.problems] == ["reference_shortened"]
    assert set(Participant.objects.values_list("reference", flat=True)) == {"00042", ""}


def test_records_that_differ_in_form_only_are_shown_and_not_merged() -> None:
    one, other = new_participant("a-12"), new_participant("a\u201112")
    assert Directory().shared() == [[one, other]]
    page = signed_in(Role.PROCTOR).get(reverse("center:roster")).content.decode()
    if Study.objects.filter(open=True).exists():
        assert reverse("center:same-person", args=[one.pk]) in page


@pytest.mark.parametrize(
    ("code", "sheets"),
    [("sheets_several", [[["reference"], ["R-1"]], [["reference"], ["R-2"]]]), ("roster_empty", [[]])],
)
def test_a_workbook_says_why_it_is_not_read(code: str, sheets: list[Rows]) -> None:
    with rule_refused(code):
        read_roster(text_of_file(workbook(*sheets)))


@pytest.mark.parametrize("content", [b"PK\x03\x04nothing", b"\xd0\xcf\x11\xe0" + bytes(600)])
def test_a_damaged_or_locked_workbook_is_refused(content: bytes) -> None:
    with rule_refused("workbook_unreadable"):
        text_of_file(content)


@pytest.mark.parametrize(
    "content",
    [
        b"R-\x81",
        "R-\x85".encode(),
        "R-\u202e1".encode(),
        "R-\u20661".encode(),
        b"\xef\xbb\xbfR-\xff",
        b"R-\0",
    ],
)
def test_a_line_with_controls_is_left_out_and_the_others_are_read(content: bytes) -> None:
    mark, content = (content[:3], content[3:]) if content.startswith(b"\xef\xbb\xbf") else (b"", content)
    roster = read_roster(text_of_file(mark + b"reference\nR-1\n" + content + b"\nR-3\n"))
    assert [line.reference for line in roster.lines] == ["R-1", "R-3"]
    assert [(one.number, one.code) for one in roster.problems] == [(3, "text_unreadable")]


def test_a_line_break_within_quotation_marks_ends_no_line() -> None:
    roster = read_roster('reference,email\n"R-1\n","a@example.org"\nR-2,b@example.org')
    assert [(line.number, line.reference) for line in roster.lines] == [(2, "R-1"), (4, "R-2")]


def test_a_date_that_can_be_two_days_is_asked_about() -> None:
    text = "reference,date,time\nR-1,03/04/2026,09:00\n"
    assert [one.code for one in read_roster(text).problems] == ["date_ambiguous"]
    days = [read_roster(text, Reading(day_first=first)).lines[0].day for first in (True, False)]
    assert days == [date(2026, 4, 3), date(2026, 3, 4)]
    assert read_roster(text + "R-2,03/13/2026,09:00\n").lines[0].day == date(2026, 3, 4), (
        "another line says it"
    )
    assert read_roster(text + "R-2,13/03/2026,09:00\n").lines[0].day == date(2026, 4, 3)


def test_columns_are_mapped_on_the_page_and_remembered() -> None:
    study = make.study(people=20)
    slot = slot_of(study)
    proctor = signed_in(Role.PROCTOR)
    upload = SimpleUploadedFile("roster.csv", b"Kennung;Wann;Telefon\nR-1;02/03/2026 10:00;0170\n")
    first = proctor.post(reverse("center:roster"), {"study": study.pk, "file": upload})
    page = first.content.decode()
    assert "heading_missing" in page
    assert "Not read: the columns Kennung, Wann, Telefon." in page
    form = {"study": study.pk, "packed": first.context["packed"], "dates": "day"}
    form |= {"column-0": "reference", "column-1": "slot", "column-2": ""}
    assert "1 line can be imported" in proctor.post(reverse("center:roster"), form).content.decode()
    proctor.post(reverse("center:roster-import"), form)
    assert Booking.objects.get().slot == slot
    table = read_table("kennung,WANN,Telefon\nR-2,02/03/2026 10:00,1\n")
    assert remembered(table) == Reading(("reference", "slot", ""), day_first=True)
    text = "kennung,WANN,Telefon\nR-2,02/03/2026 10:00,1\n"
    again = proctor.post(reverse("center:roster"), {"study": study.pk, "text": text}).content.decode()
    assert "1 line can be imported" in again
    assert RosterColumns.objects.count() == 1


def test_an_answer_on_the_page_books_the_person_who_is_meant() -> None:
    study = make.study(people=20)
    slot, person = slot_of(study), new_participant("00042")
    form = {"study": study.pk, "slot": slot.pk, "text": "reference\n42\n"}
    proctor = signed_in(Role.PROCTOR)
    assert "The same person as 00042" in proctor.post(reverse("center:roster"), form).content.decode()
    again = proctor.post(reverse("center:roster"), {**form, "answer-2": "same"}).content.decode()
    assert '<input type="hidden" name="answer-2" value="same">' in again
    proctor.post(reverse("center:roster-import"), {**form, "answer-2": "same"})
    assert Booking.objects.get().participant == person


def test_the_page_says_which_columns_a_roster_has_and_gives_an_example() -> None:
    make.study()
    proctor = signed_in(Role.PROCTOR)
    assert "start date" in proctor.get(reverse("center:roster")).content.decode()
    example = proctor.get(reverse("center:roster"), {"example": ""}).content
    roster = read_roster(text_of_file(example))
    assert (roster.table.ignored, roster.problems, len(roster.lines)) == ([], [], 1)


@pytest.mark.long
def test_twenty_thousand_lines_are_read_and_planned(django_assert_max_num_queries: Any) -> None:
    study = make.study(people=30_000)
    slot = slot_of(study, capacity=500)
    text = "reference,email\n" + "".join(f"R-{number},r{number}@example.org\n" for number in range(20_000))
    with django_assert_max_num_queries(80):
        found = import_roster(text, study, slot, None)
    assert (len(found.good), len(found.problems)) == (500, 19_500)
