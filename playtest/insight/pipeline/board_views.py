"""The page of the board, and moves between stages."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playtest.insight.pipeline import board as queries
from playtest.insight.scope import EVERYONE
from playtest.insight.services import pipeline
from playtest.insight.services.results import bring_up_to_date
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.sessions.reads import TASKS
from playtest.studio.models import Environment
from playtest.studio.queries.uploads import waiting_for


@require_safe
@requires(Right.READ_BASELINES)
def board(request: StaffRequest) -> HttpResponse:
    """Every environment in its stage; `q`: only those that match."""
    bring_up_to_date(EVERYONE.attempts.filter(TASKS))
    search = request.GET.get("q", "").strip()[:100]
    columns = queries.board(search=search)
    context = {
        "search": search,
        "total": Environment.objects.count(),
        "columns": columns,
        "count": sum(len(column.cards) for column in columns),
        "ready": sum(bool(card.onward) and not card.blocks for column in columns for card in column.cards),
        "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS),
        "may_import": request.user.may(Right.IMPORT_ENVIRONMENTS),
        "may_upload": request.user.may(Right.UPLOAD_VERSIONS),
        "waiting": waiting_for(request.user),
        "may_watch": request.user.may(Right.WATCH_ATTEMPTS),
    }
    return render(request, "insight/pipeline/board.html", context)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def move(request: StaffRequest, code: str) -> HttpResponse:
    """Moves an environment `to` a stage for a `reason`; the board shows a refusal."""
    environment = get_object_or_404(Environment.objects.select_related("current"), code=code)
    reason = request.POST.get("reason", "")[:2_000]
    try:
        made = pipeline.move(environment, request.POST.get("to", ""), request.user, reason)
    except Refusal as refusal:
        messages.error(request, f"{code} was not moved: {refusal.message} ({refusal.code})")
    else:
        messages.success(request, f"{code} is now in {made.after.capitalize()}.")
    return redirect(f"{reverse('insight:board')}#{code}")
