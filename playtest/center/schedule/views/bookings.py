"""What staff do with one person of a slot, and people who walk in."""

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from playtest.center import form_tokens
from playtest.center.schedule.forms import PersonForm
from playtest.center.schedule.models import Booking, Slot
from playtest.center.schedule.services.attendance import mark_no_show
from playtest.center.schedule.services.bookings import cancel_booking, give_code, move_booking, walk_in
from playtest.center.schedule.views.slots import refused, slot_page
from playtest.center.spelling import spell
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.people.services import new_participant
from playtest.play.errors import Refusal
from playtest.play.models import Session
from playtest.rules.codes import display
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
        try:
            with transaction.atomic():  # no new participant is stored without a seat
                person = form.found[0] if form.found else new_participant(form.cleaned_data["name"])
                booking, code = walk_in(slot, person, request.user)
        except Refusal as refusal:
            form.refuse(refusal.code, refusal.message)
        except IntegrityError:
            form.refuse("reference_taken", "Someone else has just used this reference. Check who has it.")
        else:
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
        return refused(request, refusal, booking.slot_id)
    return _code_page(request, booking, new_code)


@require_POST
@requires(Right.RUN_SESSIONS)
def no_show(request: StaffRequest, pk: int) -> HttpResponse:
    """Marks one person who did not come."""
    booking = get_object_or_404(Booking, pk=pk)
    try:
        mark_no_show(booking, request.user)
    except Refusal as refusal:
        return refused(request, refusal, booking.slot_id)
    messages.success(request, "Marked as not having come. A new code brings them back.")
    return redirect("center:slot", booking.slot_id)


@require_POST
@requires(Right.RUN_SESSIONS)
def cancel(request: StaffRequest, pk: int) -> HttpResponse:
    """Cancels the booking of one person."""
    booking = get_object_or_404(Booking, pk=pk)
    try:
        cancel_booking(booking, request.user)
    except Refusal as refusal:
        return refused(request, refusal, booking.slot_id)
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
    try:
        move_booking(booking, slot, request.user)
    except Refusal as refusal:
        return refused(request, refusal, before)
    messages.success(request, f"Moved to {slot}.")
    return redirect("center:slot", before)


def _code_page(request: StaffRequest, booking: Booking, new_code: str) -> HttpResponse:
    session = Session.objects.select_related("participant").get(booking=booking.pk)
    form_tokens.store_result(request, session.pk)
    context = {
        "session": session,
        "code": display(new_code),
        "spelling": spell(new_code),
        "slot": booking.slot_id,
    }
    return render(request, "center/sessions/code.html", context)
