"""The lead's page of how long each kind of data is kept."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from playtest.operation.retention.kinds import KEPT, KINDS
from playtest.operation.retention.services import (
    MOST_DAYS,
    MOST_LETTERS,
    Due,
    check_period,
    due,
    preview,
    set_period,
)
from playtest.people.access import StaffRequest, requires
from playtest.people.models import Erasure, RetentionRule
from playtest.people.retention import Period, period
from playtest.people.roles import Right
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal

_MOST_ROWS = 50
_TITLES = {kind.name: kind.title for kind in KINDS}


class PeriodForm(forms.Form):
    """A kind, and for how many days it is kept."""

    kind = forms.ChoiceField(label="Data", choices=[("", "Choose a kind of data"), *_TITLES.items()])
    days = forms.IntegerField(
        label="Kept for how many days",
        required=False,
        min_value=0,
        max_value=MOST_DAYS,
        help_text="Empty: kept for good.",
    )

    def clean(self) -> dict[str, Any]:
        """Refusals of `check_period` are errors of the days."""
        given: dict[str, Any] = super().clean() or {}
        if "kind" in given and "days" in given:
            try:
                check_period(given["kind"], given["days"])
            except Refusal as refusal:
                self.add_error("days", forms.ValidationError(refusal.message, refusal.code))
        return given


class ReasonForm(PeriodForm):
    """The same, with the reason that stays on record."""

    kind = forms.CharField(widget=forms.HiddenInput)
    days = forms.IntegerField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(
        label="Why",
        max_length=MOST_LETTERS,
        help_text="Stays on record with your name.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.WITHDRAW)
def page(request: StaffRequest) -> HttpResponse:
    """How long each kind of data is kept, and what is due; shows what another period would erase; sets it."""
    form = PeriodForm(request.GET if "kind" in request.GET else None)
    reason: ReasonForm | None = None
    if request.method == "POST":
        form, reason = PeriodForm(request.POST), ReasonForm(request.POST)
        if form.is_valid() and reason.is_valid():
            given = reason.cleaned_data
            try:
                rule = set_period(given["kind"], given["days"], given["reason"], request.user)
            except Refusal as refusal:
                reason.add_error("reason", forms.ValidationError(refusal.message, refusal.code))
            else:
                messages.success(request, f"{_TITLES[rule.kind]}: {_said(rule.days)} from now on.")
                return redirect("operation:retention")
    proposed = _proposed(form)
    if request.method != "POST" and proposed and proposed.period.days == period(proposed.kind.name).days:
        proposed = None  # what holds already
    if proposed is not None and reason is None:
        reason = ReasonForm(initial=form.cleaned_data)
    found = preview(machine_now())
    context = {
        "kinds": found,
        "due": sum(one.number or 0 for one in found),
        "form": form,
        "proposed": proposed,
        "proposal": _said(proposed.period.days) if proposed else "",
        "reason": reason,
        "kept": KEPT,
        "rules": [
            (_TITLES.get(one.kind, one.kind), one, _said(one.days)) for one in _newest(RetentionRule, "staff")
        ],
        "erasures": [(_TITLES.get(one.kind, one.kind), one) for one in _newest(Erasure, "rule__staff")],
    }
    status = 400 if request.method == "POST" or form.errors else 200
    return render(request, "operation/retention.html", context, status=status)


def _proposed(form: PeriodForm) -> Due | None:
    """What would be erased today with the period of the form; None if it names none."""
    if not form.is_bound or not form.is_valid():
        return None
    given = form.cleaned_data
    return due(check_period(given["kind"], given["days"]), Period(given["days"]), machine_now())


def _said(days: int | None) -> str:
    if days is None:
        return "kept for good"
    return f"erased {Period(days)}"


def _newest(model: Any, *related: str) -> Any:
    return model.objects.select_related(*related).order_by("-pk")[:_MOST_ROWS]
