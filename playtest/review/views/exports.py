"""Pictures, films and their list."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.handlers.asgi import ASGIRequest
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.review.attempt_film import FilmOptions
from playtest.review.models import Export, ExportKind
from playtest.review.queries import exports as queries
from playtest.review.queries.attempts import attempts
from playtest.review.services.export_files import FILM_KINDS, extension, folder
from playtest.review.services.exports import cancel as cancel_export
from playtest.review.services.exports import request_film
from playtest.review.video.clock import SPEEDS, Clock, Pace
from playtest.review.video.pictures import LARGEST_SCALE, png

SENT_AT_ONCE = 2**20
_ROWS_A_PAGE = 50
_LONGEST_IDLE = 600


class FilmForm(forms.Form):
    """How the film is to be made."""

    kind = forms.ChoiceField(
        label="File",
        choices=[(kind.value, kind.label) for kind in FILM_KINDS],
        initial=ExportKind.MP4,
    )
    clock = forms.ChoiceField(
        label="Clock",
        choices=[(Clock.TIME.value, "real time"), (Clock.ACTION.value, "per action")],
        initial=Clock.TIME,
    )
    speed = forms.TypedChoiceField(
        label="Speed", coerce=float, choices=[(f"{speed:g}", f"{speed:g}x") for speed in SPEEDS], initial="1"
    )
    idle = forms.FloatField(
        label="Skip idle time over so many seconds",
        required=False,
        min_value=1,
        max_value=_LONGEST_IDLE,
        help_text="By real time. Half a second is left at either end. Empty: time as it passed.",
    )
    first = forms.IntegerField(
        label="From action", required=False, min_value=0, help_text="Empty: from the first frame."
    )
    last = forms.IntegerField(
        label="To action", required=False, min_value=0, help_text="Empty: to the last one."
    )
    scale = forms.IntegerField(label="Pixels a cell", initial=8, min_value=2, max_value=16)
    captions = forms.BooleanField(label="Write level and action below the board", required=False)

    def options(self) -> FilmOptions:
        given = self.cleaned_data
        pace = Pace(Clock(given["clock"]), given["speed"], given["idle"])
        return FilmOptions(given["scale"], given["captions"], pace, given["first"], given["last"])


class PictureForm(forms.Form):
    """Which frame, and how large."""

    action = forms.IntegerField(label="After action", initial=0, min_value=0)
    frame = forms.IntegerField(
        label="Frame",
        required=False,
        min_value=1,
        help_text="Of the action's animation, from 1. Empty: the last one.",
    )
    scale = forms.IntegerField(label="Pixels a cell", initial=8, min_value=1, max_value=LARGEST_SCALE)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.WATCH_ATTEMPTS)
def attempt_exports(request: StaffRequest, pk: int) -> HttpResponse:
    """What can be taken from one attempt; a film is asked for here."""
    attempt = _attempt(pk)
    form = FilmForm(request.POST if request.method == "POST" else None, initial=_film_as_watched(request))
    if request.method == "POST" and form.is_valid():
        try:
            request_film(attempt, ExportKind(form.cleaned_data["kind"]), form.options(), request.user)
            return redirect("review:exports")
        except Refusal as refusal:
            form.add_error(None, forms.ValidationError(refusal.message, code=refusal.code))
    picture = PictureForm({"scale": 8} | request.GET.dict() if "action" in request.GET else None)
    context = {
        "attempt": attempt,
        "form": form,
        "watched": _film_as_watched(request),
        "picture": picture,
        "moment": _moment(attempt, picture),
    }
    return render(request, "review/exports-attempt.html", context)


@require_safe
@requires(Right.WATCH_ATTEMPTS)
def picture(request: StaffRequest, pk: int) -> HttpResponse:
    """One frame as a PNG: `action`, `frame` (from 1; the last by default), `scale` (8)."""
    attempt = _attempt(pk)
    form = PictureForm({"scale": 8} | request.GET.dict())
    if not form.is_valid():
        raise Http404("moment_unknown: the address names no moment of this attempt")
    given = form.cleaned_data
    try:
        frame = queries.frame(attempt, given["action"], given["frame"])
    except Refusal as refusal:
        raise Http404(f"{refusal.code}: {refusal.message}") from refusal
    if frame is None:
        raise Http404("moment_unknown: this attempt has no such frame")
    response = HttpResponse(png(frame, given["scale"]), content_type="image/png")
    name = f"{attempt.environment.code}-attempt-{attempt.pk}-action-{given['action']}.png"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


@require_safe
@never_cache
@requires(Right.WATCH_ATTEMPTS)
def exports(request: StaffRequest) -> HttpResponse:
    """Every export this person may have, newest first, with how far it is."""
    page = Paginator(queries.visible(request.user), _ROWS_A_PAGE).get_page(request.GET.get("page"))
    running = any(export.status in UNFINISHED for export in page)
    return render(request, "review/exports.html", {"page": page, "running": running})


@require_safe
@never_cache
@requires(Right.WATCH_ATTEMPTS)
def download(request: StaffRequest, pk: int) -> HttpResponseBase:
    """The file of a finished export."""
    export = _export(request, pk)
    path = folder() / export.file
    if export.status != JobStatus.DONE or not path.is_file():
        raise Http404("export_missing: there is no file, or not yet")
    if isinstance(request, ASGIRequest):
        response: StreamingHttpResponse = StreamingHttpResponse(pieces_of(path))
        response["Content-Length"] = path.stat().st_size
    else:
        response = FileResponse(path.open("rb"))
    response["Content-Disposition"] = content_disposition_header(True, _name(export, path))
    return response


@require_POST
@requires(Right.WATCH_ATTEMPTS)
def cancel(request: StaffRequest, pk: int) -> HttpResponse:
    """Stop an export that is not wanted any more."""
    try:
        cancel_export(_export(request, pk))
    except Refusal as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    return redirect("review:exports")


async def pieces_of(path: Path) -> AsyncIterator[bytes]:
    """A file a megabyte at a time: an asynchronous server would take a `FileResponse` into memory whole."""
    with path.open("rb") as file:
        while piece := await asyncio.to_thread(file.read, SENT_AT_ONCE):
            yield piece


def _film_as_watched(request: StaffRequest) -> dict[str, str]:
    """The clock, the speed and the idle time of the player, from the address its link led to."""
    return {name: request.GET[name] for name in ("clock", "speed", "idle") if name in request.GET}


def _moment(attempt: Attempt, form: PictureForm) -> dict[str, int | None] | None:
    """The moment a form names; where there is none, the form says so."""
    if not form.is_valid():
        return None
    given = form.cleaned_data
    if queries.has_frame(attempt, given["action"], given["frame"]):
        return given
    form.add_error("action", forms.ValidationError("There is no such frame.", code="moment_unknown"))
    return None


def _attempt(pk: int) -> Attempt:
    return get_object_or_404(attempts(), pk=pk)


def _export(request: StaffRequest, pk: int) -> Export:
    """The export; 403 for study data, and again for data that names people, without the right to take it."""
    export = get_object_or_404(Export.objects.select_related("attempt__environment", "study"), pk=pk)
    if missing := queries.missing_right(request.user, export):
        raise PermissionDenied(f"Your role does not include: {missing.label}.")
    return export


def _name(export: Export, path: Path) -> str:
    """What the file is called where it is saved."""
    subject: Any = export.study and f"study-{export.study.pk}"
    if export.attempt is not None:
        subject = f"{export.attempt.environment.code}-attempt-{export.attempt.pk}"
    return f"{subject}.{extension(export)}"
