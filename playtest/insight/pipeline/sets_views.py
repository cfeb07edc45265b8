"""The page that divides finished environments into sets, equally hard or graded."""

import hashlib
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from playtest.insight.pipeline.sets import (
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
from playtest.insight.services.results import bring_up_to_date
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.rules.kinds import Kind
from playtest.rules.sets import Division, Mode, divide, require_calibrated
from playtest.studio.models import ReleaseSet
from playtest.studio.services.catalogue import assign_sets

_KINDS = {Kind.INTERACTIVE: "Interactive environments", Kind.TASK: "Static tasks"}
_MODES = {Mode.EQUAL: "All sets equally hard", Mode.GRADED: "Public set easier, the others equally hard"}


class SetsForm(forms.Form):
    """What is divided, how the sets compare, and the number of environments in each."""

    kind = forms.ChoiceField(choices=[(kind.value, label) for kind, label in _KINDS.items()])
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
        "kinds": {one.value: _KINDS[one] for one in kinds},
        "kind": kind,
        "tasks": kind is Kind.TASK,
        "noun": "task" if kind is Kind.TASK else "environment",
        "known": known,
        "untried": untried,
        "without_card": [one.environment for one in known if one.card is None],
        "stay": [known[number].environment for number in sorted(public(known))],
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
        messages.error(request, f"{error.message} ({error.code})")
        return redirect(f"{reverse('insight:sets')}?{urlencode(form.cleaned_data)}")
    chosen = {one.environment.pk: ReleaseSet.NONE for one in known}
    for name, indices in zip(SETS, division.sets, strict=True):
        chosen |= {known[index].environment.pk: name for index in indices}
    assign_sets(chosen)
    noun = "static tasks" if kind is Kind.TASK else "environments"
    messages.success(request, f"{len(chosen)} {noun} are in their sets.")
    return redirect("insight:board")


def _kind_of(values: QueryDict, kinds: list[Kind]) -> Kind:
    """The kind that is asked for, else the first that anything finished is of."""
    asked = values.get("kind", "")
    return Kind(asked) if asked in kinds else next(iter(kinds), Kind.INTERACTIVE)


def _refusal(kind: Kind, division: Division) -> RuleError | None:
    """Why sets of this kind cannot be adopted."""
    try:
        if kind is Kind.TASK:
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
