"""Many sessions at once: everybody's, those of one room, or those of one slot."""

from dataclasses import dataclass

from django.db.models import QuerySet

from playtest.center.models import Slot, Station
from playtest.play.models import Attempt, Session
from playtest.play.sessions.reads import OPEN


@dataclass(frozen=True)
class Group:
    """Whom a control for many is about; without a room and a slot, everybody."""

    room: str = ""
    slot: Slot | None = None

    def sessions(self) -> QuerySet[Session]:
        """The sessions under way: checked in and not ended, by number."""
        found = Session.objects.filter(checked_in_at__isnull=False, ended_at=None)
        if self.slot is not None:
            found = found.filter(booking__slot=self.slot)
        if self.room:
            found = found.filter(station__in=Station.objects.filter(room=self.room).values("number"))
        return found.select_related("study", "participant", "protocol").order_by("pk")

    @property
    def name(self) -> str:
        """Whom it is about, within a sentence."""
        place = f" in room {self.room}" if self.room else ""
        return f"everybody of this slot{place}" if self.slot is not None else f"everybody{place}"


@dataclass(frozen=True)
class Counts:
    """Sessions under way, how many of them have an open environment, and how many are paused."""

    under_way: int
    playing: int
    paused: int


def counts(group: Group) -> Counts:
    """How many sessions a control would be about, in one read."""
    found = group.sessions()
    playing = Attempt.objects.filter(OPEN, session__in=found).count()
    return Counts(found.count(), playing, found.filter(paused_at__isnull=False).count())
