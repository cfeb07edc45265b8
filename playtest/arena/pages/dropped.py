"""The page on which staff drop a recording, and the replay and analysis of one."""

from typing import Any
from uuid import UUID

from django import forms
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.arena.scores import dropped as recordings
from playtest.people.access import StaffRequest, requires
from playtest.people.cookies import permit_upload
from playtest.people.refusals import refusal_in
from playtest.people.roles import Right
from playtest.rules.text import whole_number
from playtest.studio.models import Environment, SightingKind
from playtest.studio.shown import shows


class DropForm(forms.Form):
    """A recording to watch."""

    file = forms.FileField(
        label="Recording",
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"class": "drop"}),
        help_text="JSON lines of any dialect, of any version; frames without actions too.",
    )
    code = forms.CharField(
        label="Environment",
        required=False,
        max_length=20,
        help_text="Only if neither the file nor its name says it, such as ws72.",
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.READ_BOARDS)
def drop(request: StaffRequest) -> HttpResponse:
    """Takes a recording from elsewhere to watch it; lists those that the reader dropped."""
    form = DropForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        with refusal_in(form, "file"):
            file, code = form.cleaned_data["file"], form.cleaned_data["code"]
            return redirect("arena:dropped", recordings.drop(file, file.size, file.name, code, request.user))
    context = {
        "form": form,
        "found": list(recordings.all_dropped(request.user)),
        "days": recordings.DAYS,
        "most": recordings.LARGEST_MEGABYTES,
        "most_actions": recordings.MOST_ACTIONS,
    }
    page = render(request, "arena/drop.html", context, status=400 if form.errors else 200)
    permit_upload(page, recordings.LARGEST_MEGABYTES * 1024 * 1024)
    return page


@never_cache
@require_safe
@requires(Right.READ_BOARDS)
def dropped(request: StaffRequest, dropped_id: UUID) -> HttpResponse:
    """The replay of a dropped recording, and why it got no further; `?play=` of several plays."""
    found, number = _find(request, dropped_id)
    play = found["plays"][number - 1]
    context = {
        "found": found,
        "play": play,
        "number": number,
        "numbers": range(1, len(found["plays"]) + 1),
        "analysis": recordings.analysed(play),
        "days": recordings.DAYS,
    }
    return render(request, "arena/dropped.html", context)


def _shown(request: StaffRequest, dropped_id: UUID) -> QuerySet[Environment]:
    found, number = _find(request, dropped_id)
    version = found["plays"][number - 1]["version"]
    return Environment.objects.filter(versions__in=[version] if version else [])


@never_cache
@require_safe
@requires(Right.READ_BOARDS)
@shows(SightingKind.RECORDING, _shown)
def dropped_journal(request: StaffRequest, dropped_id: UUID) -> JsonResponse:
    """The journal of a dropped recording, for the replay."""
    found, number = _find(request, dropped_id)
    return JsonResponse(found["plays"][number - 1]["document"])


@require_POST
@requires(Right.READ_BOARDS)
def dropped_remove(request: StaffRequest, dropped_id: UUID) -> HttpResponse:
    """Erases a dropped recording."""
    recordings.remove(request.user, dropped_id)
    return redirect("arena:drop")


def _find(request: StaffRequest, dropped_id: UUID) -> tuple[dict[str, Any], int]:
    """What this person dropped, and the number of the play; 404 for what is erased or another's."""
    found = recordings.dropped(request.user, dropped_id)
    number = whole_number(request.GET.get("play", "1")) or 0
    if found is None or not 1 <= number <= len(found["plays"]):
        raise Http404("It is erased, or somebody else dropped it: drop it again.")
    return found, number
