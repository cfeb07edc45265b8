"""What staff do with one person of a slot, and people who walk in."""

import csv

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from playtest.center import form_tokens
from playtest.center.interventions.views import shown_code
from playtest.center.schedule.bookings import (
    answer,
    cancel_booking,
    give_code,
    mark_no_show,
    move_booking,
    walk_in,
)
from playtest.center.schedule.forms import PersonForm
from playtest.center.schedule.messages import (
    handed_out,
    place_of,
    request_invitations,
    text_of,
)
from playtest.center.schedule.models import PRESENT, Booking, BookingState, Message, MessageKind, Slot
from playtest.center.schedule.times import local, long_day, span, zone
from playtest.center.schedule.views.slots import slot_page
from playtest.people.access import StaffRequest, declares, requires
from playtest.people.models import Contact
from playtest.people.refusals import refusal_in, refusal_told, tell_refusal
from playtest.people.roles import Audience, Right
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session
from playtest.play.sessions.seats import hashed
from playtest.rules.spreadsheets import guarded
from playtest.rules.text import whole_number


@never_cache
@require_POST
@requires(Right.RUN_SESSIONS)
def add_walk_in(request: StaffRequest, pk: int) -> HttpResponse:
    """Books a person at the desk, new or returning, and shows their code."""
    if made := form_tokens.earlier_result(request):
        return redirect("center:session", made)
    slot = get_object_or_404(Slot.objects.select_related("study"), pk=pk)
    form = PersonForm(request.POST)
    if form.is_valid():
        with refusal_in(form, "name"):
            with transaction.atomic():  # no new participant is stored without a seat
                booking, code = walk_in(slot, form.participant(), request.user, form.cleaned_data["language"])
            return _code_page(request, booking, code)
    return slot_page(request, slot, form)


@never_cache
@require_POST
@requires(Right.RUN_SESSIONS)
def code(request: StaffRequest, pk: int) -> HttpResponse:
    """A new code for one person, also for one who comes after being marked as a no-show."""
    if made := form_tokens.earlier_result(request):
        return redirect("center:session", made)
    booking = get_object_or_404(Booking, pk=pk)
    try:
        new_code = give_code(booking, request.user)
    except Refusal as refusal:
        tell_refusal(request, refusal)
        return redirect("center:slot", booking.slot_id)
    return _code_page(request, booking, new_code)


@require_POST
@requires(Right.RUN_SESSIONS)
def no_show(request: StaffRequest, pk: int) -> HttpResponse:
    """Marks one person who did not come."""
    booking = get_object_or_404(Booking, pk=pk)
    with refusal_told(request):
        mark_no_show(booking, request.user)
        messages.success(request, "Marked as not having come. A new code brings them back.")
    return redirect("center:slot", booking.slot_id)


@require_POST
@requires(Right.RUN_SESSIONS)
def cancel(request: StaffRequest, pk: int) -> HttpResponse:
    """Cancels the booking of one person."""
    booking = get_object_or_404(Booking, pk=pk)
    with refusal_told(request):
        cancel_booking(booking, request.user)
        messages.success(request, "The booking is cancelled, and its seat is free.")
    return redirect("center:slot", booking.slot_id)


@require_POST
@requires(Right.RUN_SESSIONS)
def move(request: StaffRequest, pk: int) -> HttpResponse:
    """Moves a person to another slot of the study."""
    booking = get_object_or_404(Booking, pk=pk)
    number = whole_number(request.POST.get("slot", ""))
    slot = Slot.objects.filter(pk=number).first() if number is not None else None
    if slot is None:
        raise Http404("There is no such slot.")
    before = booking.slot_id
    with refusal_told(request):
        move_booking(booking, slot, request.user)
        messages.success(request, f"Moved to {slot}.")
    return redirect("center:slot", before)


def _code_page(request: StaffRequest, booking: Booking, new_code: str) -> HttpResponse:
    session = Session.objects.select_related("participant").get(booking=booking.pk)
    form_tokens.store_result(request, session.pk)
    context = {"session": session, "slot": booking.slot_id, **shown_code(new_code)}
    return render(request, "center/sessions/code.html", context)


_LONGEST_TOKEN = 100


@require_POST
@requires(Right.RUN_SESSIONS)
def invite(request: StaffRequest, pk: int) -> HttpResponse:
    """Sends an invitation to everybody of a slot who has an address and none yet."""
    slot = get_object_or_404(Slot, pk=pk)
    with refusal_told(request):
        sent = request_invitations(slot, request.user)
        messages.success(request, f"{sent} invitation{' is' if sent == 1 else 's are'} on the way.")
    return redirect("center:slot", pk)


@never_cache
@require_POST
@requires(Right.RUN_SESSIONS)
def download(request: StaffRequest, pk: int) -> HttpResponse:
    """The invitations of a slot as CSV for a mail merge, each with a personal link."""
    slot = get_object_or_404(Slot, pk=pk)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="invitations-slot-{pk}.csv"'
    rows = csv.writer(response)
    rows.writerow(["reference", "pseudonym", "email", "date", "time", "place", "link", "subject", "text"])
    for booking, link in handed_out(slot.bookings.filter(state__in=PRESENT), request.user):
        text, person = text_of(booking, MessageKind.INVITATION, link), booking.participant
        contact = Contact.objects.filter(participant=person).first()
        when = f"{local(slot.starts_at):%Y-%m-%d}", span(slot.starts_at, slot.ends_at)
        cells = [person.reference, person.label, contact.email if contact else "", *when]
        rows.writerow([guarded(cell) for cell in [*cells, place_of(booking), link, text.subject, text.body]])
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@declares(Audience.ANYONE)
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The page of an invited person: date, time and place, and two answers."""
    booking = _invited(token)
    refusal = None
    if request.method == "POST" and (given := request.POST.get("answer")) in ("yes", "no"):
        try:
            answer(booking, comes=given == "yes")
        except Refusal as found:
            refusal = found
        else:
            return redirect("center:invitation", token)
    slot = booking.slot
    context = {
        "day": long_day(slot.starts_at),
        "time": span(slot.starts_at, slot.ends_at),
        "zone": zone().key,
        "place": place_of(booking),
        "refusal": refusal,
        "state": booking.state,
        "open": booking.state in PRESENT and slot.cancelled_at is None and slot.ends_at > now(),
        "confirmed": booking.state == BookingState.CONFIRMED,
        "declined": booking.state == BookingState.DECLINED,
        "cancelled": booking.state == BookingState.CANCELLED,
    }
    response = render(
        request, "center/schedule/invitation.html", context, status=refusal.status if refusal else 200
    )
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "no-referrer"
    return response


def _invited(token: str) -> Booking:
    message = (
        Message.objects.filter(token_hash=hashed(token)).first() if len(token) <= _LONGEST_TOKEN else None
    )
    if message is None:
        raise Http404("This link is not valid.")
    return Booking.objects.select_related("slot__study", "participant").get(pk=message.booking_id)
