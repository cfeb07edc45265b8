"""The lead's page of how long each kind of data is kept."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from playtest.operation.retention.kinds import KINDS, NEVER_ERASED
from playtest.operation.retention.services import (
    MOST_DAYS,
    MOST_LETTERS,
    due,
    preview,
    read_period,
    set_period,
)
from playtest.people.access import StaffRequest, requires
from playtest.people.models import Erasure
from playtest.people.retention import period
from playtest.people.roles import Right
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal

_MOST_ROWS = 50
_TITLES = {kind.name: kind.title for kind in KINDS}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.WITHDRAW)
def page(request: StaffRequest) -> HttpResponse:
    """How long each kind of data is kept, and what is due; shows what another period would erase; sets it."""
    given = request.POST if request.method == "POST" else request.GET
    proposed, error = None, None
    if "kind" in given:
        try:
            kind, held = read_period(given["kind"], given.get("days", ""))
            if request.method == "POST" or held.days != period(kind.name).days:
                proposed = due(kind, held, machine_now())
            if request.method == "POST":
                set_period(kind.name, held.days, given.get("reason", ""), request.user)
                messages.success(request, f"{kind.title}, from now on: {held}.")
                return redirect("operation:retention")
        except Refusal as refusal:
            error = refusal
    found = preview(machine_now())
    erasures = Erasure.objects.select_related("rule__staff").order_by("-pk")[:_MOST_ROWS]
    context = {
        "kinds": found,
        "due": sum(one.number or 0 for one in found),
        "given": given,
        "proposed": proposed,
        "error": error,
        "most_days": MOST_DAYS,
        "most_letters": MOST_LETTERS,
        "kept": NEVER_ERASED,
        "erasures": [(_TITLES.get(one.kind, one.kind), one) for one in erasures],
    }
    return render(request, "operation/retention.html", context, status=error.status if error else 200)
