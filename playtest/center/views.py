"""The welcome page, on which a participant checks in with a code, and staff's pages of sessions."""

from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from playtest.center import form_tokens, queries
from playtest.center.interventions.group_controls import Group
from playtest.center.interventions.queries import session_attempts, time_line
from playtest.center.interventions.views import controls_context, group_context, shown_code
from playtest.center.pay.accounts import session_pay
from playtest.center.pay.forms import AdjustmentForm
from playtest.center.pay.totals import warnings
from playtest.center.schedule.forms import SessionForm
from playtest.center.stations.devices import renew_device, station_here
from playtest.center.stations.models import Station
from playtest.center.stations.queries import rooms
from playtest.center.stations.seating import check_in, take_seat
from playtest.people import languages
from playtest.people.access import StaffRequest, declares, requires
from playtest.people.participants import other_records
from playtest.people.rate_limits import allow, client_address, take_back
from playtest.people.refusals import refusal_in
from playtest.people.roles import Audience, Right
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.play.sessions import seats
from playtest.play.sessions.reads import Stage, stage
from playtest.play.sessions.seats import clear_seat, seated_session, set_seat
from playtest.play.sessions.services import choose_language, create_session
from playtest.rules.codes import ALPHABET

TRIES = 60  # a whole room of stations may share one address
WINDOW_SECONDS = 60
LONGEST_CODE = 100
_LEFT_BEHIND = '"cache", "storage"'
"""Cleared at a station before each person. Cookies are not: the device's would go, too."""


@declares(Audience.ANYONE)
@require_http_methods(["GET", "POST"])
@never_cache
def welcome(request: HttpRequest) -> HttpResponse:
    """Asks for the code; a browser whose session is open, or whose station's is, is sent to it."""
    session = seated_session(request)
    if session is not None and stage(session, now()) != Stage.OVER:
        return redirect("play:session")
    station = station_here(request)
    if request.method == "GET":
        seat = take_seat(station) if station else None
        return _seated(request, *seat) if seat else _page(request, station)
    try:
        chosen = languages.chosen_on_page(request)
        with translation.override(chosen or settings.LANGUAGE_CODE):
            session, token = _check_in(request, station)
        choose_language(session, chosen)
        return _seated(request, session, token)
    except Refusal as refusal:
        return _page(request, station, refusal)


def _check_in(request: HttpRequest, station: Station | None) -> tuple[Session, str]:
    """Only what was refused stays counted, so any number of people may check in at one address.

    A station has tries of its own: guesses elsewhere at its address never keep it from checking in.
    """
    source = client_address(request) if station is None else f"station-{station.number}"
    key = f"check-in:{source}"
    count_try(key)
    seated = check_in(request.POST.get("code", "")[:LONGEST_CODE], station)
    take_back(key)
    return seated


def count_try(key: str) -> None:
    """Count one try of a code. Refusal: too_many_tries (429)."""
    if not allow(key, TRIES, WINDOW_SECONDS):
        raise Refusal(
            "too_many_tries",
            "Too many codes were tried here. Please wait a minute, or ask a member of staff.",
            status=429,
        )


def _seated(request: HttpRequest, session: Session, token: str) -> HttpResponse:
    response = redirect("play:session")
    set_seat(response, session, token)
    rotate_token(request)  # no two people at a station have the same
    return response


def _page(request: HttpRequest, station: Station | None, refusal: Refusal | None = None) -> HttpResponse:
    chosen = languages.chosen_on_page(request)
    context = {
        "refusal": refusal,
        "chosen": chosen,
        "code": request.POST.get("code", "")[:LONGEST_CODE],
        "characters": ALPHABET,
        "station": station,
        "languages": settings.LANGUAGES,
    }
    with translation.override(chosen or settings.LANGUAGE_CODE):
        response = render(request, "center/welcome.html", context, status=refusal.status if refusal else 200)
    if request.COOKIES.keys() & {seats.COOKIE, languages.COOKIE}:
        clear_seat(response)  # of a session that is over
    if chosen:
        languages.remember_language(response, chosen)
    if station is not None:
        renew_device(request, response)
        response["Clear-Site-Data"] = _LEFT_BEHIND
    return response


_ROWS_A_PAGE = 25


@require_safe
@requires(Right.RUN_SESSIONS)
def sessions(request: StaffRequest) -> HttpResponse:
    """The controls for everybody or for one room, and all sessions, newest first."""
    page = Paginator(queries.sessions(), _ROWS_A_PAGE).get_page(request.GET.get("page"))
    described = queries.describe_stages(list(page), now())
    context = {
        "page": page,
        "rows": [(session, described[session.pk]) for session in page],
        "rooms": rooms(),
        **group_context(Group(request.GET.get("room", ""))),
    }
    return render(request, "center/sessions/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.RUN_SESSIONS)
def new_session(request: StaffRequest) -> HttpResponse:
    """Creates a session for one person; its code is shown once."""
    if made := form_tokens.earlier_result(request):
        return redirect("center:session", made)
    form = SessionForm(request.POST or None)
    if form.is_valid():
        with refusal_in(form, "study"):
            with transaction.atomic():  # no new participant is stored without a session
                session, code = create_session(
                    form.cleaned_data["study"],
                    form.participant(),
                    request.user,
                    another=form.cleaned_data["another"],
                    language=form.cleaned_data["language"],
                )
            form_tokens.store_result(request, session.pk)
            return render(request, "center/sessions/code.html", {"session": session, **shown_code(code)})
    open_studies = list(Study.objects.filter(open=True))
    context = {
        "form": form,
        "studies": open_studies,
        "budget_warnings": warnings(open_studies),
        "form_token": form_tokens.new_token(),
    }
    return render(request, "center/sessions/new.html", context)


@require_safe
@requires(Right.RUN_SESSIONS)
def session(request: StaffRequest, pk: int) -> HttpResponse:
    """One session: its controls, its stage, its attempts, its events and the pay owed."""
    context = _session_context(request, pk) | controls_context(pk)
    currency = context["session"].study.currency
    context |= {
        "adjustment_form": AdjustmentForm(currency, auto_id="adjust_%s"),
        "pay_token": form_tokens.new_token(),
    }
    return render(request, "center/sessions/detail.html", context)


@require_safe
@requires(Right.RUN_SESSIONS)
def session_now(request: StaffRequest, pk: int) -> HttpResponse:
    """The parts of a session's page that change while it runs."""
    return render(request, "center/sessions/now.html", _session_context(request, pk))


def _session_context(request: StaffRequest, pk: int) -> dict[str, Any]:
    sessions = Session.objects.select_related("study", "participant", "created_by", "protocol")
    found = get_object_or_404(sessions, pk=pk)
    return {
        "session": found,
        "stage": queries.describe_stage(found, now()),
        "pay": session_pay(found) if request.user.may(Right.ENTER_PAY) else None,
        "pay_shown": request.user.may(Right.ENTER_PAY),
        "nothing_played": queries.nothing_played(found),
        "attempts": session_attempts(found),
        "other_records": other_records([found.participant_id])[found.participant_id],
        "events": time_line(found),
        "may_watch": request.user.may(Right.WATCH_ATTEMPTS),
    }
