"""Random play of a level: form, progress and results; and the request for all missing evidence."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import refusal_told
from playtest.people.roles import Right
from playtest.rules.protocol import DEFAULT
from playtest.studio.models import Environment, Version
from playtest.studio.queries import batches, evidence
from playtest.studio.queries.evidence import Plan
from playtest.studio.services import random_plays
from playtest.studio.services import random_plays as services
from playtest.studio.shown import of_programs
from playtest.studio.tasks import do_batch, do_exploration


class TriesForm(forms.Form):
    """The number of additional tries."""

    tries = forms.IntegerField(min_value=1, max_value=services.MOST_TRIES)


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
def random_play(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """The results of random play of a level of the current version, and each batch of tries."""
    version = _find(code, number)
    known = evidence.verdict(version, number)
    context = {
        "version": version,
        "code": code,
        "known": known,
        "budget_factor": DEFAULT.random_player.budget_factor,
        "progress": batches.progress_of(version, number),
        "sequences": batches.sequences(version, number),
        "more": evidence.tries_to_request(version, known),
        "may_start": request.user.may(Right.RUN_QUALIFICATION),
    }
    return render(request, "studio/random-play.html", context)


@never_cache
@require_safe
@requires(Right.READ_BASELINES)
@of_programs
def progress(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """As `queries.batches.progress_of` says, as JSON."""
    return JsonResponse(batches.progress_of(_find(code, number), number))


@require_POST
@requires(Right.RUN_QUALIFICATION)
@of_programs
def start(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """Requests more tries."""
    form = TriesForm(request.POST)
    if form.is_valid():
        queue, tries_asked = Queue(do_batch), form.cleaned_data["tries"]
        with refusal_told(request):
            services.request_tries(_find(code, number), number, queue, tries=tries_asked, by=request.user)
            warn_if_unreachable(request, queue)
    else:
        messages.error(request, f"Enter 1 to {services.MOST_TRIES:,} tries. (bad_tries)")
    return redirect("studio:random-play", code, number)


@require_POST
@requires(Right.RUN_QUALIFICATION)
@of_programs
def cancel(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """Cancels unfinished batches; finished ones count."""
    services.cancel(batches.of_level(_find(code, number), number))
    return redirect("studio:random-play", code, number)


@require_POST
@requires(Right.RUN_QUALIFICATION)
@of_programs
def gather(request: StaffRequest, code: str) -> HttpResponse:
    """Requests the evidence that the gate lacks."""
    environment = get_object_or_404(Environment.objects.select_related("current"), code=code)
    if environment.current is None:
        raise Http404
    queues = Queue(do_exploration), Queue(do_batch)
    made = random_plays.gather(environment.current, *queues, by=request.user)
    warn_if_unreachable(request, *queues)
    if made:
        messages.success(request, f"Requested: {_listed(made)}.")
    else:
        messages.info(request, "Nothing can be started. The table says what each level lacks.")
    return redirect("studio:environment", code)


def _listed(made: Plan) -> str:
    asked: list[Any] = []
    if made.graphs:
        asked.append(f"explorations of {len(made.graphs)} level{'s' * (len(made.graphs) > 1)}")
    if made.tries:
        asked.append(f"{made.total:,} random tries")
    return " and ".join(asked)


def _find(code: str, level: int) -> Version:
    """The environment's current version; 404 without one, and for a level that it does not have."""
    environment = get_object_or_404(Environment.objects.select_related("current__environment"), code=code)
    version = environment.current
    if version is None or not 1 <= level <= version.levels:
        raise Http404
    return version
