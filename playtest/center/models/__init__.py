"""What the testing center stores; each concern has its models in its own folder."""

from playtest.center.interventions.models import Void, VoidReason, VoidReversal
from playtest.center.stations.models import Station, StationPresence

__all__ = ["Station", "StationPresence", "Void", "VoidReason", "VoidReversal"]
