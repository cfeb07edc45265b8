"""Messages to invited people: what they say, who is sent one, and the tasks that send them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from smtplib import SMTPException

from celery import shared_task
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone

from playtest.center.schedule.models import PRESENT, Booking, Message, MessageKind, Slot
from playtest.center.schedule.times import local, long_day, span, zone
from playtest.jobs import lifecycle
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.jobs.queue import Queue
from playtest.people.models import Contact, Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.sessions.seats import hashed, new_token
from playtest.rules.pay import Pay, amount_text


@dataclass(frozen=True)
class Text:
    subject: str
    body: str


def center() -> str:
    """The center in a sentence."""
    return "our testing center" if settings.CENTER_NAME == "Testing center" else str(settings.CENTER_NAME)


def place_of(booking: Booking) -> str:
    return ", ".join(part for part in (booking.slot.room, settings.CENTER_ADDRESS) if part)


def paid(pay: Pay, currency: str) -> str:
    """What a session is paid, as in the study's protocol."""
    fee, bonus = amount_text(pay.fee, currency), amount_text(pay.bonus, currency)
    return f"{fee}, and {bonus} for each game that you complete" if pay.bonus else fee


def text_of(booking: Booking, kind: MessageKind, link: str) -> Text:
    """The text of a message; `link` is the personal page on which the person answers."""
    slot, person = booking.slot, booking.participant
    day = f"{long_day(slot.starts_at)}, {local(slot.starts_at):%H:%M}"
    if kind == MessageKind.CANCELLATION:
        return Text(
            f"Cancelled: session on {day}",
            f"Your session on {day} is cancelled. Please do not come.\n\n"
            f"Your reference: {person.reference or person.label}\n",
        )
    heading, first = {
        MessageKind.MOVED: ("New time", "Your session has a new time."),
        MessageKind.REMINDER: ("Reminder", f"This is a reminder of your session at {center()}."),
    }.get(kind, ("Invitation", f"You are invited to a session at {center()}."))
    protocol = slot.study.protocol
    facts = {
        "Date": long_day(slot.starts_at),
        "Time": f"{span(slot.starts_at, slot.ends_at)} ({zone().key})",
        "Place": place_of(booking),
        "Duration": f"up to {protocol.limits.session_seconds // 60} minutes of games",
        "Pay": paid(protocol.pay, slot.study.currency),
        "Your reference": person.reference or person.label,
    }
    return Text(
        f"{heading}: session on {day}",
        f"{first}\n\n"
        + "".join(f"{name}: {value}\n" for name, value in facts.items() if value)
        + f"\nPlease tell us whether you will come:\n{link}\n\n"
        "A member of staff gives you a code when you arrive. Please come a few minutes early.\n",
    )


_SILENCE = timedelta(minutes=2)


@shared_task
def send_message(key: int) -> None:
    send(key)


def enqueue(key: int) -> None:
    """Tells the workers of a message; one that cannot be told waits until it is requeued."""
    Queue(send_message)(key)


@shared_task
def requeue_stalled() -> None:
    """Enqueues messages whose worker ended, and those that no worker knows of."""
    lifecycle.requeue_stalled(Message.objects.all(), timezone.now(), _SILENCE, enqueue)


def mail_is_configured() -> bool:
    return bool(settings.EMAIL_URL)


def not_invited(slot: Slot) -> QuerySet[Booking]:
    """People with a seat who have not been sent an invitation, and to whom none is on its way."""
    sent = Message.objects.filter(
        kind=MessageKind.INVITATION, status__in=[*UNFINISHED, JobStatus.DONE], booking__slot=slot
    )
    return slot.bookings.filter(state__in=PRESENT).exclude(pk__in=sent.values("booking"))


def request_invitations(slot: Slot, staff: Staff | None) -> int:
    """Sends an invitation to everybody of a slot who has an address and none yet; returns their number.

    Refusal: mail_not_configured.
    """
    if not mail_is_configured():
        message = "No mail server is set up. Download the invitations and send them yourself."
        raise Refusal("mail_not_configured", message)
    with transaction.atomic():
        wanted = not_invited(slot).filter(participant__contact__isnull=False)
        return _request(wanted.order_by("pk"), MessageKind.INVITATION, staff)


def invite(bookings: QuerySet[Booking], staff: Staff | None) -> int:
    """Invites these people if they have an address and a mail server is set up; within a transaction."""
    return _request(
        bookings.filter(participant__contact__isnull=False).order_by("pk"), MessageKind.INVITATION, staff
    )


REMINDED_BEFORE = timedelta(hours=24)


@shared_task
def remind() -> int:
    """Reminds invited people of a slot that begins within a day; returns their number.

    Not those who were sent anything within a day before the slot, which reminded them.
    """
    with transaction.atomic():
        near = Booking.objects.select_for_update(of=("self",)).filter(
            slot__starts_at__gt=now(), slot__starts_at__lte=now() + REMINDED_BEFORE, slot__cancelled_at=None
        )
        told = Message.objects.filter(
            booking=OuterRef("pk"), requested_at__gte=OuterRef("slot__starts_at") - REMINDED_BEFORE
        )
        wanted = near.filter(state__in=PRESENT, session__checked_in_at=None).exclude(Exists(told))
        return request_messages(wanted, MessageKind.REMINDER, None)


def request_messages(bookings: QuerySet[Booking], kind: MessageKind, staff: Staff | None) -> int:
    """Tells people who were sent an invitation by e-mail about a change; within a transaction."""
    reached = bookings.filter(
        participant__contact__isnull=False,
        messages__by_mail=True,
        messages__status__in=[*UNFINISHED, JobStatus.DONE],
    )
    return _request(reached.distinct().order_by("pk"), kind, staff)


def personal_link() -> tuple[str, str]:
    """A new address of a personal page, and the hash by which its booking is found."""
    token = new_token()
    path = reverse("center:invitation", args=[token])
    return f"{settings.CENTER_URL.rstrip('/')}{path}", hashed(token)


def handed_out(bookings: QuerySet[Booking], staff: Staff | None) -> list[tuple[Booking, str]]:
    """Invitations that staff send themselves: each booking with a new personal link."""
    made = []
    with transaction.atomic():
        for booking in bookings.select_related("slot__study", "participant__contact").order_by("pk"):
            link, token_hash = personal_link()
            Message.objects.create(
                booking=booking,
                kind=MessageKind.INVITATION,
                token_hash=token_hash,
                by_mail=False,
                status=JobStatus.DONE,
                requested_at=now(),
                requested_by=staff,
                finished_at=now(),
            )
            made.append((booking, link))
    return made


def send(pk: int) -> None:
    """Sends a message that waits, and stores when, or why not. Called by a worker."""
    row = Message.objects.filter(pk=pk)
    lease = lifecycle.claim(row)
    if lease is None:
        return
    message = row.select_related("booking__slot__study", "booking__participant").get()
    with lifecycle.working(lease, pk, enqueue, explain_failure):
        contact = Contact.objects.filter(participant=message.booking.participant_id).first()
        outdated = message.kind != MessageKind.CANCELLATION and message.booking.state not in PRESENT
        if contact is None or outdated:
            lease.finish(JobStatus.CANCELLED)
            return
        link, token_hash = personal_link()
        lease.heartbeat(token_hash=token_hash)
        _mail(message, contact.email, link)
        lease.finish(JobStatus.DONE)


def explain_failure(error: Exception) -> str | None:
    """The "code: sentence" of an error of the mail server; None for any other."""
    if isinstance(error, (SMTPException, OSError)):
        return f"mail_not_sent: the mail server did not take it. {type(error).__name__}: {error}"[:500]
    return None


def _mail(message: Message, address: str, link: str) -> None:
    text = text_of(message.booking, MessageKind(message.kind), link)
    EmailMessage(text.subject, text.body, settings.DEFAULT_FROM_EMAIL, [address]).send()


def _request(bookings: QuerySet[Booking], kind: MessageKind, staff: Staff | None) -> int:
    if not mail_is_configured():
        return 0
    keys = list(bookings.values_list("pk", flat=True))
    made = Message.objects.bulk_create(
        Message(booking_id=key, kind=kind, requested_at=now(), requested_by=staff) for key in keys
    )
    transaction.on_commit(lambda: _enqueue_all(made))
    return len(made)


def _enqueue_all(messages: Iterable[Message]) -> None:
    for message in messages:
        enqueue(message.pk)
