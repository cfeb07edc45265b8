"""Staff pages of stations, and the page that registers a browser as a station."""

from collections import Counter

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.center import form_tokens
from playtest.center.stations import queries, services
from playtest.center.stations.devices import cookie_value, set_device, station_here
from playtest.center.stations.models import FIRST_OF_REHEARSALS, Station
from playtest.center.views import LONGEST_CODE, count_try
from playtest.people.access import StaffRequest, declares, requires
from playtest.people.rate_limits import client_address
from playtest.people.refusals import refusal_in, refusal_told, tell_refusal
from playtest.people.roles import Audience, Right
from playtest.play.errors import Refusal
from playtest.rules.codes import ALPHABET, display, spell


class StationsForm(forms.Form):
    """New stations of one room, with consecutive numbers."""

    room = forms.CharField(max_length=40)
    first = forms.IntegerField(label="From number", min_value=1, max_value=FIRST_OF_REHEARSALS - 1)
    count = forms.IntegerField(label="How many", min_value=1, max_value=services.MOST_AT_ONCE)


class StationForm(forms.Form):
    room = forms.CharField(max_length=40)
    notes = forms.CharField(max_length=200, required=False, help_text="For staff: what is special about it.")


@require_safe
@requires(Right.RUN_SESSIONS)
def stations(request: StaffRequest) -> HttpResponse:
    """Every station, room by room: which are registered, ready, in use or not connected."""
    return _list(request, StationsForm())


@require_POST
@requires(Right.RUN_SESSIONS)
def create(request: StaffRequest) -> HttpResponse:
    """Adds stations to a room."""
    form = StationsForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            made = services.create_stations(**form.cleaned_data, staff=request.user)
            messages.success(request, f"{len(made)} created. Register each with its registration code.")
            return redirect("center:stations")
    return _list(request, form)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.RUN_SESSIONS)
def station(request: StaffRequest, number: int) -> HttpResponse:
    """One station: its state, its session, its room and notes."""
    found = _of_center(number)
    form = StationForm(request.POST or None, initial={"room": found.room, "notes": found.notes})
    if form.is_valid():
        services.describe(found, **form.cleaned_data, staff=request.user)
        messages.success(request, "Stored.")
        return redirect("center:station", number)
    context = {"form": form, "now": queries.station_now(found), "form_token": form_tokens.new_token()}
    return render(request, "center/stations/station.html", context)


@require_POST
@requires(Right.RUN_SESSIONS)
def code(request: StaffRequest, number: int) -> HttpResponse:
    """Creates a registration code, which is shown once. The browser registered before is unregistered."""
    if form_tokens.earlier_result(request):
        return redirect("center:station", number)
    found = _of_center(number)
    try:
        made = services.new_registration_code(found, request.user)
    except Refusal as refusal:
        tell_refusal(request, refusal)
        return redirect("center:station", number)
    form_tokens.store_result(request, found.pk)
    context = {"station": found, "code": display(made), "spelling": spell(made)}
    return render(request, "center/stations/code.html", context)


@require_POST
@requires(Right.RUN_SESSIONS)
def codes(request: StaffRequest) -> HttpResponse:
    """Creates a code for every station of a room without a browser: a list to print, shown once."""
    if form_tokens.earlier_result(request):
        return redirect("center:stations")
    room = request.POST.get("room", "")
    made = services.codes_of_room(room, request.user)
    if not made:
        messages.error(request, f"Every station of {room} has a browser. (all_registered)")
        return redirect("center:stations")
    form_tokens.store_result(request, made[0][0].pk)
    listed = [(found, display(text)) for found, text in made]
    return render(request, "center/stations/codes.html", {"room": room, "codes": listed})


@require_POST
@requires(Right.RUN_SESSIONS)
def retire(request: StaffRequest, number: int) -> HttpResponse:
    """Takes a station out of use."""
    with refusal_told(request):
        services.retire(_of_center(number), request.user)
        messages.success(request, f"Station {number} is out of use.")
        return redirect("center:stations")
    return redirect("center:station", number)


@declares(Audience.ANYONE)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    """At a seat: registers this browser as a station with a registration code. Nobody signs in for it."""
    refusal = None
    if request.method == "POST":
        try:
            count_try(f"register:{client_address(request)}")
            found, token = services.register(request.POST.get("code", "")[:LONGEST_CODE])
        except Refusal as refused:
            refusal = refused
        else:
            response = redirect("center:welcome")
            set_device(response, cookie_value(found, token))
            return response
    context = {
        "refusal": refusal,
        "code": request.POST.get("code", "")[:LONGEST_CODE],
        "characters": ALPHABET,
        "here": station_here(request),
    }
    return render(
        request, "center/stations/register.html", context, status=refusal.status if refusal else 200
    )


def _list(request: StaffRequest, form: StationsForm) -> HttpResponse:
    rooms = queries.by_room()
    states = Counter(one.state for room in rooms.values() for one in room)
    context = {
        "form": form,
        "rooms": rooms,
        "ready": states[queries.StationState.READY],
        "in_use": states[queries.StationState.IN_USE],
        "in_service": states.total() - states[queries.StationState.RETIRED],
        "form_token": form_tokens.new_token(),
    }
    return render(request, "center/stations/list.html", context)


def _of_center(number: int) -> Station:
    """A station of the center; 404 for those of rehearsals."""
    return get_object_or_404(Station, number=number, number__lt=FIRST_OF_REHEARSALS)
