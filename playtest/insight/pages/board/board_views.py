"""The pages of the board with its moves, of redundancy with its marks, and of equally hard sets."""

import hashlib
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.pages.board import board as queries
from playtest.insight.pages.board.redundancy import compare
from playtest.insight.pages.board.sets import (
    SETS,
    Candidate,
    compared,
    finished,
    finished_kinds,
    marked_within,
    proposed,
    public,
)
from playtest.insight.scope import EVERYONE
from playtest.insight.services import pipeline
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import refusal_told, tell_refusal
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.sessions.reads import TASKS
from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind
from playtest.rules.redundancy import Standing
from playtest.rules.sets import Division, Mode, divide, require_calibrated, require_several
from playtest.studio.models import Environment, RedundancyMark, ReleaseSet, SightingKind
from playtest.studio.queries.redundancy import all_marks, ranked
from playtest.studio.queries.uploads import waiting_for
from playtest.studio.services.catalogue import assign_sets
from playtest.studio.services.redundancy import LONGEST_REASON, answer, mark_redundant, set_apart
from playtest.studio.shown import shows


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
        "ranked": [] if both else ranked(),
        "awaiting": sum(one.standing is Standing.OPEN for one in marks),
        "longest": LONGEST_REASON,
        "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS),
    }
    return render(request, "insight/pipeline/redundancy.html", context)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def mark(request: StaffRequest, first: str, second: str) -> HttpResponse:
    """Marks two environments as redundant for a `reason`; with `different`, says what sets them apart."""
    one, other = (get_object_or_404(Environment, code=code) for code in (first, second))
    store = set_apart if "different" in request.POST else mark_redundant
    with refusal_told(request):
        store(one, other, request.POST.get("reason", ""), request.user)
    return _compare_again(first, second)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def answer_mark(request: StaffRequest, pk: int) -> HttpResponse:
    """Agrees to somebody else's mark for a `reason`; with `lift`, lifts it."""
    found = get_object_or_404(RedundancyMark.objects.select_related("first", "second"), pk=pk)
    agrees = "lift" not in request.POST
    with refusal_told(request, "You agreed to the mark." if agrees else "You lifted the mark."):
        answer(found, request.POST.get("reason", ""), request.user, agrees=agrees)
    return _compare_again(found.first.code, found.second.code)


def _compare_again(first: str, second: str) -> HttpResponse:
    return redirect(f"{reverse('insight:redundancy')}?first={first}&second={second}")


_MODES = {Mode.EQUAL: "All sets equally hard", Mode.GRADED: "Public set easier, the others equally hard"}


class SetsForm(forms.Form):
    """What is divided, how the sets compare, and the number of environments in each."""

    kind = forms.ChoiceField(choices=[(kind.value, kind.terms.label) for kind in Kind])
    mode = forms.ChoiceField(
        choices=[(mode.value, label) for mode, label in _MODES.items()], label="Difficulty"
    )
    public = forms.IntegerField(min_value=0, max_value=10_000, label="Public demonstration")
    semi_private = forms.IntegerField(min_value=0, max_value=10_000, label="Semi-private")
    private = forms.IntegerField(min_value=0, max_value=10_000, label="Fully private")

    def divide(self, known: list[Candidate]) -> Division:
        """RuleError as `rules.sets.divide`."""
        sizes = [self.cleaned_data[name.value] for name in SETS]
        return divide([one.success for one in known], sizes, Mode(self.cleaned_data["mode"]), public(known))


@require_safe
@requires(Right.READ_BASELINES)
def sets(request: StaffRequest) -> HttpResponse:
    """Proposes sets of the mode and the sizes in the address."""
    bring_up_to_date(EVERYONE.attempts)
    kinds = finished_kinds()
    kind = _kind_of(request.GET, kinds)
    known, untried = finished(kind)
    form = SetsForm({**_thirds(known), **request.GET.dict(), "kind": kind})
    context: dict[str, Any] = {
        "form": form,
        "kinds": {one.value: f"{one.terms.label}s" for one in kinds},
        "kind": kind,
        "tasks": not kind.has_levels,
        "noun": kind.terms.noun,
        "known": known,
        "untried": untried,
        "without_card": [one.environment.code for one in known if one.card is None],
        "stay": [known[number].environment.code for number in sorted(public(known))],
        "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS),
    }
    if known and form.is_valid():
        try:
            division = form.divide(known)
        except RuleError as error:
            form.add_error(None, forms.ValidationError(error.message, code=error.code))
        else:
            found = proposed(known, division)
            context |= {
                "division": division,
                "graded": division.mode is Mode.GRADED,
                "spread": float(division.spread * 100),
                "easier": None if division.easier is None else float(division.easier * 100),
                "proposed": found,
                "compared": compared(found),
                "within": marked_within(found),
                "proposal": _digest(known, division),
                "refused": _refusal(kind, division),
            }
    return render(request, "insight/pipeline/sets.html", context)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def adopt(request: StaffRequest) -> HttpResponse:
    """Puts environments into sets, if the proposal has not changed since it was shown."""
    kind = _kind_of(request.POST, finished_kinds())
    known, _ = finished(kind)
    form = SetsForm({**request.POST.dict(), "kind": kind})
    if not form.is_valid():
        messages.error(request, "Enter the number of environments of each set. (sets_unknown)")
        return redirect("insight:sets")
    try:
        division = form.divide(known)
        if request.POST.get("proposal") != _digest(known, division):
            message = "The proposal has changed because people have played. Check the new one."
            raise RuleError("proposal_changed", message)
        if refused := _refusal(kind, division):
            raise refused
    except RuleError as error:
        tell_refusal(request, error)
        return redirect(f"{reverse('insight:sets')}?{urlencode(form.cleaned_data)}")
    chosen = {one.environment.pk: ReleaseSet.NONE for one in known}
    for name, indices in zip(SETS, division.sets, strict=True):
        chosen |= {known[index].environment.pk: name for index in indices}
    assign_sets(chosen)
    messages.success(request, f"{len(chosen)} {kind.terms.label}s are in their sets.")
    return redirect("insight:board")


def _kind_of(values: QueryDict, kinds: list[Kind]) -> Kind:
    """The kind that is asked for, else the first that anything finished is of."""
    asked = values.get("kind", "")
    return Kind(asked) if asked in kinds else next(iter(kinds or Kind))


def _refusal(kind: Kind, division: Division) -> RuleError | None:
    """Why sets of this kind cannot be adopted."""
    try:
        require_several(division)
        if not kind.has_levels:
            require_calibrated(division)
    except RuleError as error:
        return error
    return None


def _thirds(known: list[Candidate]) -> dict[str, str | int]:
    """Three sizes that differ by at most one and add up, unless more are public already; equally hard."""
    stay = len(public(known))
    first = max(stay, (len(known) + 2) // 3)
    left = len(known) - first
    sizes = dict(zip((name.value for name in SETS), (first, (left + 1) // 2, left // 2), strict=True))
    return {"mode": Mode.EQUAL.value, **sizes}


def _digest(known: list[Candidate], division: Division) -> str:
    """A digest of the proposal: which environments are in which set."""
    codes = [[known[index].environment.code for index in indices] for indices in division.sets]
    return hashlib.sha256("|".join(map(",".join, codes)).encode()).hexdigest()
