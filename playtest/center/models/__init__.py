"""What the testing center stores; each concern has its models in its own folder."""

from playtest.center.interventions.models import Void, VoidReason, VoidReversal
from playtest.center.schedule.models import (
    PRESENT,
    Booking,
    BookingKind,
    BookingState,
    Message,
    MessageKind,
    Slot,
)
from playtest.center.stations.models import Station, StationPresence

__all__ = [
    "PRESENT",
    "Booking",
    "BookingKind",
    "BookingState",
    "Message",
    "MessageKind",
    "Slot",
    "Station",
    "StationPresence",
    "Void",
    "VoidReason",
    "VoidReversal",
]
