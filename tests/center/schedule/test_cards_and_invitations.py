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
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader
from pytest_django import Settings

from playtest.center.schedule.bookings import book, cancel_booking, move_booking, wait
from playtest.center.schedule.cards_pdf import cards_pdf
from playtest.center.schedule.codes import Card
from playtest.center.schedule.messages import remind, request_invitations, send
from playtest.center.schedule.models import Booking, BookingState, Message, Slot
from playtest.center.schedule.slots import cancel_slot, create_slots
from playtest.jobs.models import JobStatus
from playtest.people.models import Contact
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.rules.codes import spell
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


def text_of_mail(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    text: str = body.get_content()
    return text


def link_in(text: str) -> str:
    found = re.search(r"http://testserver(/invitation/\S+)", text)
    assert found
    return found[1]


WHEN = (MONDAY + timedelta(hours=1), MONDAY + timedelta(hours=3))


def text_of_cards(*cards: Card, **layout: Any) -> list[str]:
    """The text of each page."""
    reader = PdfReader(BytesIO(cards_pdf(cards, *WHEN, "Room A", **layout)))
    return [page.extract_text() for page in reader.pages]


def test_cards_hold_the_code_who_where_and_what_to_do_and_nothing_about_play() -> None:
    made = text_of_cards(*(Card(f"P-{number}", "K7M2QX", f"Zoë Łódź {number}") for number in range(11)))
    assert len(made) == 3
    assert made[2].count("K7M-2QX") == 11, "the list for the desk"
    for part in (
        "Testing center",
        "Monday 2 March 2026",
        "10:00 – 12:00, Room A",  # noqa: RUF001
        "K7M-2QX",
        "kilo seven mike, two quebec x-ray",
        "Enter this code at your station.",
        "P-10",
        "Zoë Łódź 10",
    ):
        assert part in made[1]
    assert "P-7" in made[0]


@pytest.mark.parametrize(
    ("paper", "size", "code"), [("a4", (595, 842), "NNNNNN"), ("letter", (612, 792), "FFFFFF")]
)
def test_nothing_on_a_card_is_cut(paper: str, size: tuple[int, int], code: str) -> None:
    content = cards_pdf([Card("P-7K2QX", code, "W" * 64)], *WHEN, "R" * 40, paper=paper)
    page = PdfReader(BytesIO(content)).pages[0]
    assert (round(page.mediabox.width), round(page.mediabox.height)) == size
    text = page.extract_text()
    assert (text.count("W"), text.count("R")) == (64, 40)
    assert spell(code).split()[-1] in text


@pytest.mark.parametrize(
    ("name", "font"),
    [
        ("محمد", "DejaVuSans"),
        ("יוסי", "DejaVuSans"),  # noqa: RUF001
        ("王小明", "DroidSansFallback"),
        ("हिन्दी", "NotoSansDevanagari-Regular"),
        ("ไทย", "NotoSansThai-Regular"),
    ],
)
def test_a_card_has_the_font_of_each_script(name: str, font: str) -> None:
    page = PdfReader(BytesIO(cards_pdf([Card("P-7K2QX", "K7M2QX", name)], *WHEN, ""))).pages[0]
    resources: Any = page["/Resources"]
    fonts = {str(one.get_object()["/BaseFont"]).split("+")[-1] for one in resources["/Font"].values()}
    assert font.replace("-Regular", "").lower() in " ".join(fonts).replace("-", "").lower()


def test_a_card_is_in_the_language_of_its_person() -> None:
    text, _ = text_of_cards(Card("P-7K2QX", "K7M2QX", language="es"))
    assert "lunes 2 marzo 2026" in text
    assert "Introduzca este código" in text


def test_the_page_of_a_slot_makes_cards_once_for_each_form(clock: StandingClock) -> None:
    cache.clear()  # codes entered by tests before this one count as guesses
    slot = slot_of()
    book(slot, new_participant("R-1"), None)
    proctor = signed_in(Role.PROCTOR)
    form = {"form_token": "one", "paper": "letter"}
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
    text = text_of_mail(mail)
    for part in ("10:00 to 12:00 (UTC)", "Room A, 1 Long Street", "up to 90 minutes", "$115.00", "R-1"):
        assert part in text
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


def test_people_are_reminded_once_a_day_before(
    mailbox: Mailbox, clock: StandingClock, settings: Settings
) -> None:
    settings.CENTER_NAME = "Lakeside Lab"
    slot = slot_of(days=[MONDAY.date() + timedelta(days=3)])
    invited(slot, "one@example.org")
    request_invitations(slot, None)
    deliver()
    assert "You are invited to a session at Lakeside Lab." in text_of_mail(mailbox.received[0])
    uninvited = invited(slot, "two@example.org")
    clock.advance(days=2, minutes=59)
    assert remind() == 0
    clock.advance(minutes=1)
    assert (remind(), remind()) == (1, 0)
    deliver()
    assert mailbox.received[1]["Subject"].startswith("Reminder: session on Thursday")
    assert "reminder of your session at Lakeside Lab" in text_of_mail(mailbox.received[1])
    Message.objects.create(booking=uninvited, kind="invitation", status=JobStatus.DONE, requested_at=now())
    clock.advance(hours=1)
    assert remind() == 0, "an invitation of the same day reminds"


def test_the_next_of_the_waiting_list_is_asked_when_somebody_declines(mailbox: Mailbox) -> None:
    slot = slot_of(capacity=1)
    seated = invited(slot, "one@example.org")
    request_invitations(slot, None)
    deliver()
    people = [new_participant(), new_participant()]
    for number, person in enumerate(people):
        Contact.objects.create(participant=person, email=f"next{number}@example.org", stored_at=MONDAY)
    first, second = (wait(slot, person, None) for person in people)
    with pytest.raises(Refusal, match="already"):
        wait(slot, people[0], None)
    Client().post(link_in(text_of_mail(mailbox.received[0])), {"answer": "no"})
    deliver()
    assert [mail["To"] for mail in mailbox.received] == ["one@example.org", "next0@example.org"]
    Client().post(link_in(text_of_mail(mailbox.received[1])), {"answer": "no"})
    deliver()
    assert mailbox.received[2]["To"] == "next1@example.org"
    for booking in (seated, first, second):
        booking.refresh_from_db()
    assert [seated.state, first.state, second.state] == ["declined", "declined", "booked"]
    cancel_booking(second, None)
    with pytest.raises(Refusal, match="free seat"):
        wait(slot, new_participant(), None)


def test_the_page_of_a_full_slot_puts_people_on_its_waiting_list() -> None:
    slot = slot_of(capacity=1)
    proctor, address = signed_in(Role.PROCTOR), reverse("center:slot", args=[slot.pk])
    assert "waiting list" not in proctor.get(address).content.decode()
    book(slot, new_participant("R-1"), None)
    assert "Put on the waiting list" in proctor.get(address).content.decode()
    wanted = {"name": "R-2", "new": "on", "language": "en", "form_token": "a"}
    for _ in range(2):
        proctor.post(reverse("center:slot-wait", args=[slot.pk]), wanted)
    booking = Booking.objects.get(state=BookingState.WAITING)
    assert booking.participant.reference == "R-2"
    assert "on the waiting list" in proctor.get(address).content.decode()
    proctor.post(reverse("center:booking-cancel", args=[booking.pk]))
    booking.refresh_from_db()
    assert booking.state == BookingState.CANCELLED


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
    heading, row = csv.reader(StringIO(answer.content.decode("utf-8-sig")))
    found = dict(zip(heading, row, strict=True))
    assert (found["reference"], found["email"], found["time"]) == (
        "'=R-1",
        "one@example.org",
        "10:00 to 12:00",
    )
    path = found["link"].split("//", 1)[1].split("/", 1)[1]
    assert Client().get(f"/{path}").status_code == 200
