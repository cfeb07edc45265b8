"""The list of attempts, the replay page, its journal and official recording, and verification."""

from base64 import b64encode
from urllib.parse import urlencode

from asgiref.sync import async_to_sync
from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST, require_safe

from engine.play.frames import Frame
from playtest.center.interventions import services as voids
from playtest.center.models import Void
from playtest.people.access import RightMissing, StaffRequest, requires
from playtest.people.refusals import refusal_told, tell_refusal
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.review.journal_document import end_document, journal_document
from playtest.review.official_recording import file_name, recording_lines
from playtest.review.queries import attempts as queries
from playtest.review.queries.exclusions import exclusions
from playtest.review.record_check import RECORD_CODES
from playtest.review.services.faults import acknowledge_fault
from playtest.review.services.play_as_recording import keep_as_recording
from playtest.review.services.verification import verify_one
from playtest.review.task_document import solution_document
from playtest.review.video.pictures import png
from playtest.review.views.attempt_filters import Filters
from playtest.review.views.blind import hides_outcome, remember_shown, without_outcome
from playtest.review.views.json_api import environment_of_attempt, find_attempt, refusals_as_json
from playtest.rules.text import whole_number
from playtest.studio.models import SightingKind
from playtest.studio.shown import may_read_source, shows

_ROWS_A_PAGE = 20


@require_safe
@requires(Right.WATCH_ATTEMPTS)
def attempts(request: StaffRequest) -> HttpResponse:
    """Attempts that match the filters, twenty a page."""
    filters = Filters(request.GET)
    given, sort = filters.given, filters.order
    page = Paginator(filters.attempts(), _ROWS_A_PAGE).get_page(request.GET.get("page"))
    excluded = exclusions()
    rows = [
        (
            queries.with_current_totals(attempt),
            queries.why_not_counted(attempt),
            queries.why_excluded(attempt, excluded),
        )
        for attempt in page
    ]
    context = {
        "filters": filters,
        "filtered": bool(given),
        "moment": filters.moment,
        "list": urlencode({"list": filters.address}),
        "page": page,
        "rows": rows,
        "sort": sort,
    }
    return render(request, "review/attempts.html", context)


@require_safe
@requires(Right.WATCH_REPLAYS)
def attempt(request: StaffRequest, pk: int) -> HttpResponse:
    """The replay of one attempt, an agent's run or an internal play."""
    found = queries.with_current_totals(find_attempt(request, pk))
    if found.session_id is None:
        may_watch = request.user.may(Right.WATCH_ATTEMPTS)
        may_keep = found.version.kind.has_program and request.user.may(Right.MANAGE_ENVIRONMENTS)
        rights = {"may_watch": may_watch, "may_keep": may_keep}
        return render(request, "review/run.html", {"attempt": found, **rights})
    blind = hides_outcome(request, found.session_id)
    if not blind:
        remember_shown(request, found.session_id)
    context = {
        "blind": blind,
        "attempt": found,
        "reason": queries.why_not_counted(found),
        "excluded": queries.why_excluded(found, exclusions()),
        "void": queries.void_of(found),
        "may_review": request.user.may(Right.REVIEW_EFFORT),
        "may_run_sessions": request.user.may(Right.RUN_SESSIONS),
        "may_see_solution": not found.version.kind.has_levels
        and may_read_source(request.user, found.environment),
    }
    return render(request, "review/attempt.html", context)


@require_safe
@requires(Right.WATCH_REPLAYS)
@shows(SightingKind.REPLAY, environment_of_attempt)
@refusals_as_json
def journal(request: StaffRequest, pk: int) -> JsonResponse:
    """The attempt's journal for the replay; 409 with a code where it is damaged.

    Whoever judges its session blind is not told how it ended.
    """
    attempt = find_attempt(request, pk)
    document = journal_document(attempt)
    blind = hides_outcome(request, attempt.session_id)
    return JsonResponse(without_outcome(document) if blind else document)


@require_safe
@requires(Right.WATCH_REPLAYS)
@shows(SightingKind.REPLAY, environment_of_attempt)
@refusals_as_json
def end(request: StaffRequest, pk: int) -> JsonResponse:
    """The last seconds of one level of the attempt; 409 with a code where its journal is damaged."""
    found, level = find_attempt(request, pk), whole_number(request.GET.get("level", ""))
    if found.session_id is not None and hides_outcome(request, found.session_id):
        remember_shown(request, found.session_id)
    return JsonResponse(end_document(found, level or 0))


@require_safe
@requires(Right.UPLOAD_VERSIONS)
@shows(SightingKind.SOURCE, environment_of_attempt)
@refusals_as_json
def solution(request: StaffRequest, pk: int) -> JsonResponse:
    """The solutions of the attempt's task, for its owner and for who imports sources."""
    found = find_attempt(request, pk)
    if not may_read_source(request.user, found.environment):
        raise RightMissing(Right.IMPORT_ENVIRONMENTS)
    return JsonResponse(solution_document(found))


@require_safe
@requires(Right.WATCH_ATTEMPTS)
@shows(SightingKind.FILE, environment_of_attempt)
def recording(request: StaffRequest, pk: int) -> HttpResponse:
    """The attempt as an official JSONL file; 409 with a code where the journal is damaged."""
    found = find_attempt(request, pk)
    try:
        lines = "".join(recording_lines(found))
    except Refusal as refusal:
        return _refused(refusal)
    response = HttpResponse(lines, content_type="application/jsonl")
    response["Content-Disposition"] = content_disposition_header(True, file_name(found))
    return response


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def keep(request: StaffRequest, pk: int) -> HttpResponse:
    """Keeps the play as a recording of its version."""
    with refusal_told(request, "The play is a recording of its version now."):
        keep_as_recording(find_attempt(request, pk), request.user)
    return redirect("review:attempt", pk)


@require_POST
@requires(Right.WATCH_ATTEMPTS)
def acknowledge(request: StaffRequest, pk: int) -> HttpResponse:
    """Acknowledges an environment fault, so that the notice on every page no longer counts it."""
    with refusal_told(request):
        acknowledge_fault(find_attempt(request, pk).pk, request.user)
    return redirect("review:attempt", pk)


@require_POST
@requires(Right.REVIEW_EFFORT)
def reverse_void(request: StaffRequest, pk: int) -> HttpResponse:
    """Reverses the void that the reviewer saw on the attempt's page."""
    void = get_object_or_404(
        Void, attempt=find_attempt(request, pk), pk=whole_number(request.POST.get("void", ""))
    )
    with refusal_told(request, "The void is reversed: the attempt is part of the results again."):
        voids.reverse_void(void, request.user, request.POST.get("text", ""))
    return redirect("review:attempt", pk)


def _refused(refusal: Refusal) -> HttpResponse:
    sentence = f"{refusal.message} ({refusal.code})\n"
    return HttpResponse(sentence, status=refusal.status, content_type="text/plain; charset=utf-8")


_PIXELS_A_CELL = 6


@require_POST
@requires(Right.WATCH_REPLAYS)
def check(request: StaffRequest, pk: int) -> HttpResponse:
    """Verifies an attempt and shows the first difference, if any, with both frames."""
    attempt = find_attempt(request, pk)
    try:
        found = async_to_sync(verify_one)(attempt.pk)
    except Refusal as refusal:
        tell_refusal(request, refusal)
        return redirect("review:attempt", pk)
    difference = found.difference
    context = {
        "attempt": attempt,
        "found": found,
        "difference": difference,
        "others": found.differences[1:],
        "replays": difference is not None and difference.code in RECORD_CODES,
        "recorded": _picture(difference.recorded) if difference else None,
        "played": _picture(difference.played) if difference else None,
    }
    return render(request, "review/verification.html", context)


def _picture(frame: Frame | None) -> str | None:
    """The frame as a data URL for an `img`."""
    return (
        frame if frame is None else f"data:image/png;base64,{b64encode(png(frame, _PIXELS_A_CELL)).decode()}"
    )
