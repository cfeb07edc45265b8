"""The list of decisions, and reversing one."""

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.review.models import Decision
from playtest.review.queries import decisions as queries
from playtest.review.services import decisions as services

_ROWS_A_PAGE = 50


@require_safe
@requires(Right.REVIEW_EFFORT)
def decisions(request: StaffRequest) -> HttpResponse:
    """Every decision that this reviewer may know now, newest first."""
    page = Paginator(queries.shown_to(request.user), _ROWS_A_PAGE).get_page(request.GET.get("page"))
    rows = [(decision, queries.status_label(decision)) for decision in page]
    return render(request, "review/decisions.html", {"page": page, "rows": rows})


@require_POST
@requires(Right.REVIEW_EFFORT)
def reverse(request: StaffRequest, pk: int) -> HttpResponse:
    """Reverses a decision."""
    reason = request.POST.get("reason", "")
    return _redirect_after(
        request,
        pk,
        "Reversed.",
        lambda: services.reverse(pk, request.user, reason, request.POST.get("explanation", "")),
    )


def _redirect_after(
    request: StaffRequest, pk: int, message: str, act: Callable[[], Decision]
) -> HttpResponse:
    decision = get_object_or_404(Decision, pk=pk)
    try:
        act()
    except Refusal as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    else:
        messages.success(request, message)
    return redirect("review:case", decision.session_id)
