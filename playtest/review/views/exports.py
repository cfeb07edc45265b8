"""Pictures and films of an attempt, and the list of exports."""

import asyncio
from collections.abc import AsyncIterator
from typing import IO, Any

from django import forms
from django.core.handlers.asgi import ASGIRequest
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import RightMissing, StaffRequest, requires
from playtest.people.refusals import refusal_in, refusal_told
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Attempt
from playtest.review.attempt_film import FilmOptions
from playtest.review.models import Export, ExportKind
from playtest.review.players import name_in_files
from playtest.review.queries import exports as queries
from playtest.review.services.export_files import FILM_KINDS, extension, folder
from playtest.review.services.exports import cancel as cancel_export
from playtest.review.services.exports import request_film
from playtest.review.tasks.exports import make_export
from playtest.review.video.clock import SPEEDS, Clock, Pace
from playtest.review.video.pictures import LARGEST_SCALE, png
from playtest.review.views.json_api import environment_of_attempt, find_attempt
from playtest.studio.models import Environment, SightingKind
from playtest.studio.shown import shows

BYTES_AT_ONCE = 2**20
_ROWS_A_PAGE = 50
_LONGEST_IDLE = 600
_A_DAY = 24 * 60 * 60
"""A recorded frame never changes; who saw an environment is recorded by the day."""


class FilmForm(forms.Form):
    """The settings of a film."""

    kind = forms.ChoiceField(
        label="File", choices=[(kind.value, kind.label) for kind in FILM_KINDS], initial=ExportKind.MP4
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
        label="Skip idle time longer than (seconds)",
        required=False,
        min_value=1,
        max_value=_LONGEST_IDLE,
        help_text="Only with the clock “real time”; half a second stays at either end.",
    )
    scale = forms.IntegerField(label="Pixels a cell", initial=8, min_value=2, max_value=16)
    captions = forms.BooleanField(label="Show level and action below the board", required=False)

    def options(self) -> FilmOptions:
        given = self.cleaned_data
        pace = Pace(Clock(given["clock"]), given["speed"], given["idle"])
        return FilmOptions(given["scale"], given["captions"], pace)


class PictureForm(forms.Form):
    """The frame of a picture, and its size."""

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
    """The exports of one attempt; POST requests a film."""
    attempt = find_attempt(request, pk)
    form = FilmForm(request.POST if request.method == "POST" else None, initial=_film_as_watched(request))
    if request.method == "POST" and form.is_valid():
        with refusal_in(form):
            kind, queue = ExportKind(form.cleaned_data["kind"]), Queue(make_export)
            request_film(attempt, kind, form.options(), request.user, queue)
            warn_if_unreachable(request, queue)
            return redirect("review:exports")
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
@requires(Right.WATCH_REPLAYS)
@shows(SightingKind.FRAMES, environment_of_attempt)
def picture(request: StaffRequest, pk: int) -> HttpResponse:
    """One frame as a PNG: `action`, `frame` (from 1; the last by default), `scale` (8)."""
    attempt = find_attempt(request, pk)
    form = PictureForm({"scale": 8} | request.GET.dict())
    if not form.is_valid():
        raise Http404("moment_unknown: the address names no moment of this attempt")
    given = form.cleaned_data
    try:
        frame = queries.find_frame(attempt, given["action"], given["frame"])
    except Refusal as refusal:
        raise Http404(f"{refusal.code}: {refusal.message}") from refusal
    if frame is None:
        raise Http404("moment_unknown: this attempt has no such frame")
    response = HttpResponse(png(frame, given["scale"]), content_type="image/png")
    name = f"{attempt.environment.code}-{name_in_files(attempt)}-action-{given['action']}.png"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    patch_cache_control(response, private=True, max_age=_A_DAY, immutable=True)
    return response


@require_safe
@never_cache
@requires(Right.WATCH_ATTEMPTS)
def exports(request: StaffRequest) -> HttpResponse:
    """The exports that this person may download, newest first, with their progress."""
    page = Paginator(queries.visible_exports(request.user), _ROWS_A_PAGE).get_page(request.GET.get("page"))
    running = any(export.status in UNFINISHED for export in page)
    return render(request, "review/exports.html", {"page": page, "running": running})


def _exported(request: StaffRequest, pk: int) -> QuerySet[Environment]:
    """The environments that an export is about."""
    return queries.environments_of(Export.objects.get(pk=pk))


@require_safe
@never_cache
@requires(Right.WATCH_ATTEMPTS)
@shows(SightingKind.FILE, _exported)
def download(request: StaffRequest, pk: int) -> HttpResponseBase:
    """The file of a finished export."""
    export = _export(request, pk)
    return send_file(request, export, _name(export))


def send_file(request: HttpRequest, export: Export, name: str) -> HttpResponseBase:
    """The file of an export as a download; Http404 if there is none, or not yet."""
    path = folder() / export.file
    if export.status != JobStatus.DONE or not path.is_file():
        raise Http404("export_missing: there is no file, or not yet")
    if isinstance(request, ASGIRequest):
        response: StreamingHttpResponse = StreamingHttpResponse(pieces_of(path.open("rb")))
        response["Content-Length"] = path.stat().st_size
    else:
        response = FileResponse(path.open("rb"))
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


@require_POST
@requires(Right.WATCH_ATTEMPTS)
def cancel(request: StaffRequest, pk: int) -> HttpResponse:
    """Cancels an export."""
    with refusal_told(request):
        cancel_export(_export(request, pk))
    return redirect("review:exports")


async def pieces_of(file: IO[bytes]) -> AsyncIterator[bytes]:
    """A file a megabyte at a time: an asynchronous server would read a `FileResponse` whole."""
    with file:
        while piece := await asyncio.to_thread(file.read, BYTES_AT_ONCE):
            yield piece


def _film_as_watched(request: StaffRequest) -> dict[str, str]:
    """The player's clock, speed and idle time, as its link put them into the address."""
    return {name: request.GET[name] for name in ("clock", "speed", "idle") if name in request.GET}


def _moment(attempt: Attempt, form: PictureForm) -> dict[str, int | None] | None:
    """The moment that the form names; None, with an error in the form, where there is none."""
    if not form.is_valid():
        return None
    given = form.cleaned_data
    if queries.has_frame(attempt, given["action"], given["frame"]):
        return given
    form.add_error("action", forms.ValidationError("There is no such frame.", code="moment_unknown"))
    return None


def _export(request: StaffRequest, pk: int) -> Export:
    """The export; 403 for study data or identified data without the right to it."""
    found = queries.of_people_and_studies().select_related("attempt__environment", "study")
    export = get_object_or_404(found, pk=pk)
    if missing := queries.missing_right(request.user, export):
        raise RightMissing(missing)
    return export


def _name(export: Export) -> str:
    """The file name for the download."""
    subject: Any = export.study and f"study-{export.study.pk}"
    if export.person is not None:
        subject = f"{export.person.label}-data"
    if export.attempt is not None:
        subject = f"{export.attempt.environment.code}-{name_in_files(export.attempt)}"
    return f"{subject}.{extension(export)}"
