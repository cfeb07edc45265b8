"""What a replay can be compared with, as JSON for the replay page."""

from typing import Any

from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.people.templatetags.staff import outcome
from playtest.play.models import Attempt
from playtest.review.queries.comparisons import best_runs, others_of
from playtest.review.recording_document import winning_document, winning_recording
from playtest.review.views.json_api import refusals_as_json

RECORDING = "recording"
"""The value of `?with=` for the stored winning recording; other values are numbers of attempts."""


@require_safe
@requires(Right.WATCH_ATTEMPTS)
def others(request: StaffRequest, pk: int) -> JsonResponse:
    """JSON `{others: [{with, label, journal}], best: [{with, level, label}]}`; `with` is for addresses."""
    attempt = get_object_or_404(
        Attempt.objects.select_related("version", "session__study", "session__protocol"), pk=pk
    )
    found = [_described(other, attempt) for other in others_of(attempt)]
    if winning_recording(attempt.version):
        found.insert(0, _recording(attempt))
    best = [
        {
            "with": str(run.attempt_id),
            "level": run.level,
            "label": f"{run.actions} actions, {run.participant}",
        }
        for run in best_runs(attempt)
        if run.attempt_id != attempt.pk
    ]
    return JsonResponse({"others": found, "best": best})


@require_safe
@requires(Right.WATCH_ATTEMPTS)
@refusals_as_json
def winning(request: StaffRequest, pk: int) -> JsonResponse:
    """The journal of the stored winning recording of this attempt's version."""
    attempt = get_object_or_404(Attempt.objects.select_related("version__environment"), pk=pk)
    return JsonResponse(winning_document(attempt.version))


def _recording(attempt: Attempt) -> dict[str, Any]:
    address = reverse("review:winning", args=[attempt.pk])
    return {"with": RECORDING, "label": "stored winning recording", "journal": address}


def _described(other: Attempt, attempt: Attempt) -> dict[str, Any]:
    levels = f"{other.levels_completed} of {other.version.levels} levels"
    version = "" if other.version_id == attempt.version_id else ", another version"
    return {
        "with": str(other.pk),
        "label": f"{other.participant.label}: {outcome(other.outcome)}, {levels}{version}",
        "journal": reverse("review:journal", args=[other.pk]),
    }
