"""Staff pages of pay: the overview, one study, one session, and batches with the file for the payer."""

from collections.abc import Iterable

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, Sum
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.center import form_tokens
from playtest.center.pay import money
from playtest.center.pay.accounts import (
    Payout,
    balance_of,
    chosen_accounts,
    differences,
    payouts_of,
    preview,
    solved_of,
    waiting,
)
from playtest.center.pay.forms import AdjustmentForm, BudgetForm, ChoiceForm, DecisionForm
from playtest.center.pay.models import Adjustment, AdjustmentReason, PayAccount, PayBatch, Receipt
from playtest.center.pay.services import (
    check_choice,
    decide_adjustment,
    enter_adjustment,
    issue_receipt,
    make_batch,
    set_budget,
)
from playtest.center.pay.totals import pay_of_studies, study_pay
from playtest.center.schedule.times import local
from playtest.people.access import StaffRequest, requires
from playtest.people.downloads import attachment
from playtest.people.refusals import refusal_in, refusal_told
from playtest.people.roles import Right
from playtest.play.models import Session, Study
from playtest.play.models.study import held_here
from playtest.rules.pay import NOTHING, LineKind
from playtest.rules.spreadsheets import csv_text

COLUMNS = ("receipts", "date", "payee", "amount", "currency")


def payer_file(payouts: Iterable[Payout]) -> str:
    """CSV with a line for each person. `date` is the day of the last session in the center's time zone."""
    rows = ((" ".join(one.receipts), one.day, one.payee, f"{one.amount:.2f}") for one in payouts)
    return csv_text(COLUMNS, ((*row, settings.CENTER_CURRENCY) for row in rows))


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.EXPORT_PAY)
def new_batch(request: StaffRequest) -> HttpResponse:
    """GET previews what a choice of sessions would pay; POST makes the batch."""
    if request.method == "POST" and (earlier := form_tokens.earlier_result(request)):
        return redirect("center:pay-batch", earlier)
    form = ChoiceForm(request.POST if request.method == "POST" else request.GET)
    found: list[Payout] = []
    if form.is_valid():
        study, since, until = (form.cleaned_data[name] for name in ("study", "since", "until"))
        with refusal_in(form):
            check_choice(study, since, until)
            if request.method == "POST":
                made = make_batch(study, since, until, request.user)
                form_tokens.store_result(request, made.pk)
                messages.success(request, f"Batch {made.number} is made. Download its file for the payer.")
                return redirect("center:pay-batch", made.pk)
            found = preview(chosen_accounts(study, since, until))
    context = {
        "form": form,
        "payouts": found,
        "total": money.shown(sum((one.amount for one in found), NOTHING)),
        "form_token": form_tokens.new_token(),
    }
    return render(request, "center/pay/new-batch.html", context)


@require_safe
@requires(Right.EXPORT_PAY)
def batch(request: StaffRequest, pk: int) -> HttpResponse:
    """A batch: when it was made, by whom, and who is paid what."""
    found = get_object_or_404(PayBatch.objects.select_related("study", "made_by"), pk=pk)
    return render(request, "center/pay/batch.html", {"batch": found, "payouts": payouts_of(found)})


@require_safe
@requires(Right.EXPORT_PAY)
def batch_file(request: StaffRequest, pk: int) -> HttpResponse:
    """The batch as CSV for the payer. It can be downloaded again at any time."""
    found = get_object_or_404(PayBatch, pk=pk)
    return attachment(payer_file(payouts_of(found)), f"pay-{found.number}.csv", "text/csv; charset=utf-8")


_ROWS_A_PAGE = 50
_BATCHES_SHOWN = 20


@require_safe
@requires(Right.ENTER_PAY)
def overview(request: StaffRequest) -> HttpResponse:
    """Every study with its hours, dollars and budget; what waits for approval; the newest batches."""
    studies = list(Study.objects.filter(held_here()).order_by("-open", "-created_at"))
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
        with refusal_in(form):
            set_budget(found, values["cap"], values["warn_percent"], values["reason"], request.user)
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
    with refusal_told(request):
        decide_adjustment(adjustment, approved=approved, text=form.cleaned_data["text"], staff=request.user)
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


@require_POST
@requires(Right.ENTER_PAY)
def adjust(request: StaffRequest, pk: int) -> HttpResponse:
    """Enters an adjustment of a session's pay. A form that is sent twice enters one."""
    session = get_object_or_404(Session, pk=pk)
    form = AdjustmentForm(request.POST)
    if not form.is_valid():
        for name, errors in form.errors.as_data().items():
            for error in errors:
                messages.error(request, f"{form[name].label}: {' '.join(error.messages)} ({error.code})")
        return redirect("center:session", pk)
    values = form.cleaned_data
    with refusal_told(request):
        with form_tokens.once(request, pk) as first:
            if first:
                reason = AdjustmentReason(values["reason"])
                enter_adjustment(session, values["amount"], reason, values["text"], request.user)
        messages.success(
            request, f"{money.shown(values['amount'])} is entered. It is paid once somebody else approves it."
        )
    return redirect("center:session", pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.ENTER_PAY)
def receipt(request: StaffRequest, pk: int) -> HttpResponse:
    """The receipt of an account, to print. POST prints an original; what GET shows is marked as a copy."""
    accounts = PayAccount.objects.select_related("participant", "study", "link__session__protocol")
    account = get_object_or_404(accounts, pk=pk)
    newest: Receipt | None
    original = False
    if request.method == "POST":
        newest, original = issue_receipt(account, request.user)
    else:
        newest = account.receipts.order_by("-edition").select_related("issued_by").first()
    solved, rate = solved_of(account) or (None, None)
    adjustments = account.lines.filter(kind=LineKind.ADJUSTMENT).select_related("adjustment")
    context = {
        "account": account,
        "receipt": newest,
        "original": original,
        "outdated": newest is not None and newest.total != balance_of(account).owed,
        "balance": balance_of(account),
        "solved": solved,
        "rate": rate,
        "adjustments": adjustments.order_by("pk"),
        "day": local(account.held_at).date(),
        "payee": account.participant.reference or account.participant.label,
        "center_name": settings.CENTER_NAME,
        "center_address": settings.CENTER_ADDRESS,
        "currency": settings.CENTER_CURRENCY,
    }
    return render(request, "center/pay/receipt.html", context)
