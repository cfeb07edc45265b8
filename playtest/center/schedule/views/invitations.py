"""Invitations: sending them, or a file for staff to send; and the page that an invited person opens."""

import csv

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from playtest.center.schedule.message_texts import place_of, text_of
from playtest.center.schedule.models import PRESENT, Booking, BookingState, Message, MessageKind, Slot
from playtest.center.schedule.services.bookings import answer
from playtest.center.schedule.services.messages import handed_out, mail_is_configured, request_invitations
from playtest.center.schedule.times import local, long_day, span, zone
from playtest.center.schedule.views.slots import refused
from playtest.people.access import StaffRequest, declares, requires
from playtest.people.models import Contact
from playtest.people.roles import Audience, Right
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.sessions.seats import hashed
from playtest.rules.spreadsheets import guarded

_LONGEST_TOKEN = 100


@require_POST
@requires(Right.RUN_SESSIONS)
def invite(request: StaffRequest, pk: int) -> HttpResponse:
    """Sends an invitation to everybody of a slot who has an address and none yet."""
    slot = get_object_or_404(Slot, pk=pk)
    if not mail_is_configured():
        message = "No mail server is set up. Download the invitations and send them yourself."
        return refused(request, Refusal("mail_not_configured", message), pk)
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
