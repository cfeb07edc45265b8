"""Slots of the center's days, the people booked into them, and the messages that they are sent."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from playtest.center.schedule.times import long_day, span
from playtest.jobs.models import Job
from playtest.people.models import Participant
from playtest.people.record.links import Recorded
from playtest.play.models import Session, Study


class Slot(Recorded):
    """A time at which up to `capacity` people of one study play in one room."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="slots")
    room = models.CharField(max_length=40, blank=True)
    starts_at = models.DateTimeField(db_index=True)
    ends_at = models.DateTimeField()
    capacity = models.PositiveSmallIntegerField()
    note = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    cancelled_at = models.DateTimeField(null=True)
    cancelled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    cancel_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="slot_ends_after_it_starts"),
            models.CheckConstraint(condition=Q(capacity__gte=1), name="slot_has_a_capacity"),
            models.CheckConstraint(
                condition=Q(cancelled_at__isnull=True, cancel_reason="")
                | (Q(cancelled_at__isnull=False) & ~Q(cancel_reason="")),
                name="slot_has_a_reason_exactly_when_cancelled",
            ),
        ]

    def __str__(self) -> str:
        """Monday 23 November 2026, 09:00 to 10:30, Room 2 (slot 7)"""
        room = f", {self.room}" if self.room else ""
        return f"{long_day(self.starts_at)}, {span(self.starts_at, self.ends_at)}{room} (slot {self.pk})"


class BookingKind(models.TextChoices):
    INVITED = "invited", "invited"
    WALK_IN = "walk_in", "walked in"


class BookingState(models.TextChoices):
    BOOKED = "booked", "booked"
    CONFIRMED = "confirmed", "will come"
    DECLINED = "declined", "cannot come"
    CANCELLED = "cancelled", "cancelled"
    NO_SHOW = "no_show", "did not come"
    WAITING = "waiting", "on the waiting list"


PRESENT = (BookingState.BOOKED, BookingState.CONFIRMED)
"""States in which a booking takes a seat of its slot."""


class Booking(Recorded):
    """A person in a slot. `session` is set once there is a code; whether they came is in the session.
    `language` is what the session's pages begin in, one of `settings.LANGUAGES`.

    A person who comes after being marked NO_SHOW gets another session: `session` is the newest. Who is
    WAITING has no seat, and is invited once somebody gives one back.
    """

    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, related_name="bookings")
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="bookings")
    session = models.OneToOneField(Session, on_delete=models.PROTECT, null=True, related_name="booking")
    kind = models.CharField(max_length=8, choices=BookingKind)
    state = models.CharField(max_length=10, choices=BookingState, default=BookingState.BOOKED)
    language = models.CharField(max_length=10, default="en", db_default="en")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    changed_at = models.DateTimeField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["slot", "participant"],
                condition=Q(state__in=PRESENT),
                name="one_booking_per_person_and_slot",
            )
        ]


class RosterColumns(models.Model):
    """How the last roster with these headings was read: what each column was, and the order of its dates."""

    headings = models.CharField(max_length=64, unique=True)
    columns = models.JSONField()
    day_first = models.BooleanField(null=True)
    changed_at = models.DateTimeField()


class MessageKind(models.TextChoices):
    INVITATION = "invitation", "invitation"
    MOVED = "moved", "change of time"
    CANCELLATION = "cancellation", "cancellation"
    REMINDER = "reminder", "reminder"


class Message(Job):
    """An e-mail about a booking: when it was sent, or why not (`error`, "code: sentence").

    The address is in `people.Contact` only. `token_hash` is of the personal link in the text, of which every
    message has its own.
    """

    booking = models.ForeignKey(Booking, on_delete=models.CASCADE, related_name="messages")
    kind = models.CharField(max_length=12, choices=MessageKind)
    token_hash = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001
    by_mail = models.BooleanField(default=True)
    requested_at = models.DateTimeField()
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
