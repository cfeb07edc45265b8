"""The page "Pay" and the pages of a study's pay: totals, what waits for approval, budgets."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, Sum
from django.forms import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playtest.center.pay.forms import BudgetForm, DecisionForm
from playtest.center.pay.models import Adjustment, PayAccount, PayBatch
from playtest.center.pay.queries.accounts import waiting
from playtest.center.pay.queries.check import differences
from playtest.center.pay.queries.totals import pay_of_studies, study_pay
from playtest.center.pay.services.adjustments import decide_adjustment
from playtest.center.pay.services.booking import set_budget
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.rules.pay import LineKind

_ROWS_A_PAGE = 50
_BATCHES_SHOWN = 20


@require_safe
@requires(Right.ENTER_PAY)
def overview(request: StaffRequest) -> HttpResponse:
    """Every study with its hours, dollars and budget; what waits for approval; the newest batches."""
    studies = list(Study.objects.filter(rehearsal=False).order_by("-open", "-created_at"))
    found = pay_of_studies(studies)
    context = {
        "studies": found,
        "warnings": [one.warning for one in found if one.warning],
        "waiting": list(waiting()),
        "batches": PayBatch.objects.select_related("study", "made_by").order_by("-pk")[:_BATCHES_SHOWN],
        "may_approve": request.user.may(Right.APPROVE_PAY),
        "may_export": request.user.may(Right.EXPORT_PAY),
    }
    return render(request, "center/pay/overview.html", context)


@require_safe
@requires(Right.ENTER_PAY)
def study(request: StaffRequest, pk: int) -> HttpResponse:
    """One study: its totals, its budget with earlier ones, and its sessions with their balance."""
    return _study_page(request, get_object_or_404(Study, pk=pk), BudgetForm())


@require_POST
@requires(Right.APPROVE_PAY)
def budget(request: StaffRequest, pk: int) -> HttpResponse:
    """Sets the study's budget."""
    found = get_object_or_404(Study, pk=pk)
    form = BudgetForm(request.POST)
    if form.is_valid():
        values = form.cleaned_data
        try:
            set_budget(found, values["cap"], values["warn_percent"], values["reason"], request.user)
        except Refusal as refusal:
            form.add_error(None, ValidationError(refusal.message, code=refusal.code))
        else:
            messages.success(request, "The budget is set.")
            return redirect("center:pay-study", pk)
    return _study_page(request, found, form)


@require_POST
@requires(Right.APPROVE_PAY)
def decide(request: StaffRequest, pk: int) -> HttpResponse:
    """Approves or refuses an adjustment."""
    adjustment = get_object_or_404(Adjustment.objects.select_related("account"), pk=pk)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose Approve or Refuse, with at most 500 characters. (decision_invalid)")
        return redirect("center:pay")
    approved = form.cleaned_data["approve"] == "yes"
    try:
        decide_adjustment(adjustment, approved=approved, text=form.cleaned_data["text"], staff=request.user)
    except Refusal as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    else:
        messages.success(request, f"The adjustment is {'approved' if approved else 'refused'}.")
    return redirect("center:pay")


def _study_page(request: StaffRequest, study: Study, form: BudgetForm) -> HttpResponse:
    paid = Sum("lines__amount", filter=Q(lines__kind=LineKind.PAYMENT))
    owed = Sum("lines__amount", filter=~Q(lines__kind=LineKind.PAYMENT))
    accounts = PayAccount.objects.filter(study=study).select_related("participant", "link")
    rows = accounts.annotate(owed=owed, paid=paid, unpaid=Sum("lines__amount")).order_by("-pk")
    context = {
        "study": study,
        "pay": study_pay(study),
        "differences": differences(study),
        "form": form,
        "budgets": study.budgets.select_related("set_by").order_by("-pk"),
        "page": Paginator(rows, _ROWS_A_PAGE).get_page(request.GET.get("page")),
        "may_approve": request.user.may(Right.APPROVE_PAY),
    }
    return render(request, "center/pay/study.html", context)
