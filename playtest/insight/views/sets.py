"""Finished environments divided into sets that are equally hard for people."""

from dataclasses import dataclass
from fractions import Fraction

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from playtest.insight.queries.sets import finished
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.rules.sets import Division, divide
from playtest.studio.models import Environment, ReleaseSet
from playtest.studio.services.catalogue import assign_sets

_SETS = (ReleaseSet.PUBLIC, ReleaseSet.SEMI_PRIVATE, ReleaseSet.PRIVATE)


class SizesForm(forms.Form):
    """How many environments each set shall have."""

    public = forms.IntegerField(min_value=0, max_value=10_000, label="Public demonstration")
    semi_private = forms.IntegerField(min_value=0, max_value=10_000, label="Semi-private")
    private = forms.IntegerField(min_value=0, max_value=10_000, label="Fully private")

    def sizes(self) -> list[int]:
        return [self.cleaned_data[name.value] for name in _SETS]


@dataclass(frozen=True)
class ProposedSet:
    """`mean` in per cent, None of an empty set; each environment with its success in per cent."""

    name: ReleaseSet
    mean: float | None
    environments: list[tuple[Environment, float]]


@require_safe
@requires(Right.READ_BASELINES)
def sets(request: StaffRequest) -> HttpResponse:
    """A proposal for the sizes in the address."""
    known = finished()
    form = SizesForm(request.GET or _thirds(len(known)))
    context = {"form": form, "known": known, "may_manage": request.user.may(Right.MANAGE_ENVIRONMENTS)}
    if known and form.is_valid():
        try:
            division = divide([share for _, share in known], form.sizes())
        except RuleError as error:
            form.add_error(None, forms.ValidationError(error.message, code=error.code))
        else:
            spread = float(division.spread * 100)
            context |= {"division": division, "spread": spread, "proposed": _proposed(known, division)}
    return render(request, "insight/sets.html", context)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def adopt(request: StaffRequest) -> HttpResponse:
    """Put the finished environments into the sets that are proposed for these sizes."""
    known = finished()
    form = SizesForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Say how many environments each set shall have. (sets_unknown)")
        return redirect("insight:sets")
    try:
        division = divide([share for _, share in known], form.sizes())
    except RuleError as error:
        messages.error(request, f"{error.message} ({error.code})")
        return redirect("insight:sets")
    chosen = {environment.pk: ReleaseSet.NONE for environment, _ in known}
    for name, indices in zip(_SETS, division.sets, strict=True):
        chosen |= {known[index][0].pk: name for index in indices}
    assign_sets(chosen)
    messages.success(request, f"{len(chosen)} environments have their sets.")
    return redirect("insight:board")


def _thirds(count: int) -> dict[str, int]:
    return {name.value: count // len(_SETS) for name in _SETS}


def _proposed(known: list[tuple[Environment, Fraction]], division: Division) -> list[ProposedSet]:
    return [
        ProposedSet(
            name,
            None if mean is None else float(mean * 100),
            [(known[index][0], float(known[index][1] * 100)) for index in indices],
        )
        for name, mean, indices in zip(_SETS, division.means, division.sets, strict=True)
    ]
