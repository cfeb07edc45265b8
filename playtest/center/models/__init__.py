"""What the testing center stores; each concern has its models in its own folder."""

from playtest.center.interventions.models import Void, VoidReason, VoidReversal
from playtest.center.pay.models import (
    Adjustment,
    AdjustmentDecision,
    AdjustmentReason,
    Budget,
    PaidSession,
    PayAccount,
    PayBatch,
    PayLine,
    Receipt,
)
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
    "Adjustment",
    "AdjustmentDecision",
    "AdjustmentReason",
    "Booking",
    "BookingKind",
    "BookingState",
    "Budget",
    "Message",
    "MessageKind",
    "PaidSession",
    "PayAccount",
    "PayBatch",
    "PayLine",
    "Receipt",
    "Slot",
    "Station",
    "StationPresence",
    "Void",
    "VoidReason",
    "VoidReversal",
]
