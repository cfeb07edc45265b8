"""What the center adds to homes: today's slots, who needs help now, and adjustments of pay to decide."""

from datetime import timedelta
from typing import Any

from playtest.center.pay.queries import accounts
from playtest.center.schedule.queries import slots
from playtest.center.schedule.times import local, midnight
from playtest.center.stations.queries import StationState, stations
from playtest.center.wall.facts import FactsReader
from playtest.center.wall.help import who_needs_help
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.clock import now
from playtest.play.models import Session

_MOST = 5
_IDLE = (StationState.READY, StationState.OFFLINE)


def today(_: Staff | None, request: object) -> dict[str, Any]:
    """Today's slots with how many came, and how many people are in session now."""
    day = local(now()).date()
    begin, end = midnight(day), midnight(day + timedelta(days=1))
    found = slots().filter(starts_at__gte=begin, starts_at__lt=end, cancelled_at__isnull=True)
    in_progress = Session.objects.filter(checked_in_at__isnull=False, ended_at__isnull=True)
    return {
        "request": request,
        "slots": list(found),
        "moment": now(),
        "playing": in_progress.count(),
    }


def room_now(_: Staff | None, request: object) -> dict[str, Any]:
    """Who needs help now, worst first, and the stations at which nobody is."""
    moment = now()
    in_service = [one for one in stations() if one.state != StationState.RETIRED]
    idle = {state: [one.station.number for one in in_service if one.state == state] for state in _IDLE}
    return {
        "request": request,
        "helped": who_needs_help(FactsReader().read(moment), moment),
        "most": _MOST,
        "stations": len(in_service),
        "idle": sum(map(len, idle.values())),
        "idle_by_state": [(state.label, numbers) for state, numbers in idle.items() if numbers],
    }


def adjustments_to_decide(staff: Staff) -> tuple[int, str]:
    """How many adjustments of pay wait for this person, who cannot decide on their own."""
    if not staff.may(Right.APPROVE_PAY):
        return 0, ""
    number = accounts.waiting().exclude(entered_by=staff).count()
    return number, f"adjustment{'' if number == 1 else 's'} of pay to decide"
