"""Staff pages for sessions: the list, a new one, its page, its code, its end; and the page of stations."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.center import once, queries
from playtest.center.spelling import spell
from playtest.center.stations import MOST_STATIONS, clear_station, set_station, station_number
from playtest.people.access import StaffRequest, requires
from playtest.people.models import Participant
from playtest.people.roles import Right
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.services.sessions import create_session, end_session, reissue_code
from playtest.rules.codes import display

_ROWS_A_PAGE = 50
NEW, RETURNING = "new", "returning"


class SessionForm(forms.Form):
    """Who sits down in which study. `participant()` gives the person, made if new."""

    study = forms.ModelChoiceField(Study.objects.filter(open=True).order_by("-created_at"), empty_label=None)
    who = forms.ChoiceField(
        label="Participant",
        choices=[(NEW, "First time here"), (RETURNING, "Has been here before")],
        initial=NEW,
        widget=forms.RadioSelect,
    )
    name = forms.CharField(
        label="Pseudonym or recruiter's reference",
        max_length=64,
        required=False,
        help_text="For someone new, the recruiter's reference if there is one; else either of the two.",
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        name, found = values.get("name", ""), self._find()
        if values.get("who") == NEW and found:
            self.refuse("reference_taken", f"{found} is known already. Choose “Has been here before”.")
        elif values.get("who") == RETURNING and not name:
            self.refuse("participant_missing", "Enter the pseudonym or the reference of this person.")
        elif values.get("who") == RETURNING and found is None:
            self.refuse("participant_unknown", "Nobody has this pseudonym or reference. Check the spelling.")
        return values

    def participant(self) -> Participant:
        """Raises IntegrityError when someone else took the reference a moment ago."""
        return self._find() or new_participant(self.cleaned_data["name"])

    def _find(self) -> Participant | None:
        name = self.cleaned_data.get("name", "")
        matching = Q(reference=name) | Q(label__iexact=name)
        return Participant.objects.filter(matching).first() if name else None

    def refuse(self, code: str, message: str) -> None:
        self.add_error("name", forms.ValidationError(message, code=code))


class StationForm(forms.Form):
    number = forms.IntegerField(label="Station number", min_value=1, max_value=MOST_STATIONS)


@require_safe
@requires(Right.RUN_SESSIONS)
def sessions(request: StaffRequest) -> HttpResponse:
    """Every session, newest first."""
    page = Paginator(queries.sessions(), _ROWS_A_PAGE).get_page(request.GET.get("page"))
    rows = [(session, queries.stage_words(session, now())) for session in page]
    return render(request, "center/sessions/list.html", {"page": page, "rows": rows})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.RUN_SESSIONS)
def new_session(request: StaffRequest) -> HttpResponse:
    if made := once.came_of(request):
        return redirect("center:session", made)
    form = SessionForm(request.POST or None)
    if form.is_valid():
        try:
            with transaction.atomic():  # without a session nobody new is kept either
                session, code = create_session(form.cleaned_data["study"], form.participant(), request.user)
        except Refusal as refusal:
            form.add_error("study", forms.ValidationError(refusal.message, code=refusal.code))
        except IntegrityError:
            form.refuse("reference_taken", "This reference was taken a moment ago. Check who has it.")
        else:
            return _code_page(request, session, code)
    context = {"form": form, "studies": Study.objects.filter(open=True).exists(), "once": once.token()}
    return render(request, "center/sessions/new.html", context)


@require_safe
@requires(Right.RUN_SESSIONS)
def session(request: StaffRequest, pk: int) -> HttpResponse:
    """One session: where it stands, what happened, what is owed."""
    found = get_object_or_404(Session.objects.select_related("study", "participant", "created_by"), pk=pk)
    context = {
        "session": found,
        "stage": queries.stage_words(found, now()),
        "owed": queries.owed(found),
        "nothing_played": queries.nothing_played(found),
        "attempts": found.attempts.select_related("environment").order_by("number"),
        "events": found.events.select_related("attempt", "staff").order_by("server_time", "pk"),
        "may_watch": request.user.may(Right.WATCH_ATTEMPTS),
        "once": once.token(),
    }
    return render(request, "center/sessions/detail.html", context)


@never_cache
@require_POST
@requires(Right.RUN_SESSIONS)
def reissue(request: StaffRequest, pk: int) -> HttpResponse:
    """A new code, shown once; the old one and the seat it opened are void."""
    if once.came_of(request):
        return redirect("center:session", pk)
    found = get_object_or_404(Session, pk=pk)
    try:
        code = reissue_code(found, request.user)
    except Refusal as refusal:
        return _refused(request, refusal, pk)
    return _code_page(request, found, code)


@require_POST
@requires(Right.RUN_SESSIONS)
def end(request: StaffRequest, pk: int) -> HttpResponse:
    """End the session at once, and with it the environment being played."""
    found = get_object_or_404(Session, pk=pk)
    if end_session(found, SessionEnd.ENDED_BY_STAFF, staff=request.user):
        messages.success(request, "The session has ended.")
        return redirect("center:session", pk)
    return _refused(request, Refusal("session_ended", "This session had ended already."), pk)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.RUN_SESSIONS)
def station(request: StaffRequest) -> HttpResponse:
    """Make this browser a station, or none."""
    here = station_number(request)
    if request.method == "POST" and "none" in request.POST:
        response = redirect("center:station")
        clear_station(response)
        return response
    form = StationForm(request.POST or None, initial={"number": here})
    if form.is_valid():
        response = redirect("center:station")
        set_station(response, form.cleaned_data["number"])
        return response
    return render(request, "center/sessions/station.html", {"form": form, "station": here})


def _code_page(request: StaffRequest, session: Session, code: str) -> HttpResponse:
    once.remember(request, session.pk)
    context = {"session": session, "code": display(code), "spelling": spell(code)}
    return render(request, "center/sessions/code.html", context)


def _refused(request: StaffRequest, refusal: Refusal, pk: int) -> HttpResponse:
    messages.error(request, f"{refusal.message} ({refusal.code})")
    return redirect("center:session", pk)
