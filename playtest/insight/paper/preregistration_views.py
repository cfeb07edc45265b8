"""The page of a study's preregistration: what was registered, departures from it, and its files."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import Preregistration
from playtest.insight.paper.planning import PlanForm
from playtest.insight.paper.preregistration import Standing, as_json, as_markdown, standing
from playtest.insight.scope import Scope
from playtest.insight.services.reports import deposit, register, would_register
from playtest.people.access import StaffRequest, requires
from playtest.people.downloads import attachment
from playtest.people.refusals import refusal_told
from playtest.people.roles import Right
from playtest.play.models import Study
from playtest.rules.document import digest_of
from playtest.rules.errors import RuleError
from playtest.rules.planning.plan import Plan, plan
from playtest.rules.preregistration import LONGEST_ANALYSIS, MOST_PEOPLE
from playtest.rules.protocol import statements

_FORMATS = {"json": (as_json, "application/json"), "md": (as_markdown, "text/markdown; charset=utf-8")}


class PreregistrationForm(forms.Form):
    """What the protocol does not say."""

    people = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_PEOPLE,
        label="People to recruit",
        help_text="Leave it empty if recruiting stops by another rule, and say by which below.",
    )
    analysis = forms.CharField(
        required=False,
        max_length=LONGEST_ANALYSIS,
        widget=forms.Textarea(attrs={"rows": 8}),
        label="Hypotheses and analysis",
        help_text="Markdown: what is expected, which test decides, what is left out and why.",
    )


@require_safe
@requires(Right.READ_BASELINES)
def preregistration(request: StaffRequest, pk: int, number: int | None = None) -> HttpResponse:
    """A study's newest preregistration, or the one with a number."""
    return _page(request, get_object_or_404(Study, pk=pk), None, number, request.GET.urlencode())


@require_POST
@requires(Right.MANAGE_STUDIES)
def preregister(request: StaffRequest, pk: int) -> HttpResponse:
    """Registers what the study plans, or shows the page with the refusal."""
    study, form = get_object_or_404(Study, pk=pk), PreregistrationForm(request.POST)
    if not form.is_valid():
        return _page(request, study, form)
    people, analysis = form.cleaned_data["people"], form.cleaned_data["analysis"]
    try:
        made = register(
            study,
            request.user,
            people=people,
            analysis=analysis,
            plan=found.document if (found := _plan(study, request.POST.get("plan", ""))) else None,
            seen=request.POST.get("seen") or None,
        )
    except RuleError as error:
        form.add_error(None, forms.ValidationError(error.message, code=error.code))
        return _page(request, study, form)
    messages.success(request, f"Preregistration {made.number} is stored. It cannot be changed.")
    return redirect("insight:preregistration", pk)


@require_POST
@requires(Right.MANAGE_STUDIES)
def registry(request: StaffRequest, pk: int, number: int) -> HttpResponse:
    """Stores where a preregistration was deposited."""
    found = get_object_or_404(Preregistration, study=pk, number=number)
    with refusal_told(request, "The address is stored with the preregistration."):
        deposit(found, request.user, request.POST.get("address", ""))
    return redirect("insight:preregistration-numbered", pk, number)


@require_safe
@requires(Right.READ_BASELINES)
def file(request: StaffRequest, pk: int, number: int, format: str) -> HttpResponse:  # noqa: A002
    """A preregistration as JSON or Markdown."""
    found = get_object_or_404(Preregistration.objects.select_related("study"), study=pk, number=number)
    if format not in _FORMATS:
        raise Http404(f"A preregistration has no format {format!r}.")
    write, kind = _FORMATS[format]
    name = f"study-{pk}-preregistration-{number}-{found.digest[:12]}.{format}"
    return attachment(write(standing(found)), name, kind)


def _page(
    request: StaffRequest,
    study: Study,
    form: PreregistrationForm | None,
    number: int | None = None,
    query: str = "",
) -> HttpResponse:
    """The page; without a form that was sent, a change of plan begins with what was registered.

    `query` is that of the plan to register, as the page of plans writes it; "" for none.
    """
    bring_up_to_date(Scope(study).attempts)
    found = _find(study, number)
    before = {"people": found.registered.people, "analysis": found.registered.analysis} if found else {}
    query = request.POST.get("plan", query)
    try:
        found_plan = _plan(study, query)
    except RuleError as error:
        raise Http404(f"{error.code}: {error.message}") from error
    if found_plan is not None:
        before["people"] = found_plan.forecast.recruiting.people
    form = form or PreregistrationForm(initial=before)
    context = {
        "study": study,
        "found": found,
        "numbers": list(study.preregistrations.order_by("-number").values_list("number", flat=True)),
        "form": form,
        "plan": found_plan,
        "plan_query": query,
        "may_register": request.user.may(Right.MANAGE_STUDIES) and not study.rehearsal,
        "statements": statements(found.registered.protocol, study.currency) if found else {},
        **_next(study),
    }
    return render(request, "insight/evidence/preregistration.html", context)


def _plan(study: Study, query: str) -> Plan | None:
    """The plan that the query of an address assumes; None for "". RuleError as `PlanForm.first_error`."""
    if not query:
        return None
    form = PlanForm(QueryDict(query).dict())
    if not form.is_valid():
        raise form.first_error
    return plan(form.assumptions(study))


def _find(study: Study, number: int | None) -> Standing | None:
    """The one with the number, or the newest; None without any. Http404 for an unknown number."""
    stored = study.preregistrations.select_related("registered_by")
    if number is not None:
        return standing(get_object_or_404(stored, number=number))
    newest = stored.order_by("-number").first()
    return standing(newest) if newest else None


def _next(study: Study) -> dict[str, Any]:
    """What would be registered now, or why nothing can be."""
    try:
        planned = would_register(study)
    except RuleError as error:
        return {"obstacle": error}
    return {"planned": planned, "seen": digest_of(planned.document)}
