"""What the testing center stores: voided attempts and their reversals."""

from playtest.center.interventions.models import Void, VoidReason, VoidReversal

__all__ = ["Void", "VoidReason", "VoidReversal"]
