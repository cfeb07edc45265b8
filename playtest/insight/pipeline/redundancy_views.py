"""The page that compares two environments, and marking them as redundant."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playtest.insight.pipeline.redundancy import compare, pairs
from playtest.insight.scope import EVERYONE
from playtest.insight.services.results import bring_up_to_date
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.studio.models import Environment, SightingKind
from playtest.studio.services.pairs import mark_redundant, unmark_redundant
from playtest.studio.shown import shows

_LONGEST_REASON = 2_000


def _compared(request: StaffRequest) -> QuerySet[Environment]:
    """The two environments in the address."""
    codes = [request.GET.get("first", ""), request.GET.get("second", "")]
    return Environment.objects.filter(code__in=codes, current__isnull=False)


@require_safe
@requires(Right.READ_BASELINES)
@shows(SightingKind.FRAMES, _compared)
def redundancy(request: StaffRequest) -> HttpResponse:
    """Compares the two environments in the address; without two, lists the marked pairs."""
    candidates = Environment.objects.filter(current__isnull=False).only("code", "title")
    codes = [request.GET.get("first", ""), request.GET.get("second", "")]
    known = Environment.objects.select_related("current").defer("current__source")
    chosen = {found.code: found for found in known.filter(code__in=codes, current__isnull=False)}
    both = len(chosen) == 2
    if both:
        bring_up_to_date(EVERYONE.attempts.filter(environment__in=chosen.values()))
    context = {
        "candidates": candidates,
        "codes": codes,
        "unclear": any(codes) and not both,
        "comparison": compare(chosen[codes[0]], chosen[codes[1]]) if both else None,
        "pairs": pairs(),
        "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS),
    }
    return render(request, "insight/pipeline/redundancy.html", context)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def mark(request: StaffRequest, first: str, second: str) -> HttpResponse:
    """Marks two environments as redundant for a `reason`; `unmark` removes the mark."""
    one, other = (get_object_or_404(Environment, code=code) for code in (first, second))
    try:
        if "unmark" in request.POST:
            unmark_redundant(one, other)
        else:
            reason = request.POST.get("reason", "")[:_LONGEST_REASON]
            mark_redundant(one, other, reason, request.user)
    except RuleError as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    return redirect(f"{reverse('insight:redundancy')}?first={first}&second={second}")
