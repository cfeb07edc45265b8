"""What staff do with one person of a slot, people who walk in, and rosters that bring many."""

from dataclasses import dataclass, replace

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from playtest.center import form_tokens
from playtest.center.interventions.views import shown_code
from playtest.center.schedule.bookings import answer, cancel_booking, mark_no_show, move_booking, wait
from playtest.center.schedule.codes import EARLIEST, PLAYS, before_its_time, give_code, walk_in
from playtest.center.schedule.forms import MOST_ROSTER_BYTES, PersonForm, RosterForm, order_of
from playtest.center.schedule.messages import center, handed_out, place_of, request_invitations, text_of
from playtest.center.schedule.models import PRESENT, Booking, BookingState, Message, MessageKind, Slot
from playtest.center.schedule.roster import Plan, import_roster, plan, remembered
from playtest.center.schedule.roster_file import COLUMNS, EXAMPLE, Table, read_lines, read_table
from playtest.center.schedule.times import local, long_day, span, zone
from playtest.center.schedule.views.slots import slot_page
from playtest.people.access import StaffRequest, declares, requires
from playtest.people.cookies import permit_upload
from playtest.people.downloads import csv_attachment
from playtest.people.models import Contact
from playtest.people.participants import Directory
from playtest.people.refusals import refusal_in, refusal_told, tell_refusal
from playtest.people.roles import Audience, Right
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.play.sessions.seats import hashed
from playtest.rules.text import whole_number


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


@require_POST
@requires(Right.RUN_SESSIONS)
def add_waiting(request: StaffRequest, pk: int) -> HttpResponse:
    """Puts a person on the waiting list of a slot."""
    if form_tokens.earlier_result(request):
        return redirect("center:slot", pk)
    slot = get_object_or_404(Slot.objects.select_related("study"), pk=pk)
    form = PersonForm(request.POST)
    if form.is_valid():
        with refusal_in(form, "name"):
            with transaction.atomic():
                booking = wait(slot, form.participant(), request.user, form.cleaned_data["language"])
            form_tokens.store_result(request, booking.pk)
            messages.success(request, f"{booking.participant} is on the waiting list.")
            return redirect("center:slot", pk)
    return slot_page(request, slot, form)


@require_POST
@requires(Right.RUN_SESSIONS)
def code(request: StaffRequest, pk: int) -> HttpResponse:
    """A new code for one person, also for a no-show who comes after all; asks if they play."""
    if made := form_tokens.earlier_result(request):
        return redirect("center:session", made)
    booking = get_object_or_404(Booking, pk=pk)
    try:
        asked = {name: name in request.POST for name in ("interrupt", "early")}
        new_code = give_code(booking, request.user, **asked)
    except Refusal as refusal:
        if refusal.code == PLAYS:
            context = {
                "refusal": refusal,
                "booking": booking,
                "form_token": request.POST.get("form_token", ""),
            }
            return render(request, "center/schedule/ask-code.html", context, status=refusal.status)
        tell_refusal(request, refusal)
        return redirect("center:slot", booking.slot_id)
    return _code_page(request, booking, new_code)


@require_POST
@requires(Right.RUN_SESSIONS)
def no_show(request: StaffRequest, pk: int) -> HttpResponse:
    """Marks one person who did not come."""
    booking = get_object_or_404(Booking, pk=pk)
    with refusal_told(request, "Marked as not having come. A new code brings them back."):
        mark_no_show(booking, request.user)
    return redirect("center:slot", booking.slot_id)


@require_POST
@requires(Right.RUN_SESSIONS)
def cancel(request: StaffRequest, pk: int) -> HttpResponse:
    """Cancels the booking of one person."""
    booking = get_object_or_404(Booking, pk=pk)
    with refusal_told(request, "The booking is cancelled, and its seat is free."):
        cancel_booking(booking, request.user)
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
    session = Session.objects.select_related("participant", "booking__slot").get(booking=booking.pk)
    form_tokens.store_result(request, session.pk)
    slot = session.booking.slot
    context = {
        "session": session,
        "slot": slot,
        "not_yet": before_its_time(slot) and session.code_expires_at == slot.ends_at,
        "valid_from": slot.starts_at - EARLIEST,
        "form_token": form_tokens.new_token(),
        **shown_code(new_code),
    }
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


@require_POST
@requires(Right.RUN_SESSIONS)
def download(request: StaffRequest, pk: int) -> HttpResponse:
    """The invitations of a slot as CSV for a mail merge, each with a personal link."""
    slot = get_object_or_404(Slot, pk=pk)
    columns = ("reference", "pseudonym", "email", "date", "time", "place", "link", "subject", "text")
    rows = []
    for booking, link in handed_out(slot.bookings.filter(state__in=PRESENT), request.user):
        text, person = text_of(booking, MessageKind.INVITATION, link), booking.participant
        contact = Contact.objects.filter(participant=person).first()
        when = f"{local(slot.starts_at):%Y-%m-%d}", span(slot.starts_at, slot.ends_at)
        cells = [person.reference, person.label, contact.email if contact else "", *when]
        rows.append([*cells, place_of(booking), link, text.subject, text.body])
    return csv_attachment(f"invitations-slot-{pk}.csv", columns, rows)


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
        "center": center(),
    }
    response = render(
        request, "center/schedule/invitation.html", context, status=refusal.status if refusal else 200
    )
    response["X-Robots-Tag"] = "noindex"
    return response


def _invited(token: str) -> Booking:
    message = (
        Message.objects.filter(token_hash=hashed(token)).first() if len(token) <= _LONGEST_TOKEN else None
    )
    if message is None:
        raise Http404("This link is not valid.")
    return Booking.objects.select_related("slot__study", "participant").get(pk=message.booking_id)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.RUN_SESSIONS)
def roster(request: StaffRequest) -> HttpResponse:
    """The form, and what an import of its lines would do. Nothing is stored."""
    if "example" in request.GET:
        return csv_attachment("roster-example.csv", tuple(EXAMPLE), [list(EXAMPLE.values())])
    form = RosterForm(request.POST or None, request.FILES or None, initial=_initial(request))
    page = _page(request, form, _checked(form) if form.is_valid() else None)
    permit_upload(page, MOST_ROSTER_BYTES)
    return page


@require_POST
@requires(Right.RUN_SESSIONS)
def import_lines(request: StaffRequest) -> HttpResponse:
    """Imports the lines without a problem."""
    form = RosterForm(request.POST)
    if not form.is_valid():
        return _page(request, form, None)
    slot, checked = _slot(form), _Checked()
    with refusal_in(form):
        values = form.cleaned_data
        checked.plan = import_roster(values["text"], values["study"], slot, request.user, form.reading())
    if checked.plan is None:
        again = RosterForm(request.POST)
        return _page(request, form, _checked(again) if again.is_valid() else None)
    made = checked.plan
    left = len(made.problems)
    left_out = f"{left} line{' was' if left == 1 else 's were'} not imported."
    messages.success(request, f"{len(made.good)} booked. {left_out}")
    if made.problems:
        return _page(request, form, checked, imported=True)
    return redirect("center:slot", slot.pk) if slot else redirect("center:schedule")


@require_POST
@requires(Right.RUN_SESSIONS)
def report(request: StaffRequest) -> HttpResponse:
    """The lines that cannot be imported, as CSV: all, or of an import that has been made those left out."""
    form = RosterForm(request.POST)
    checked = _checked(form) if form.is_valid() else None
    if checked is None or checked.plan is None:
        return _page(request, form, checked)
    left_out = request.POST.get("lines", "").split()
    problems = [one for one in checked.plan.problems if not left_out or str(one.number) in left_out]
    rows = ((one.number, one.code, one.sentence, one.text) for one in problems)
    return csv_attachment("roster-problems.csv", ("line", "code", "problem", "text"), rows)


@dataclass
class _Checked:
    """A roster as it is read, and the plan of its import; None of what was refused."""

    table: Table | None = None
    plan: Plan | None = None
    order: str = ""


def _checked(form: RosterForm) -> _Checked:
    """Reads and plans as staff chose, else as the last file with these headings; refusals go to the form."""
    values, chosen, found = form.cleaned_data, form.reading(), _Checked()
    with refusal_in(form):
        table = read_table(values["text"], chosen.columns)
        if chosen.columns is None:
            before = remembered(table)
            table = read_table(values["text"], before.columns)
            order = chosen.day_first if chosen.day_first is not None else before.day_first
            chosen = replace(chosen, day_first=order)
        found.table, found.order = table, order_of(chosen)
        read = read_lines(table, day_first=chosen.day_first)
        found.plan = plan(read, values["study"], _slot(form), chosen.answers)
    return found


def _slot(form: RosterForm) -> Slot | None:
    """The slot for lines that name none: of the chosen study only."""
    values = form.cleaned_data
    return Slot.objects.filter(pk=values["slot"], study=values["study"]).first() if values["slot"] else None


def _initial(request: StaffRequest) -> dict[str, object]:
    number = whole_number(request.GET.get("slot", ""))
    slot = Slot.objects.filter(pk=number).first() if number is not None else None
    return {"slot": slot.pk, "study": slot.study_id} if slot else {}


def _page(
    request: StaffRequest, form: RosterForm, checked: _Checked | None, *, imported: bool = False
) -> HttpResponse:
    given = whole_number(str(form["slot"].value() or ""))
    made, table = (checked.plan, checked.table) if checked else (None, None)
    context = {
        "form": form,
        "plan": made,
        "table": table,
        "order": checked.order if checked else "",
        "answers": form.reading().answers if checked else {},
        "columns": COLUMNS,
        "imported": imported,
        "packed": form.packed_text() if checked else "",
        "left_out": " ".join(str(one.number) for one in made.problems) if made else "",
        "slot": Slot.objects.filter(pk=given).first() if given is not None else None,
        "studies": Study.objects.filter(open=True).exists(),
        "shared": [] if checked else Directory().shared(),
        "zone": zone().key,
    }
    return render(request, "center/schedule/roster.html", context)
