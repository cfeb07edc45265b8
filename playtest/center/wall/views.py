"""The page of the wall, and the events of one session beside its large board."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from playtest.center.interventions.queries import time_line
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.models import Session

_EVENTS = 12


@require_safe
@requires(Right.RUN_SESSIONS)
def wall(request: StaffRequest) -> HttpResponse:
    """Every station live; the page fills itself through its socket (docs/wall.md)."""
    return render(request, "center/wall/wall.html")


@require_safe
@requires(Right.RUN_SESSIONS)
def events(request: StaffRequest, pk: int) -> HttpResponse:
    """The newest events of a session, as a part of the page."""
    session = get_object_or_404(Session, pk=pk)
    return render(request, "center/wall/events.html", {"events": time_line(session).reverse()[:_EVENTS]})
