"""Exports of runs: requests, their record, and the files."""

from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from playtest.arena.models import Scorecard
from playtest.arena.pages.cards import FilesForm, card_or_404
from playtest.arena.runs.exports import environments_of, request_runs, run_exports
from playtest.jobs.models import UNFINISHED
from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import tell_refusal
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.review.models import ExportKind
from playtest.review.tasks.exports import make_export
from playtest.review.views.exports import send_file
from playtest.studio.models import Environment, SightingKind
from playtest.studio.shown import shows

_ROWS_A_PAGE = 50


@require_safe
@never_cache
@requires(Right.READ_BOARDS)
def exports(request: StaffRequest) -> HttpResponse:
    """Who took which runs as files, and when; each person's own files to download."""
    page = Paginator(run_exports(), _ROWS_A_PAGE).get_page(request.GET.get("page"))
    running = any(export.status in UNFINISHED for export in page)
    return render(request, "arena/exports.html", {"page": page, "running": running})


@require_POST
@requires(Right.READ_BOARDS)
def export_card(request: StaffRequest, card_id: UUID) -> HttpResponse:
    """Requests the runs of a scorecard as files."""
    return _request(request, card_or_404(card_id))


@require_POST
@requires(Right.READ_BOARDS)
def export_environment(request: StaffRequest, code: str) -> HttpResponse:
    """Requests all runs of an environment as files."""
    return _request(request, get_object_or_404(Environment, code=code))


def _exported(request: StaffRequest, pk: int) -> QuerySet[Environment]:
    """The environments whose runs are in the file."""
    return environments_of(run_exports().get(pk=pk).options)


@require_safe
@never_cache
@requires(Right.READ_BOARDS)
@shows(SightingKind.FILE, _exported)
def export_file(request: StaffRequest, pk: int) -> HttpResponseBase:
    """The file of an export, for the person who is recorded as having taken it."""
    export = get_object_or_404(run_exports(), pk=pk, requested_by=request.user)
    subject = export.options.get("environment") or f"card-{export.options['card'][:8]}"
    return send_file(request, export, f"runs-{subject}.zip")


def _request(request: StaffRequest, chosen: Scorecard | Environment) -> HttpResponse:
    form, queue = FilesForm(request.POST), Queue(make_export)
    try:
        if not form.is_valid():
            raise Refusal("format_unknown", "Choose Parquet or CSV.")
        request_runs(chosen, ExportKind(form.cleaned_data["kind"]), request.user, queue)
    except Refusal as refusal:
        tell_refusal(request, refusal)
        if isinstance(chosen, Scorecard):
            return redirect("arena:card", chosen.card_id)
        return redirect("arena:environment", chosen.code)
    warn_if_unreachable(request, queue)
    return redirect("arena:exports")
