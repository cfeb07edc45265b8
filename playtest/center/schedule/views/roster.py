"""Rosters: the form, the preview with bad lines, the import, and the report of bad lines."""

import csv

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from playtest.center.schedule.forms import RosterForm
from playtest.center.schedule.models import Slot
from playtest.center.schedule.roster import Plan, import_roster, plan
from playtest.center.schedule.roster_file import read_roster
from playtest.center.schedule.times import zone
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import refusal_in
from playtest.people.roles import Right
from playtest.play.models import Study
from playtest.rules.spreadsheets import guarded
from playtest.rules.text import whole_number


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.RUN_SESSIONS)
def roster(request: StaffRequest) -> HttpResponse:
    """The form, and what an import of its lines would do. Nothing is stored."""
    form = RosterForm(request.POST or None, request.FILES or None, initial=_initial(request))
    made: Plan | None = None
    if form.is_valid():
        values = form.cleaned_data
        with refusal_in(form):
            made = plan(read_roster(values["text"]), values["study"], _slot(form))
    return _page(request, form, made)


@require_POST
@requires(Right.RUN_SESSIONS)
def import_lines(request: StaffRequest) -> HttpResponse:
    """Imports the lines without a problem."""
    form = RosterForm(request.POST)
    if not form.is_valid():
        return _page(request, form, None)
    slot = _slot(form)
    made: Plan | None = None
    with refusal_in(form):
        made = import_roster(form.cleaned_data["text"], form.cleaned_data["study"], slot, request.user)
    if made is None:
        return _page(request, form, None)
    messages.success(request, f"{len(made.good)} booked. {len(made.problems)} lines were not imported.")
    if made.problems:
        return _page(request, form, made, imported=True)
    return redirect("center:slot", slot.pk) if slot else redirect("center:schedule")


@require_POST
@requires(Right.RUN_SESSIONS)
def report(request: StaffRequest) -> HttpResponse:
    """The lines that cannot be imported, as CSV: all, or of an import that has been made those left out."""
    form = RosterForm(request.POST)
    if not form.is_valid():
        return _page(request, form, None)
    made: Plan | None = None
    with refusal_in(form):
        made = plan(read_roster(form.cleaned_data["text"]), form.cleaned_data["study"], _slot(form))
    if made is None:
        return _page(request, form, None)
    left_out = request.POST.get("lines", "").split()
    problems = [one for one in made.problems if not left_out or str(one.number) in left_out]
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="roster-problems.csv"'
    rows = csv.writer(response)
    rows.writerow(["line", "code", "problem", "text"])
    for one in problems:
        rows.writerow([one.number, one.code, one.sentence, guarded(one.text)])
    return response


def _slot(form: RosterForm) -> Slot | None:
    """The slot for lines that name none: of the chosen study only."""
    values = form.cleaned_data
    return Slot.objects.filter(pk=values["slot"], study=values["study"]).first() if values["slot"] else None


def _initial(request: StaffRequest) -> dict[str, object]:
    number = whole_number(request.GET.get("slot", ""))
    slot = Slot.objects.filter(pk=number).first() if number is not None else None
    return {"slot": slot.pk, "study": slot.study_id} if slot else {}


def _page(
    request: StaffRequest, form: RosterForm, made: Plan | None, *, imported: bool = False
) -> HttpResponse:
    given = whole_number(str(form["slot"].value() or ""))
    context = {
        "form": form,
        "plan": made,
        "imported": imported,
        "text": form.cleaned_data.get("text", "") if form.is_bound and form.is_valid() else "",
        "left_out": " ".join(str(one.number) for one in made.problems) if made else "",
        "slot": Slot.objects.filter(pk=given).first() if given is not None else None,
        "studies": Study.objects.filter(open=True).exists(),
        "zone": zone().key,
    }
    return render(request, "center/schedule/roster.html", context)
