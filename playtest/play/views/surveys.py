"""The survey of a study: its questions are a part of the protocol."""

from dataclasses import replace

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.play.services.studies import change_study
from playtest.play.survey_forms import (
    SurveyForm,
    forms_of,
    further,
    posted_forms,
    questions_of,
    with_more,
)
from playtest.rules.errors import RuleError


@require_http_methods(["GET", "POST"])
@requires(Right.MANAGE_STUDIES)
def survey(request: StaffRequest, pk: int) -> HttpResponse:
    """Shows and changes the questions; the buttons "one" and "papers" only add parts to the page."""
    study = get_object_or_404(Study, pk=pk)
    adds = request.method == "POST" and "add" in request.POST
    saves = request.method == "POST" and not adds
    form = SurveyForm(request.POST if request.method == "POST" else None, study)
    if adds:
        more = further() if request.POST["add"] == "papers" else (None,)
        parts = with_more(request.POST, more)
    else:
        parts = posted_forms(request.POST) if saves else forms_of(study.protocol.survey)
    if saves and form.is_valid() and parts.is_valid() and _saved(request, study, form, parts):
        return redirect("play:survey-edit", pk)
    study = Study.objects.get(pk=pk)
    context = {"study": study, "newest": study.newest_version, "form": form, "parts": parts, "saves": saves}
    return render(request, "play/studies/survey.html", context)


def _saved(request: StaffRequest, study: Study, form: SurveyForm, parts: object) -> bool:
    try:
        protocol = replace(study.protocol, survey=questions_of(parts))
        change_study(
            study,
            pool=list(study.pool.all()),
            protocol=protocol,
            staff=request.user,
            reason=form.cleaned_data.get("reason", ""),
            edition=form.cleaned_data["edition"],
        )
    except (Refusal, RuleError) as refusal:
        place = "reason" if refusal.code in ("reason_missing", "reason_too_long") else None
        form.add_error(place, forms.ValidationError(refusal.message, code=refusal.code))
        return False
    messages.success(request, "Saved. Sessions that check in from now on are asked these questions.")
    return True
