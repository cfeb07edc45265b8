"""What messages to invited people say."""

from dataclasses import dataclass

from django.conf import settings

from playtest.center.schedule.models import Booking, MessageKind
from playtest.center.schedule.times import local, long_day, span, zone
from playtest.rules.pay import Pay


@dataclass(frozen=True)
class Text:
    subject: str
    body: str


def place_of(booking: Booking) -> str:
    return ", ".join(part for part in (booking.slot.room, settings.CENTER_ADDRESS) if part)


def paid(pay: Pay) -> str:
    """What a session is paid, as in the study's protocol."""
    fee = f"${pay.fee:,.2f}"
    return f"{fee}, and ${pay.bonus:,.2f} for each game that you complete" if pay.bonus else fee


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
    moved = kind == MessageKind.MOVED
    protocol = slot.study.protocol
    facts = {
        "Date": long_day(slot.starts_at),
        "Time": f"{span(slot.starts_at, slot.ends_at)} ({zone().key})",
        "Place": place_of(booking),
        "Duration": f"up to {protocol.limits.session_seconds // 60} minutes of games",
        "Pay": paid(protocol.pay),
        "Your reference": person.reference or person.label,
    }
    first = "Your session has a new time." if moved else "You are invited to a session at our testing center."
    return Text(
        f"{'New time' if moved else 'Invitation'}: session on {day}",
        f"{first}\n\n"
        + "".join(f"{name}: {value}\n" for name, value in facts.items() if value)
        + f"\nPlease tell us whether you will come:\n{link}\n\n"
        "A member of staff gives you a code when you arrive. Please come a few minutes early.\n",
    )
