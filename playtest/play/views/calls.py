"""The button with which a participant calls a member of staff."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from playtest.people.access import declares
from playtest.people.rate_limits import allow
from playtest.people.roles import Audience
from playtest.play.errors import Refusal
from playtest.play.models import Session
from playtest.play.queries import calling_since
from playtest.play.seats import seated_session
from playtest.play.services.calls import call_proctor

CALLS = 6
WINDOW_SECONDS = 60


@declares(Audience.SEAT)
@require_http_methods(["GET", "POST"])
@never_cache
def call(request: HttpRequest) -> HttpResponse:
    """Calls a member of staff (POST); answers whether a call waits for one.

    A page without JavaScript is sent back to its session.
    Refusal: no_seat (403), too_many_calls (429), not_now.
    """
    as_json = request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    session = seated_session(request)
    try:
        if session is None:
            raise Refusal("no_seat", "This page has no session. Please raise your hand.", status=403)
        if request.method == "POST":
            _call(session)
    except Refusal as refusal:
        if as_json:
            return JsonResponse({"code": refusal.code, "message": refusal.message}, status=refusal.status)
        return redirect("play:sitting")
    if as_json:
        return JsonResponse({"called": calling_since(session) is not None})
    return redirect("play:sitting")


def _call(session: Session) -> None:
    if not allow(f"call:{session.pk}", CALLS, WINDOW_SECONDS):
        message = "You have called several times in a minute. Please raise your hand."
        raise Refusal("too_many_calls", message, status=429)
    call_proctor(session)
