"""Explorations: the form, the progress, the report and the drawing of the state graph."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from engine.prove.exploration.graph import Limits
from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import tell_refusal
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.studio.models import Environment, Exploration, RecordingKind, SightingKind
from playtest.studio.queries import evidence
from playtest.studio.queries.fewest import proves_the_shortest_win
from playtest.studio.queries.jobs import progress_of
from playtest.studio.services import explorations as services
from playtest.studio.shown import environment_of_address, of_programs, shows
from playtest.studio.tasks import do_exploration
from playtest.studio.views import jobs

_EVERY_LEVEL = 0
_MOST = 10_000_000


_find = jobs.of_environment(Exploration)


class LimitsForm(forms.Form):
    """The level, 0 for each past the first, and the limits of the exploration."""

    level = forms.IntegerField(min_value=_EVERY_LEVEL, max_value=255)
    nodes = forms.IntegerField(min_value=1, max_value=_MOST)
    seconds = forms.IntegerField(min_value=1, max_value=services.MOST_SECONDS)

    def limits(self) -> Limits:
        """The limits: on average ten actions are tried in each state."""
        nodes, seconds = self.cleaned_data["nodes"], self.cleaned_data["seconds"]
        return Limits(nodes=nodes, edges=10 * nodes, steps=100 * nodes, seconds=float(seconds))


@require_POST
@requires(Right.RUN_QUALIFICATION)
@of_programs
def start(request: StaffRequest, code: str) -> HttpResponse:
    """Explores one level of the current version, or each past the first."""
    environment = get_object_or_404(Environment.objects.select_related("current"), code=code)
    form = LimitsForm(request.POST)
    if environment.current is None or not form.is_valid():
        messages.error(request, "Choose a level of a version, and limits above 0. (bad_limits)")
        return redirect("studio:environment", code)
    chosen = form.cleaned_data["level"]
    levels = [chosen] if chosen else range(2, environment.current.levels + 1)
    queue = Queue(do_exploration)
    try:
        made = [
            services.request_exploration(
                environment.current, level, queue, limits=form.limits(), by=request.user
            )
            for level in levels
        ]
    except RuleError as refusal:
        tell_refusal(request, refusal)
        return redirect("studio:environment", code)
    warn_if_unreachable(request, queue)
    if len(made) == 1:
        return redirect("studio:exploration", code, made[0].pk)
    messages.success(request, f"{len(made)} levels will be explored.")
    return redirect("studio:environment", code)


@require_safe
@requires(Right.READ_BASELINES)
def exploration(request: StaffRequest, code: str, pk: int) -> HttpResponse:
    """The progress of an exploration; once it is done, its report and the drawing of its graph."""
    found = _find(code, pk)
    optimal = found.version.recordings.filter(kind=RecordingKind.OPTIMAL, level=found.level)
    context = {
        "job": found,
        "progress": progress_of(found),
        "proven": proves_the_shortest_win(found.report),
        "drawn": len(found.graph.get("nodes", ())),
        "among": _among(found.report),
        "fact": jobs.fact_of_level(found.version, evidence.verdict(found.version, found.level)),
        "optimal": optimal.only("pk", "actions").first(),
        "may_start": request.user.may(Right.RUN_QUALIFICATION),
    }
    return render(request, "studio/exploration.html", context)


def _among(report: dict[str, Any]) -> str:
    """The states that the figures of an incomplete exploration are about."""
    if report.get("fully_explored", True):
        return ""
    return f" among the {report['nodes']:,} states seen"


@require_safe
@requires(Right.READ_BASELINES)
@shows(SightingKind.FRAMES, environment_of_address)
def graph(request: StaffRequest, code: str, pk: int) -> JsonResponse:
    """Nodes and edges as `engine.prove.exploration.report.drawing` returns them."""
    return JsonResponse(_find(code, pk).graph)


cancel = jobs.cancel(_find, Right.RUN_QUALIFICATION, services.cancel, "studio:exploration")
