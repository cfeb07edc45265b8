"""The replay of a stored recording: by a developer, an exploration or a finding."""

from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.review.recording_document import recording_document
from playtest.review.views.json_api import refusals_as_json
from playtest.studio.models import Environment, Recording, SightingKind
from playtest.studio.queries.jobs import finding_in
from playtest.studio.shown import shows


@require_safe
@requires(Right.READ_BASELINES)
def stored_recording(request: StaffRequest, pk: int) -> HttpResponse:
    """The replay of a stored recording, without comments and comparisons: no session led to it."""
    recording = _find(pk)
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
    return JsonResponse(recording_document(_find(pk)))


def _find(pk: int) -> Recording:
    return get_object_or_404(Recording.objects.select_related("version__environment"), pk=pk)
