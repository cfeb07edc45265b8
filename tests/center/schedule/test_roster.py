"""Rosters: what is read, which lines are left out and why, and the import."""

import csv
from contextlib import suppress
from datetime import time as clock_time
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from engine.texts import decoded
from playtest.center.pay.services import set_budget
from playtest.center.pay.totals import study_pay
from playtest.center.schedule.bookings import book
from playtest.center.schedule.codes import prepare_cards
from playtest.center.schedule.models import Booking, Slot
from playtest.center.schedule.roster import import_roster, plan
from playtest.center.schedule.roster_file import Line, read_roster
from playtest.center.schedule.slots import cancel_slot, create_slots
from playtest.people.models import Contact, Participant
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.play.sessions.services import check_in
from playtest.review.services.withdrawal import withdraw
from tests import make
from tests.center.schedule.conftest import MONDAY
from tests.refusals import refused
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock"), pytest.mark.once]


def slot_of(study: Study, **changes: Any) -> Slot:
    """A slot on Monday from 10:00 to 12:00 with ten seats."""
    values: dict[str, Any] = {"begins": clock_time(10), "minutes": 120, "capacity": 10, "room": "A"}
    return create_slots(study, None, **({"days": [MONDAY.date()]} | values | changes))[0]


def problems(text: str, study: Study, slot: Slot | None = None) -> list[tuple[int, str]]:
    return [(one.number, one.code) for one in plan(read_roster(text), study, slot).problems]


@given(st.binary(max_size=300))
def test_no_bytes_make_reading_fail_otherwise_than_by_a_refusal(content: bytes) -> None:
    with suppress(Refusal):
        roster = read_roster(decoded(content))
        assert all(line.number > 1 for line in roster.lines)
        assert all(problem.number > 1 for problem in roster.problems)


@given(st.text(max_size=200))
def test_every_line_under_a_heading_is_good_or_a_problem(text: str) -> None:
    content = f"reference;email;slot\n{text}"
    roster = read_roster(content)
    lines = [
        line for line in content.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip("; \t")
    ]
    texts = [line.text for line in roster.lines] + [problem.text for problem in roster.problems]
    found = sum(text.count("\n") + 1 for text in texts)
    assert found >= len(lines) - 1


@pytest.mark.parametrize(
    "content",
    [
        "Reference,E-Mail\r\nR-1,zoe@exämple.org\r\n".encode(),
        "\ufeffreference;email\nR-1;zoe@exämple.org".encode(),
        "reference;email;phone\nR-1;zoe@exämple.org;123".encode("latin-1"),
        'reference\temail\n"R-1"\tzoe@exämple.org\n\n  \n'.encode(),
    ],
)
def test_encodings_and_separators_are_recognised(content: bytes) -> None:
    roster = read_roster(decoded(content))
    shown = [(line.number, line.reference) for line in roster.lines]
    assert shown == [(2, "R-1")] or [one.sentence for one in roster.problems] == [
        "This is not an e-mail address."
    ]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("roster_empty", " \n "),
        ("heading_missing", "name,phone\nA,1"),
        ("heading_twice", "email,mail\na@example.org,b@example.org"),
        ("too_many_lines", "reference\n" + "R\n" * 20_001),
    ],
)
def test_an_unreadable_roster_is_refused_as_a_whole(code: str, text: str) -> None:
    with refused(code):
        read_roster(text)


@pytest.mark.parametrize(
    "row",
    [
        "R-1,nobody,",
        "R-1,,2026-13-01 09:00",
        "R-1,,Monday",
        "R-1,,,,x",
        f"{'R' * 65},,",
    ],
)
def test_a_malformed_line_is_reported_with_its_number(row: str) -> None:
    (problem,) = read_roster(f"reference,email,slot\n{row}").problems
    assert (problem.number, problem.code) == (2, "malformed_line")


def test_a_missing_quotation_mark_spoils_one_line() -> None:
    roster = read_roster('reference,email\n"R-1,a@example.org\nR-2,b@example.org')
    assert [line.reference for line in roster.lines if line.number == 3] == ["R-2"]


def test_a_roster_is_not_booked_past_the_budget() -> None:
    study = make.study(people=40)
    slot, each = slot_of(study), study_pay(study).per_session
    set_budget(study, 2 * each, 60, "For a test.", staff(Role.LEAD))
    with refused("budget_reached"):
        import_roster("reference\nR-1\nR-2\nR-3", study, slot, None)
    assert not Participant.objects.exists()
    import_roster("reference\nR-1\nR-2", study, slot, None)
    assert Booking.objects.count() == 2


def test_slots_are_found_by_number_or_by_time_and_room() -> None:
    study = make.study(people=40)
    first, second = slot_of(study), slot_of(study, room="B 2")
    text = (
        "reference,slot,date,time,room\n"
        f"R-1,{first.pk},,,\nR-2,#{second.pk},,,\nR-3,,2026-03-02,10:00,b2\nR-4,,2.3.2026,10.00,A\n"
        "R-5,2026-03-02T10:00,,,A\nR-6,2026-03-02 10:00,,,\nR-7,,2026-03-02,11:00,\n"
        "R-8,99999999,,,\nR-9,,,,\n"
        "R-10,5,2026-03-02,,\n"
    )
    found = plan(read_roster(text), study, None)
    assert [good.slot for good in found.good] == [first, second, second, first, first]
    assert [one.code for one in found.problems] == [
        "slot_ambiguous",
        "slot_unknown",
        "slot_unknown",
        "slot_unknown",
        "malformed_line",
    ]


def test_every_reason_to_leave_out_a_line_is_named() -> None:
    study = make.study(people=20)
    slot = slot_of(study, capacity=4)
    over = Slot.objects.create(
        study=study,
        starts_at=MONDAY - timedelta(hours=2),
        ends_at=MONDAY,
        capacity=5,
        created_at=MONDAY,
    )
    dropped = slot_of(study, room="C")
    cancel_slot(dropped, None, "No power")
    booked, gone = new_participant("Booked"), new_participant("Gone")
    book(slot, booked, None)
    withdraw(gone, None)
    played = make.session(study)
    make.play(played, [4])
    other = new_participant("Other")
    Contact.objects.create(participant=other, email="other@example.org", stored_at=MONDAY)
    text = (
        "reference,email,slot\n"
        f"b o o k e d,,{slot.pk}\n"
        f"{gone.label},,{slot.pk}\n"
        f"{played.participant.label},,{slot.pk}\n"
        f"New,,{over.pk}\nNew,,{dropped.pk}\n"
        f"New,OTHER@example.org,{slot.pk}\n"
        f"New,new@example.org,{slot.pk}\n"
        f"new ,,{slot.pk}\n"
        f"Newer,NEW@example.org,{slot.pk}\n"
        f"Third,,{slot.pk}\nFourth,,{slot.pk}\nFifth,,{slot.pk}\n"
    )
    assert problems(text, study) == [
        (2, "already_booked"),
        (3, "participant_withdrawn"),
        (4, "everything_met"),
        (5, "slot_over"),
        (6, "slot_cancelled"),
        (7, "person_contradicts"),
        (9, "duplicate_line"),
        (10, "person_contradicts"),
        (13, "slot_full"),
    ]


def test_a_roster_never_promises_more_than_the_study_has() -> None:
    study = make.study(people=3)
    slot = slot_of(study, capacity=3)
    Slot.objects.update(capacity=50)
    slot.refresh_from_db()
    text = "reference\n" + "".join(f"R-{number}\n" for number in range(5))
    assert problems(text, study, slot) == [(5, "no_places"), (6, "no_places")]


@pytest.mark.services
def test_an_import_books_good_lines_and_creates_people_once() -> None:
    study = make.study(people=20)
    slot, later = slot_of(study), slot_of(study, begins=clock_time(15))
    known = new_participant("R-1")
    text = (
        "reference;email;slot\n"
        f"r-1;one@example.org;{slot.pk}\nR-2;two@example.org;{slot.pk}\n;TWO@example.org;{later.pk}\n"
        f";three@example.org;{slot.pk}\nR-4;;\n"
    )
    made = import_roster(text, study, None, None)
    assert (len(made.good), len(made.problems), made.returning) == (4, 1, 1)
    assert Participant.objects.count() == 3
    assert known.bookings.count() == 1
    assert Participant.objects.get(reference="R-2").bookings.count() == 2
    assert set(Contact.objects.values_list("email", flat=True)) == {
        "one@example.org",
        "two@example.org",
        "three@example.org",
    }
    again = import_roster(text, study, None, None)
    assert (again.good, {one.code for one in again.problems}) == ([], {"already_booked", "slot_unknown"})
    assert Participant.objects.count() == 3


def test_many_lines_take_no_more_statements_to_plan_than_few(django_assert_max_num_queries: Any) -> None:
    study = make.study(people=3_000)
    slot = slot_of(study, capacity=500)
    numbers = []
    for many in (2, 200):
        text = "reference,email\n" + "".join(f"R-{number},r{number}@example.org\n" for number in range(many))
        with django_assert_max_num_queries(60) as captured:
            assert len(plan(read_roster(text), study, slot).good) == many
        numbers.append(len(captured))
    assert numbers[0] == numbers[1]


def test_pages_show_bad_lines_first_and_import_the_others() -> None:
    study = make.study(people=20)
    slot = slot_of(study)
    proctor = signed_in(Role.PROCTOR)
    page = proctor.get(reverse("center:roster"), {"slot": slot.pk})
    assert str(slot) in page.content.decode()
    text = "reference,email,phone\nR-1,one@example.org,1\n=R-2,nobody,2\n"
    form = {"study": study.pk, "slot": slot.pk, "text": text}
    preview = proctor.post(reverse("center:roster"), form).content.decode()
    assert "1 line can be imported, 1 cannot" in preview
    assert "<code>malformed_line</code>" in preview
    assert "Not read: the column phone." in preview
    assert not Booking.objects.exists()
    report = list(
        csv.reader(StringIO(proctor.post(reverse("center:roster-report"), form).content.decode("utf-8-sig")))
    )
    assert report[0] == ["line", "code", "problem", "text"]
    assert (report[1][0], report[1][1], report[1][3]) == ("3", "malformed_line", "'=R-2,nobody,2")
    imported = proctor.post(reverse("center:roster-import"), form).content.decode()
    assert "1 booked, 1 left out" in imported
    left_out = proctor.post(reverse("center:roster-report"), {**form, "lines": "3"}).content.decode(
        "utf-8-sig"
    )
    assert [row[0] for row in csv.reader(StringIO(left_out))] == ["line", "3"]
    assert 'name="lines" value="3"' in imported
    assert Booking.objects.get().participant.reference == "R-1"


def test_an_uploaded_file_is_read_whatever_its_bytes() -> None:
    study = make.study(people=20)
    slot_of(study)
    proctor = signed_in(Role.PROCTOR)
    for content in (b"\xff\xfe\x00r\x00", b"", b"reference\n\x00\xff\n", b"reference\nR-1"):
        upload = SimpleUploadedFile("roster.csv", content)
        answer = proctor.post(reverse("center:roster"), {"study": study.pk, "file": upload})
        assert answer.status_code == 200


def test_a_booked_person_can_check_in_with_the_code_of_the_slot() -> None:
    study = make.study(people=20)
    slot = slot_of(study)
    import_roster("reference\nR-1", study, slot, None)
    (card,) = prepare_cards(slot, None)
    session, _ = check_in(card.code, station=None)
    assert session.participant.reference == "R-1"
    assert isinstance(read_roster("reference\nR-1").lines[0], Line)


def test_a_roster_names_the_language_of_each_persons_pages() -> None:
    study = make.study(people=20)
    slot = slot_of(study)
    text = "reference,language\nR-1,ar\nR-2,Spanish\nR-3,\nR-4,Klingon\n"
    assert problems(text, study, slot) == [(5, "malformed_line")]
    import_roster(text, study, slot, None)
    prepare_cards(slot, None)
    languages = Session.objects.order_by("participant__reference").values_list("language", flat=True)
    assert list(languages) == ["ar", "es", "en"]


@pytest.mark.parametrize("name", ["roster", "roster-import", "roster-report"])
def test_a_roster_that_is_refused_as_a_whole_says_so_on_the_page(name: str) -> None:
    form = {"study": make.study().pk, "text": "name,phone\nA,1"}
    page = signed_in(Role.PROCTOR).post(reverse(f"center:{name}"), form).content.decode()
    assert "heading_missing" in page
    assert not Booking.objects.exists()
