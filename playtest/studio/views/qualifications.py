"""Qualifications: the form, the progress and the report."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from engine.prove.qualification.plan import FULL_STEPS
from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.pipeline import Fact, Need
from playtest.studio.models import Environment, Qualification
from playtest.studio.queries.jobs import progress_of, report_of
from playtest.studio.queries.waivers import fact_of
from playtest.studio.services import qualifications as services
from playtest.studio.shown import of_programs
from playtest.studio.tasks import do_part
from playtest.studio.views import jobs

_find = jobs.of_environment(Qualification)


class StepsForm(forms.Form):
    """How many random steps each kind of random play may have."""

    steps = forms.IntegerField(min_value=1, max_value=FULL_STEPS)


@require_POST
@requires(Right.RUN_QUALIFICATION)
@of_programs
def start(request: StaffRequest, code: str) -> HttpResponse:
    """Qualifies the current version."""
    environment = get_object_or_404(Environment.objects.select_related("current"), code=code)
    form = StepsForm(request.POST)
    if environment.current is None or not form.is_valid():
        messages.error(
            request, f"Choose a number of steps from 1 to {FULL_STEPS:,} for a version. (steps_unknown)"
        )
        return redirect("studio:environment", code)
    queue = Queue(do_part)
    made = services.request_qualification(
        environment.current, queue, steps=form.cleaned_data["steps"], by=request.user
    )
    warn_if_unreachable(request, queue)
    return redirect("studio:qualification", code, made.pk)


@require_POST
@requires(Right.RUN_QUALIFICATION)
def repeat(request: StaffRequest, code: str, pk: int) -> HttpResponse:
    """Repeats a qualification with its version, seed and steps."""
    found = _find(code, pk)
    queue = Queue(do_part)
    made = services.request_qualification(
        found.version, queue, seed=found.seed, steps=found.steps, by=request.user
    )
    warn_if_unreachable(request, queue)
    return redirect("studio:qualification", code, made.pk)


@require_safe
@requires(Right.READ_BASELINES)
def qualification(request: StaffRequest, code: str, pk: int) -> HttpResponse:
    """The progress of a qualification, and what it found."""
    found = _find(code, pk)
    fact = Fact(bool(found.passed), "This qualification did not pass.")
    context = {
        "fact": fact_of(found.version.environment, Need.QUALIFIED, fact, found.version_id),
        "job": found,
        "progress": progress_of(found),
        "report": report_of(found),
        "may_start": request.user.may(Right.RUN_QUALIFICATION),
    }
    return render(request, "studio/qualification.html", context)


cancel = jobs.cancel(_find, Right.RUN_QUALIFICATION, services.cancel, "studio:qualification")
