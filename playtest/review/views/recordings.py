"""The replay of a stored recording, and what a replay can be compared with."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.people.templatetags.staff import outcome
from playtest.play.models import Attempt
from playtest.review.players import player_names
from playtest.review.queries.comparisons import best_runs, others_of, runs_beside
from playtest.review.recording_document import recording_document, winning_document, winning_recording
from playtest.review.views.blind import hides_outcome
from playtest.review.views.json_api import environment_of_attempt, find_attempt, refusals_as_json
from playtest.rules.text import whole_number
from playtest.studio.models import Environment, Recording, SightingKind
from playtest.studio.queries.jobs import finding_in
from playtest.studio.shown import shows


@require_safe
@requires(Right.READ_BASELINES)
def stored_recording(request: StaffRequest, pk: int) -> HttpResponse:
    """The replay of a stored recording, without comments and comparisons: no session led to it."""
    recording = _stored(pk)
    run, finding = finding_in(recording) or (None, None)
    # What took its process down left no hashes behind.
    cut_short = bool(finding or recording.state_hashes) and len(recording.state_hashes) <= len(
        recording.actions
    )
    fails = recording.actions and (cut_short or (finding or {}).get("code") == "action_too_slow")
    context = {
        "recording": recording,
        "run": run,
        "finding": finding,
        "failing": recording.actions[-1] if fails else None,
    }
    return render(request, "review/recording.html", context)


def _recorded(request: StaffRequest, pk: int) -> QuerySet[Environment]:
    """The environment of a stored recording."""
    return Environment.objects.filter(versions__recordings=pk)


@require_safe
@requires(Right.READ_BASELINES)
@shows(SightingKind.RECORDING, _recorded)
@refusals_as_json
def journal(request: StaffRequest, pk: int) -> JsonResponse:
    """The recording, played again, for the replay."""
    return JsonResponse(recording_document(_stored(pk)))


def _stored(pk: int) -> Recording:
    return get_object_or_404(Recording.objects.select_related("version__environment"), pk=pk)


RECORDING = "recording"
"""The value of `?with=` for the stored winning recording; other values are numbers of attempts."""


@require_safe
@requires(Right.WATCH_REPLAYS)
def others(request: StaffRequest, pk: int) -> JsonResponse:
    """What a replay can be compared with: the winning recording, people's attempts, runs of agents.

    JSON `{others: [{with, label, journal, agent}], best: [{with, level, label}]}`; `with` is for addresses.
    Of the runs of agents these are the newest, and the one in `?with=`. People are there for readers who may
    watch attempts; how one ended is not told whose session waits for this reader's blind verdict. Fewest
    edits say nothing about a static task, which has no best runs.
    """
    attempt = find_attempt(request, pk)
    may_watch = request.user.may(Right.WATCH_ATTEMPTS)
    compared = list(others_of(attempt)) if may_watch else []
    if request.user.may(Right.READ_BOARDS):
        compared += runs_beside(attempt, whole_number(request.GET.get("with", "")))
    names = player_names(compared)
    hidden = {other.pk for other in compared if hides_outcome(request, other.session_id)}
    found = [_described(other, attempt, names[other.pk], other.pk in hidden) for other in compared]
    if winning_recording(attempt.version):
        found.insert(0, _recording(attempt))
    best = [
        {
            "with": str(run.attempt_id),
            "level": run.level,
            "label": f"{run.actions} actions, {run.participant}",
        }
        for run in (best_runs(attempt) if may_watch else ())
        if run.attempt_id != attempt.pk and run.attempt_id not in hidden
    ]
    return JsonResponse({"others": found, "best": best})


@require_safe
@requires(Right.WATCH_REPLAYS)
@shows(SightingKind.RECORDING, environment_of_attempt)
@refusals_as_json
def winning(request: StaffRequest, pk: int) -> JsonResponse:
    """The journal of the stored winning recording of this attempt's version."""
    return JsonResponse(winning_document(find_attempt(request, pk).version))


def _recording(attempt: Attempt) -> dict[str, Any]:
    address = reverse("review:winning", args=[attempt.pk])
    return {"with": RECORDING, "label": "stored winning recording", "journal": address, "agent": False}


def _described(other: Attempt, attempt: Attempt, name: str, hidden: bool) -> dict[str, Any]:
    """`hidden`: how it ended may not be told."""
    levels = f"{other.levels_completed} of {other.version.levels} {other.version.kind.terms.part}s"
    ended = "" if hidden else f": {outcome(other.outcome)}, {levels}"
    version = "" if other.version_id == attempt.version_id else ", another version"
    return {
        "with": str(other.pk),
        "label": f"{name}{ended}{version}",
        "journal": reverse("review:journal", args=[other.pk]),
        "agent": other.is_run,
    }
