"""The page that compares two environments, marking them as redundant, and answering such a mark."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playtest.insight.pipeline.redundancy import compare
from playtest.insight.scope import EVERYONE
from playtest.insight.services.results import bring_up_to_date
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.rules.redundancy import Standing
from playtest.studio.models import Environment, RedundancyMark, SightingKind
from playtest.studio.queries.redundancy import all_marks
from playtest.studio.services.redundancy import LONGEST_REASON, answer, mark_redundant
from playtest.studio.shown import shows


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
    marks = [] if both else all_marks()
    context = {
        "candidates": candidates,
        "codes": codes,
        "unclear": any(codes) and not both,
        "comparison": compare(chosen[codes[0]], chosen[codes[1]]) if both else None,
        "marks": marks,
        "awaiting": sum(one.standing is Standing.OPEN for one in marks),
        "longest": LONGEST_REASON,
        "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS),
    }
    return render(request, "insight/pipeline/redundancy.html", context)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def mark(request: StaffRequest, first: str, second: str) -> HttpResponse:
    """Marks two environments as redundant for a `reason`."""
    one, other = (get_object_or_404(Environment, code=code) for code in (first, second))
    try:
        mark_redundant(one, other, request.POST.get("reason", ""), request.user)
    except RuleError as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    return _compare_again(first, second)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def answer_mark(request: StaffRequest, pk: int) -> HttpResponse:
    """Agrees to somebody else's mark for a `reason`; with `lift`, lifts it."""
    found = get_object_or_404(RedundancyMark.objects.select_related("first", "second"), pk=pk)
    agrees = "lift" not in request.POST
    try:
        answer(found, request.POST.get("reason", ""), request.user, agrees=agrees)
    except RuleError as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    else:
        messages.success(request, "You agreed to the mark." if agrees else "You lifted the mark.")
    return _compare_again(found.first.code, found.second.code)


def _compare_again(first: str, second: str) -> HttpResponse:
    return redirect(f"{reverse('insight:redundancy')}?first={first}&second={second}")
