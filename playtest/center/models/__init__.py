"""What the testing center stores; each concern has its models in its own folder."""

from playtest.center.interventions.models import Void as Void
from playtest.center.interventions.models import VoidReason as VoidReason
from playtest.center.interventions.models import VoidReversal as VoidReversal
from playtest.center.pay.models import Adjustment as Adjustment
from playtest.center.pay.models import AdjustmentDecision as AdjustmentDecision
from playtest.center.pay.models import AdjustmentReason as AdjustmentReason
from playtest.center.pay.models import Budget as Budget
from playtest.center.pay.models import PaidSession as PaidSession
from playtest.center.pay.models import PayAccount as PayAccount
from playtest.center.pay.models import PayBatch as PayBatch
from playtest.center.pay.models import Payee as Payee
from playtest.center.pay.models import PayLine as PayLine
from playtest.center.pay.models import PaymentNote as PaymentNote
from playtest.center.pay.models import Receipt as Receipt
from playtest.center.schedule.models import PRESENT as PRESENT
from playtest.center.schedule.models import Booking as Booking
from playtest.center.schedule.models import BookingKind as BookingKind
from playtest.center.schedule.models import BookingState as BookingState
from playtest.center.schedule.models import Message as Message
from playtest.center.schedule.models import MessageKind as MessageKind
from playtest.center.schedule.models import RosterColumns as RosterColumns
from playtest.center.schedule.models import Slot as Slot
from playtest.center.stations.models import Station as Station
from playtest.center.stations.models import StationPresence as StationPresence
