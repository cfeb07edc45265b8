"""The page that divides finished environments into sets that are equally hard for people."""

import hashlib
from dataclasses import dataclass
from fractions import Fraction

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from playtest.insight.pipeline.sets import finished
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.rules.sets import Division, divide
from playtest.studio.models import Environment, ReleaseSet
from playtest.studio.services.catalogue import assign_sets

_SETS = (ReleaseSet.PUBLIC, ReleaseSet.SEMI_PRIVATE, ReleaseSet.PRIVATE)


class SizesForm(forms.Form):
    """The number of environments in each set."""

    public = forms.IntegerField(min_value=0, max_value=10_000, label="Public demonstration")
    semi_private = forms.IntegerField(min_value=0, max_value=10_000, label="Semi-private")
    private = forms.IntegerField(min_value=0, max_value=10_000, label="Fully private")

    def sizes(self) -> list[int]:
        return [self.cleaned_data[name.value] for name in _SETS]


@dataclass(frozen=True)
class ProposedSet:
    """A set with its mean success in percent (None if empty) and that of each environment."""

    name: ReleaseSet
    mean: float | None
    environments: list[tuple[Environment, float]]


@require_safe
@requires(Right.READ_BASELINES)
def sets(request: StaffRequest) -> HttpResponse:
    """Proposes sets of the sizes in the address."""
    known, untried = finished()
    form = SizesForm(request.GET or _thirds(len(known)))
    context = {
        "form": form,
        "known": known,
        "untried": untried,
        "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS),
    }
    if known and form.is_valid():
        try:
            division = divide([share for _, share in known], form.sizes())
        except RuleError as error:
            form.add_error(None, forms.ValidationError(error.message, code=error.code))
        else:
            spread = float(division.spread * 100)
            context |= {
                "division": division,
                "spread": spread,
                "proposed": _proposed(known, division),
                "proposal": _digest(known, division),
            }
    return render(request, "insight/pipeline/sets.html", context)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def adopt(request: StaffRequest) -> HttpResponse:
    """Puts environments into sets, if the proposal has not changed since it was shown."""
    known, _ = finished()
    form = SizesForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Enter the number of environments of each set. (sets_unknown)")
        return redirect("insight:sets")
    try:
        division = divide([share for _, share in known], form.sizes())
        if request.POST.get("proposal") != _digest(known, division):
            message = "The proposal has changed because people have played. Check the new one."
            raise RuleError("proposal_changed", message)
    except RuleError as error:
        messages.error(request, f"{error.message} ({error.code})")
        return redirect(f"{reverse('insight:sets')}?{urlencode(form.cleaned_data)}")
    chosen = {environment.pk: ReleaseSet.NONE for environment, _ in known}
    for name, indices in zip(_SETS, division.sets, strict=True):
        chosen |= {known[index][0].pk: name for index in indices}
    assign_sets(chosen)
    messages.success(request, f"{len(chosen)} environments are in their sets.")
    return redirect("insight:board")


def _thirds(count: int) -> dict[str, int]:
    """Three sizes that differ by at most one and add up to `count`."""
    return {name.value: (count + more) // len(_SETS) for name, more in zip(_SETS, (2, 1, 0), strict=True)}


def _digest(known: list[tuple[Environment, Fraction]], division: Division) -> str:
    """A digest of the proposal: which environments are in which set."""
    codes = "|".join(",".join(known[index][0].code for index in indices) for indices in division.sets)
    return hashlib.sha256(codes.encode()).hexdigest()


def _proposed(known: list[tuple[Environment, Fraction]], division: Division) -> list[ProposedSet]:
    return [
        ProposedSet(
            name,
            None if mean is None else float(mean * 100),
            [(known[index][0], float(known[index][1] * 100)) for index in indices],
        )
        for name, mean, indices in zip(_SETS, division.means, division.sets, strict=True)
    ]
