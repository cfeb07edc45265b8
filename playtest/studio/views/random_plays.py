"""Random play of a level: form, progress and results; and the request for all missing evidence."""

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playtest.jobs.models import UNFINISHED
from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import refusal_told
from playtest.people.roles import Right
from playtest.rules.protocol import DEFAULT
from playtest.studio.models import Environment, RandomPlay, Version
from playtest.studio.queries import evidence
from playtest.studio.queries.evidence import Plan
from playtest.studio.queries.jobs import progress_of
from playtest.studio.services import random_plays
from playtest.studio.services import random_plays as services
from playtest.studio.shown import of_programs
from playtest.studio.tasks import do_exploration, do_play
from playtest.studio.views import jobs

_MOST_SHOWN = 50


@require_safe
@requires(Right.READ_BASELINES)
@of_programs
def random_play(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """The results of all random play of a level of the current version."""
    version = _find(code, number)
    known = evidence.verdict(version, number)
    stored = _of_level(version, number).select_related("requested_by", "version").defer("version__source")
    rows = list(stored.order_by("-pk")[:_MOST_SHOWN])
    context = {
        "version": version,
        "code": code,
        "known": known,
        "fact": jobs.fact_of_level(version, known),
        "budget_factor": DEFAULT.random_player.budget_factor,
        "progress": _progress(version, number),
        "plays": [(row, evidence.split_of(row.report)) for row in rows],
        "needed": evidence.needs_play(version, known),
        "may_start": request.user.may(Right.RUN_QUALIFICATION),
    }
    return render(request, "studio/random-play.html", context)


@require_POST
@requires(Right.RUN_QUALIFICATION)
@of_programs
def start(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """Requests random play."""
    queue = Queue(do_play)
    with refusal_told(request):
        services.request_play(_find(code, number), number, queue, by=request.user)
        warn_if_unreachable(request, queue)
    return redirect("studio:random-play", code, number)


@require_POST
@requires(Right.RUN_QUALIFICATION)
@of_programs
def cancel(request: StaffRequest, code: str, number: int) -> HttpResponse:
    """Cancels what is unfinished; what is done counts."""
    services.cancel(_of_level(_find(code, number), number))
    return redirect("studio:random-play", code, number)


@require_POST
@requires(Right.RUN_QUALIFICATION)
@of_programs
def gather(request: StaffRequest, code: str) -> HttpResponse:
    """Requests the evidence that the gate lacks."""
    environment = get_object_or_404(Environment.objects.select_related("current"), code=code)
    if environment.current is None:
        raise Http404
    queues = Queue(do_exploration), Queue(do_play)
    made = random_plays.gather(environment.current, *queues, by=request.user)
    warn_if_unreachable(request, *queues)
    if made:
        messages.success(request, f"Requested: {_listed(made)}.")
    else:
        messages.info(request, "Nothing can be started. The table says what each level lacks.")
    return redirect("studio:environment", code)


def _listed(made: Plan) -> str:
    asked = [
        f"{what} of {len(levels)} level{'s' * (len(levels) > 1)}"
        for what, levels in (("explorations", made.graphs), ("random play", made.plays))
        if levels
    ]
    return " and ".join(asked)


def _of_level(version: Version, level: int) -> QuerySet[RandomPlay]:
    return RandomPlay.objects.filter(version=version, level=level)


def _progress(version: Version, level: int) -> dict[str, Any]:
    job = _of_level(version, level).filter(status__in=UNFINISHED).order_by("-status", "pk").first()
    if job is None:
        return {"unfinished": False, "share": None, "text": "It is done"}
    return progress_of(job)


def _find(code: str, level: int) -> Version:
    """The environment's current version; 404 without one, and for a level that it does not have."""
    environment = get_object_or_404(Environment.objects.select_related("current__environment"), code=code)
    version = environment.current
    if version is None or not 1 <= level <= version.levels:
        raise Http404
    return version
