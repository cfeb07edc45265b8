"""Printed cards, invitations by a real mail server, and the page on which people answer."""

import csv
import re
from collections.abc import Iterator
from datetime import time, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from io import BytesIO, StringIO
from socket import socket
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from pytest_django import Settings

from playtest.center.schedule.bookings import Card, book, move_booking
from playtest.center.schedule.cards_pdf import cards_pdf
from playtest.center.schedule.messages import request_invitations, send
from playtest.center.schedule.models import Booking, BookingState, Message, Slot
from playtest.center.schedule.slots import cancel_slot, create_slots
from playtest.center.schedule.times import calendar_file
from playtest.jobs.models import JobStatus
from playtest.people.models import Contact
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Study
from tests import make
from tests.center.schedule.conftest import MONDAY, StandingClock
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("clock")]

REFUSED = "refused@example.org"


class Mailbox:
    """Receives mail over SMTP, and refuses one address."""

    def __init__(self) -> None:
        self.received: list[EmailMessage] = []

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address == REFUSED:
            return "550 no such address"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        found = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(found, EmailMessage)
        self.received.append(found)
        return "250 OK"


@pytest.fixture
def mailbox(settings: Settings) -> Iterator[Mailbox]:
    """A mail server that runs, and settings that name it."""
    box = Mailbox()
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    settings.EMAIL_URL = f"smtp://127.0.0.1:{port}"
    settings.MAILERS = {
        "default": {
            "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "OPTIONS": {"host": "127.0.0.1", "port": port, "timeout": 5},
        }
    }
    settings.CENTER_URL = "http://testserver"
    settings.CENTER_ADDRESS = "1 Long Street"
    yield box
    controller.stop()


def slot_of(study: Study | None = None, **changes: Any) -> Slot:
    values: dict[str, Any] = {"begins": time(10), "minutes": 120, "capacity": 3, "room": "Room A"}
    values |= {"days": [MONDAY.date()]} | changes
    return create_slots(study or make.study(people=12), staff(Role.PROCTOR), **values)[0]


def invited(slot: Slot, email: str, reference: str = "") -> Booking:
    person = new_participant(reference)
    Contact.objects.create(participant=person, email=email, stored_at=MONDAY)
    return book(slot, person, None)


def deliver() -> None:
    """Does what a worker does with every message that waits."""
    for pk in Message.objects.filter(status=JobStatus.WAITING).order_by("pk").values_list("pk", flat=True):
        send(pk)


def texts_of(mail: EmailMessage) -> tuple[str, str]:
    """The text of a mail, and of its calendar file."""
    body = mail.get_body(("plain",))
    assert body is not None
    (calendar,) = mail.iter_attachments()
    assert calendar.get_content_type() == "text/calendar"
    content = calendar.get_content()
    return body.get_content(), content if isinstance(content, str) else content.decode()


def link_in(text: str) -> str:
    found = re.search(r"http://testserver(/invitation/\S+)", text)
    assert found
    return found[1]


def test_cards_hold_the_code_and_nothing_about_play() -> None:
    cards = [Card(f"R-{number} Zoë Łódź 中", "K7M2QX") for number in range(11)]
    content = cards_pdf(cards, "Monday 2 March 2026, 10:00 to 12:00", "Room A", a_page=10)
    reader = PdfReader(BytesIO(content))
    assert len(reader.pages) == 2
    text = reader.pages[1].extract_text()
    for part in (
        "Monday 2 March 2026, 10:00 to 12:00",
        "Room A",
        "K7M-2QX",
        "kilo seven mike, two quebec x-ray",
    ):
        assert part in text
    assert "R-10 Zoë Łódź" in text
    assert "R-9" in reader.pages[0].extract_text()


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_cards_fit_the_paper(paper: str, size: tuple[int, int]) -> None:
    page = PdfReader(BytesIO(cards_pdf([Card("x" * 200, "000000")], "when", "", paper=paper))).pages[0]
    assert (round(page.mediabox.width), round(page.mediabox.height)) == size
    assert "…" in page.extract_text()


def test_the_page_of_a_slot_makes_cards_once_for_each_form(clock: StandingClock) -> None:
    slot = slot_of()
    book(slot, new_participant("R-1"), None)
    proctor = signed_in(Role.PROCTOR)
    form = {"form_token": "one", "paper": "letter", "a_page": "10"}
    answer = proctor.post(reverse("center:slot-cards", args=[slot.pk]), form)
    assert answer["Content-Type"] == "application/pdf"
    assert "no-store" in answer["Cache-Control"]
    code = re.search(
        r"\b[0-9A-Z]{3}-[0-9A-Z]{3}\b", PdfReader(BytesIO(answer.content)).pages[0].extract_text()
    )
    assert code
    again = proctor.post(reverse("center:slot-cards", args=[slot.pk]), form)
    assert again["Location"] == reverse("center:slot", args=[slot.pk])
    assert Client().post("/", {"code": code[0]})["Location"] == "/session/"


def test_an_invitation_arrives_and_is_answered(mailbox: Mailbox) -> None:
    slot = slot_of()
    booking = invited(slot, "one@example.org", "R-1")
    book(slot, new_participant(), None)
    assert request_invitations(slot, None) == 1
    assert request_invitations(slot, None) == 0, "one is on its way"
    deliver()
    (mail,) = mailbox.received
    assert (mail["To"], mail["Subject"]) == (
        "one@example.org",
        "Invitation: session on Monday 2 March 2026, 10:00",
    )
    text, calendar = texts_of(mail)
    for part in ("10:00 to 12:00 (UTC)", "Room A, 1 Long Street", "up to 90 minutes", "$115.00", "R-1"):
        assert part in text
    assert "DTSTART:20260302T100000Z" in calendar
    visitor = Client()
    page = visitor.get(link_in(text))
    shown = page.content.decode()
    assert "Monday 2 March 2026" in shown
    assert "noindex" in page["X-Robots-Tag"]
    for hidden in ("R-1", "one@example.org", booking.participant.label, slot.study.name):
        assert hidden not in shown
    booking.refresh_from_db()
    assert booking.state == BookingState.BOOKED, "reading changes nothing"
    visitor.post(link_in(text), {"answer": "nonsense"})
    for given_answer, state in (("yes", BookingState.CONFIRMED), ("no", BookingState.DECLINED)):
        visitor.post(link_in(text), {"answer": given_answer})
        booking.refresh_from_db()
        assert booking.state == state
    assert "not_booked" in visitor.post(link_in(text), {"answer": "yes"}).content.decode()
    assert Client().get("/invitation/another/").status_code == 404
    assert link_in(text).split("/")[2] not in str(Message.objects.values())


def test_changes_are_told_to_people_who_were_invited(mailbox: Mailbox) -> None:
    study = make.study(people=12)
    slot, later = slot_of(study), slot_of(study, begins=time(14))
    booking = invited(slot, "one@example.org")
    silent = invited(slot, "two@example.org")
    Message.objects.create(booking=booking, kind="invitation", status=JobStatus.DONE, requested_at=MONDAY)
    move_booking(booking, later, None)
    move_booking(silent, later, None)
    cancel_slot(later, None, "No power")
    deliver()
    assert [mail["Subject"].split(":")[0] for mail in mailbox.received] == ["Cancelled"], (
        "a change of a booking that was cancelled since is not sent"
    )
    _, calendar = texts_of(mailbox.received[0])
    assert "STATUS:CANCELLED" in calendar
    assert "SEQUENCE:2" in calendar


def test_a_refused_address_is_named_with_its_reason(mailbox: Mailbox) -> None:
    slot = slot_of()
    invited(slot, REFUSED)
    request_invitations(slot, None)
    deliver()
    message = Message.objects.get()
    assert message.status == JobStatus.FAILED
    assert message.error.startswith("mail_not_sent: ")
    assert "550" in message.error
    page = signed_in(Role.PROCTOR).get(reverse("center:slot", args=[slot.pk])).content.decode()
    assert "not sent: mail_not_sent" in page
    assert request_invitations(slot, None) == 1, "it may be tried again"


def test_a_mail_server_that_is_gone_is_named(mailbox: Mailbox, settings: Settings) -> None:
    slot = slot_of()
    invited(slot, "one@example.org")
    settings.MAILERS["default"]["OPTIONS"]["port"] = 1
    request_invitations(slot, None)
    deliver()
    assert Message.objects.get().error.startswith("mail_not_sent: ")


def test_without_a_mail_server_invitations_are_downloaded() -> None:
    slot = slot_of()
    invited(slot, "one@example.org", "=R-1")
    proctor = signed_in(Role.PROCTOR)
    assert (
        "No mail server is set up here"
        in proctor.get(reverse("center:slot", args=[slot.pk])).content.decode()
    )
    refusal = proctor.post(reverse("center:slot-invite", args=[slot.pk]), follow=True)
    assert "mail_not_configured" in refusal.content.decode()
    answer = proctor.post(reverse("center:slot-invitations", args=[slot.pk]))
    heading, row = csv.reader(StringIO(answer.content.decode()))
    found = dict(zip(heading, row, strict=True))
    assert (found["reference"], found["email"], found["time"]) == (
        "'=R-1",
        "one@example.org",
        "10:00 to 12:00",
    )
    path = found["link"].split("//", 1)[1].split("/", 1)[1]
    assert Client().get(f"/{path}").status_code == 200


@given(st.text(max_size=300), st.text(max_size=100))
def test_lines_of_a_calendar_file_are_short_and_keep_their_text(summary: str, place: str) -> None:
    text = calendar_file(
        uid="1",
        stamp=MONDAY,
        starts_at=MONDAY,
        ends_at=MONDAY + timedelta(hours=1),
        summary=summary,
        place=place,
    )
    lines = text.split("\r\n")
    assert all(len(line.encode(errors="surrogatepass")) <= 75 for line in lines)
    unfolded = text.replace("\r\n ", "").split("\r\n")
    (found,) = [line for line in unfolded if line.startswith("SUMMARY:")]
    shown = re.sub(
        r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], found.removeprefix("SUMMARY:")
    )
    assert shown == summary.replace("\r", "")
