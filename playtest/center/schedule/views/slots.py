"""The schedule by weeks, the form of new slots, and the page of a slot."""

from datetime import date, timedelta

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.center import form_tokens
from playtest.center.interventions.group_controls import Group
from playtest.center.interventions.views import group_context
from playtest.center.pay.totals import warnings
from playtest.center.schedule import queries
from playtest.center.schedule.bookings import GRACE, mark_no_shows
from playtest.center.schedule.cards_pdf import PAPERS, cards_pdf
from playtest.center.schedule.codes import prepare_cards
from playtest.center.schedule.forms import PersonForm, SlotForm
from playtest.center.schedule.messages import mail_is_configured, not_invited
from playtest.center.schedule.models import Slot
from playtest.center.schedule.slots import cancel_slot, create_slots, dates
from playtest.center.schedule.times import local, week_of, zone
from playtest.people.access import StaffRequest, requires
from playtest.people.downloads import attachment
from playtest.people.refusals import refusal_in, refusal_told, tell_refusal
from playtest.people.roles import Right
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.play.sessions.quota import places_of
from playtest.rules.text import name_order

WEEK = timedelta(days=7)
ONE_COLUMN = 12
"""More people than these are listed in two columns, so that a full room fits on the screen."""


@require_safe
@requires(Right.RUN_SESSIONS)
def schedule(request: StaffRequest) -> HttpResponse:
    """The slots of one week, and what every open study still needs."""
    day = _day(request)
    studies = sorted(Study.objects.filter(open=True), key=lambda one: name_order(one.name))
    begin, _ = week_of(day)
    context = {
        "monday": local(begin),
        "today": local(now()).date(),
        "before": local(begin).date() - WEEK,
        "after": local(begin).date() + WEEK,
        "days": queries.days_of_week(day),
        "zone": zone().key,
        "studies": [(study, places_of(study)) for study in studies],
        "budget_warnings": warnings(studies),
    }
    return render(request, "center/schedule/week.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.RUN_SESSIONS)
def new_slots(request: StaffRequest) -> HttpResponse:
    """One slot, or a series of them in one form."""
    if form_tokens.earlier_result(request):
        return redirect("center:schedule")
    form = SlotForm(request.POST or None)
    if form.is_valid():
        values = form.cleaned_data
        with refusal_in(form):
            made = create_slots(
                values["study"],
                request.user,
                days=dates(values["day"], values["weekdays"], values["weeks"]),
                begins=values["begins"],
                minutes=values["minutes"],
                capacity=values["capacity"],
                room=values["room"],
                note=values["note"],
            )
            form_tokens.store_result(request, made[0].pk)
            messages.success(request, f"{len(made)} slot{'' if len(made) == 1 else 's'} created.")
            week = local(made[0].starts_at).date()
            return redirect(f"{reverse('center:schedule')}?week={week}")
    context = {
        "form": form,
        "studies": Study.objects.filter(open=True).exists(),
        "zone": zone().key,
        "form_token": form_tokens.new_token(),
    }
    return render(request, "center/schedule/new-slots.html", context)


@require_safe
@requires(Right.RUN_SESSIONS)
def slot(request: StaffRequest, pk: int) -> HttpResponse:
    """The people of a slot, and what can be done with it."""
    return slot_page(request, get_object_or_404(queries.slots(), pk=pk), PersonForm())


@require_safe
@requires(Right.RUN_SESSIONS)
def slot_now(request: StaffRequest, pk: int) -> HttpResponse:
    """What of a slot's page changes as people arrive."""
    found = get_object_or_404(queries.slots(), pk=pk)
    context = {"slot": found, "states": queries.present_states(found)}
    return render(request, "center/schedule/slot-now.html", context)


def slot_page(request: StaffRequest, found: Slot, form: PersonForm) -> HttpResponse:
    counted = queries.slots().get(pk=found.pk)
    places = places_of(found.study)
    moment = now()
    by_time = request.GET.get("order") == "time"
    rows = queries.rows(found, by_time=by_time)
    half = (len(rows) + 1) // 2 if len(rows) > ONE_COLUMN else len(rows)
    context = group_context(Group(slot=found)) | {
        "slot": counted,
        "columns": [column for column in (rows[:half], rows[half:]) if column],
        "by_time": by_time,
        "waiting": sum(row.waiting for row in rows),
        "has_codes": any(row.booking.session_id for row in rows),
        "places": places,
        "begun": moment >= found.starts_at,
        "over": moment >= found.ends_at,
        "grace_over": moment >= found.starts_at + GRACE,
        "grace_minutes": int(GRACE.total_seconds() // 60),
        "others": queries.upcoming(found.study, but=found),
        "zone": zone().key,
        "may_pay": request.user.may(Right.ENTER_PAY),
        "mail": mail_is_configured(),
        "to_invite": not_invited(found).count(),
        "form": form,
        "papers": PAPERS,
        "form_token": form_tokens.new_token(),
    }
    return render(request, "center/schedule/slot.html", context)


@require_POST
@requires(Right.RUN_SESSIONS)
def cancel(request: StaffRequest, pk: int) -> HttpResponse:
    """Cancels a slot with a reason; sessions that run are named and go on."""
    found = get_object_or_404(Slot, pk=pk)
    with refusal_told(request):
        running = cancel_slot(found, request.user, request.POST.get("reason", "")[:500])
        messages.success(request, "The slot is cancelled. Codes that were not used are void.")
        for session in running:
            messages.warning(request, f"{session.participant} plays: this session goes on until you end it.")
    return redirect("center:slot", pk)


@require_POST
@requires(Right.RUN_SESSIONS)
def no_shows(request: StaffRequest, pk: int) -> HttpResponse:
    """Marks everybody who has not come."""
    with refusal_told(request):
        marked = mark_no_shows(get_object_or_404(Slot, pk=pk), request.user)
        messages.success(request, f"{len(marked)} marked as not having come. Their places are free again.")
    return redirect("center:slot", pk)


@require_POST
@requires(Right.RUN_SESSIONS)
def cards(request: StaffRequest, pk: int) -> HttpResponse:
    """Cards with new codes for everybody who has not come, as a PDF. Earlier codes become void."""
    if form_tokens.earlier_result(request):
        messages.warning(request, "These cards were printed already. Print again to get new codes.")
        return redirect("center:slot", pk)
    found = get_object_or_404(Slot, pk=pk)
    try:
        made = prepare_cards(found, request.user)
    except Refusal as refusal:
        tell_refusal(request, refusal)
        return redirect("center:slot", pk)
    form_tokens.store_result(request, pk)
    content = cards_pdf(made, found.starts_at, found.ends_at, found.room, paper=paper_of(request))
    return pdf(content, f"cards-slot-{pk}.pdf")


def pdf(content: bytes, name: str) -> HttpResponse:
    response = attachment(content, name, "application/pdf")
    response["Cache-Control"] = "no-store"
    return response


def paper_of(request: HttpRequest) -> str:
    """The chosen paper; the first one where the choice is unknown."""
    paper = request.POST.get("paper", "")
    return paper if paper in PAPERS else next(iter(PAPERS))


def _day(request: HttpRequest) -> date:
    """The day that the address names, else today; far years have no week before or after."""
    field = forms.DateField(input_formats=["%Y-%m-%d"])
    try:
        day: date = field.clean(request.GET.get("week") or local(now()).date())
    except forms.ValidationError:
        return local(now()).date()
    return day if 2000 <= day.year <= 9000 else local(now()).date()
