"""What the center adds to homes: today's slots and who plays now, and adjustments of pay to decide."""

from datetime import timedelta
from typing import Any

from playtest.center.models import Station
from playtest.center.pay.queries import accounts
from playtest.center.schedule.queries import slots
from playtest.center.schedule.times import local, midnight
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.clock import now
from playtest.play.models import Session


def today(_: Staff | None, request: object) -> dict[str, Any]:
    """Today's slots with how many came, and how many people and stations there are now."""
    day = local(now()).date()
    begin, end = midnight(day), midnight(day + timedelta(days=1))
    found = slots().filter(starts_at__gte=begin, starts_at__lt=end, cancelled_at__isnull=True)
    in_progress = Session.objects.filter(checked_in_at__isnull=False, ended_at__isnull=True)
    return {
        "request": request,
        "slots": list(found),
        "moment": now(),
        "playing": in_progress.count(),
        "stations": Station.objects.filter(retired_at__isnull=True).count(),
    }


def adjustments_to_decide(staff: Staff) -> tuple[int, str]:
    """How many adjustments of pay wait for this person, who cannot decide on their own."""
    if not staff.may(Right.APPROVE_PAY):
        return 0, ""
    number = accounts.waiting().exclude(entered_by=staff).count()
    return number, f"adjustment{'' if number == 1 else 's'} of pay to decide"
