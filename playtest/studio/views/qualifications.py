"""A qualification: asked for, watched, cancelled, read."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from engine.qualify import FULL_STEPS
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.studio.models import Environment, Qualification
from playtest.studio.queries.runs import progress_of, report_of
from playtest.studio.services import qualifications as services
from playtest.studio.tasks.qualifications import do_part


class StepsForm(forms.Form):
    """How long a look: everything, or fewer random steps of each regime."""

    steps = forms.IntegerField(min_value=1, max_value=FULL_STEPS)


@require_POST
@requires(Right.RUN_QUALIFICATION)
def start(request: StaffRequest, code: str) -> HttpResponse:
    """Qualify the current version."""
    environment = get_object_or_404(Environment.objects.select_related("current"), code=code)
    form = StepsForm(request.POST)
    if environment.current is None or not form.is_valid():
        messages.error(
            request, f"Choose a number of steps from 1 to {FULL_STEPS:,} for a version. (steps_unknown)"
        )
        return redirect("studio:environment", code)
    made = services.request_qualification(
        environment.current, do_part.delay, steps=form.cleaned_data["steps"], by=request.user
    )
    return redirect("studio:qualification", code, made.pk)


@require_POST
@requires(Right.RUN_QUALIFICATION)
def repeat(request: StaffRequest, code: str, pk: int) -> HttpResponse:
    """The very same again: its version, seed and steps."""
    found = _find(code, pk)
    made = services.request_qualification(
        found.version, do_part.delay, seed=found.seed, steps=found.steps["most"], by=request.user
    )
    return redirect("studio:qualification", code, made.pk)


@require_safe
@requires(Right.READ_BASELINES)
def qualification(request: StaffRequest, code: str, pk: int) -> HttpResponse:
    """How far it is, and what it found."""
    found = _find(code, pk)
    context = {
        "run": found,
        "progress": progress_of(found),
        "report": report_of(found),
        "may_run": request.user.may(Right.RUN_QUALIFICATION),
    }
    return render(request, "studio/qualification.html", context)


@never_cache
@require_safe
@requires(Right.READ_BASELINES)
def progress(request: StaffRequest, code: str, pk: int) -> JsonResponse:
    """`unfinished`, `share` (0 to 1), `words`, `found`."""
    return JsonResponse(progress_of(_find(code, pk)))


@require_POST
@requires(Right.RUN_QUALIFICATION)
def cancel(request: StaffRequest, code: str, pk: int) -> HttpResponse:
    """Stop it; what its finished parts found is kept."""
    services.cancel(_find(code, pk).pk)
    return redirect("studio:qualification", code, pk)


def _find(code: str, pk: int) -> Qualification:
    found = Qualification.objects.select_related("version__environment", "requested_by")
    return get_object_or_404(found.defer("version__source"), pk=pk, version__environment__code=code)
