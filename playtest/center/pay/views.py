"""Staff pages of pay: the overview, one study, one session, and batches with the file for the payer."""

from collections.abc import Iterable

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, Sum
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.center import form_tokens
from playtest.center.pay.accounts import (
    Payout,
    balance_of,
    chosen_accounts,
    currency_of,
    payouts_of,
    preview,
    seen_of,
    state_of,
    unpaid_amounts,
    waiting,
)
from playtest.center.pay.differences import differences
from playtest.center.pay.forms import AdjustmentForm, BudgetForm, ChoiceForm, DecisionForm
from playtest.center.pay.models import Adjustment, AdjustmentReason, PayAccount, PayBatch, Receipt
from playtest.center.pay.payments import (
    check_choice,
    issue_receipt,
    make_batch,
    note_sent,
    pay_in_cash,
    take_back,
    undo_cash,
)
from playtest.center.pay.receipts import printed
from playtest.center.pay.services import decide_adjustment, enter_adjustment, set_budget
from playtest.center.pay.totals import pay_of_studies, study_pay
from playtest.people.access import StaffRequest, requires
from playtest.people.downloads import attachment
from playtest.people.refusals import refusal_in, refusal_told
from playtest.people.roles import Right
from playtest.play.models import Session, Study
from playtest.play.models.study import held_here
from playtest.rules.pay import NOTHING, PAYING, PaymentState, Unpaid, amount_number, amount_text
from playtest.rules.spreadsheets import csv_text, guarded_formula
from playtest.rules.text import whole_number

WHAT_BECAME = {PaymentState.FAILED: "could not be sent", PaymentState.RETURNED: "came back"}
COLUMNS = ("receipts", "date", "payee", "amount", "currency", "address")


def payer_file(payouts: Iterable[Payout], currency: str) -> str:
    """CSV with a line for each person. `date` is the day of the last session in the center's time zone.

    `address` is of somebody who has withdrawn, whom nobody else here can reach.
    """
    return csv_text(
        COLUMNS,
        (
            (
                " ".join(one.receipts),
                one.day,
                one.payee,
                amount_number(one.amount, currency),
                currency,
                one.address,
            )
            for one in payouts
        ),
        guarded_formula,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.EXPORT_PAY)
def new_batch(request: StaffRequest) -> HttpResponse:
    """GET previews what a choice of sessions would pay; POST makes the batch."""
    if request.method == "POST" and (earlier := form_tokens.earlier_result(request)):
        return redirect("center:pay-batch", earlier)
    form = ChoiceForm(request.POST if request.method == "POST" else request.GET)
    paid: dict[int, list[Unpaid]] = {}
    currency = currency_of(None)
    if form.is_valid():
        study, since, until, slot = (form.cleaned_data[name] for name in ("study", "since", "until", "slot"))
        currency = currency_of(study, form.cleaned_data.get("currency", ""))
        with refusal_in(form):
            check_choice(study, since, until)
            paid = unpaid_amounts(chosen_accounts(study, since, until, slot), currency)
            if request.method == "POST":
                seen = request.POST.get("seen") or "not shown"
                made = make_batch(study, since, until, request.user, currency, seen, slot)
                form_tokens.store_result(request, made.pk)
                messages.success(request, f"Batch {made.number} is made. Download its file for the payer.")
                return redirect("center:pay-batch", made.pk)
    found = preview(paid)
    context = {
        "form": form,
        "seen": seen_of(paid),
        "payouts": found,
        "currency": currency,
        "total": amount_text(sum((one.amount for one in found), NOTHING), currency),
        "form_token": form_tokens.new_token(),
    }
    return render(request, "center/pay/new-batch.html", context)


@require_safe
@requires(Right.EXPORT_PAY)
def batch(request: StaffRequest, pk: int) -> HttpResponse:
    """A batch: when it was made, by whom, and who is paid what."""
    found = get_object_or_404(PayBatch.objects.select_related("study", "made_by"), pk=pk)
    sent = found.payment_notes.filter(account=None).select_related("entered_by").first()
    context = {"batch": found, "payouts": payouts_of(found), "sent": sent}
    return render(request, "center/pay/batch.html", context)


@require_POST
@requires(Right.EXPORT_PAY)
def batch_sent(request: StaffRequest, pk: int) -> HttpResponse:
    """The payer has sent the batch."""
    with refusal_told(request, "Noted: the payer has sent this batch."):
        note_sent(get_object_or_404(PayBatch, pk=pk), request.user)
    return redirect("center:pay-batch", pk)


@require_POST
@requires(Right.EXPORT_PAY)
def batch_returned(request: StaffRequest, pk: int) -> HttpResponse:
    """A payment of the batch did not arrive: it is owed again."""
    with refusal_told(request):
        found = get_object_or_404(PayBatch, pk=pk)
        account = whole_number(request.POST.get("account", "")) or 0
        state = take_back(found, account, request.POST.get("text", ""), request.user)
        messages.success(request, f"Noted: this payment {WHAT_BECAME[state]}. It is owed again.")
    return redirect("center:pay-batch", pk)


@require_POST
@requires(Right.ENTER_PAY)
def cash(request: StaffRequest, pk: int) -> HttpResponse:
    """An account was paid in cash, and its receipt is signed."""
    with refusal_told(request, "Noted: paid in cash and signed. No batch pays it again."):
        pay_in_cash(get_object_or_404(PayAccount, pk=pk), request.user)
    return redirect("center:pay-receipt", pk)


@require_POST
@requires(Right.ENTER_PAY)
def cash_undone(request: StaffRequest, pk: int) -> HttpResponse:
    """The newest payment of an account was noted as cash by mistake: it is owed again."""
    with refusal_told(request, "Noted: this was not paid. It is owed again."):
        undo_cash(get_object_or_404(PayAccount, pk=pk), request.POST.get("text", ""), request.user)
    return redirect("center:pay-receipt", pk)


@require_safe
@requires(Right.EXPORT_PAY)
def batch_file(request: StaffRequest, pk: int) -> HttpResponse:
    """The batch as CSV for the payer. It can be downloaded again at any time."""
    found = get_object_or_404(PayBatch, pk=pk)
    text = payer_file(payouts_of(found), found.currency)
    return attachment(text, f"pay-{found.number}.csv", "text/csv; charset=utf-8")


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
    found = get_object_or_404(Study, pk=pk)
    return _study_page(request, found, BudgetForm(found.currency))


@require_POST
@requires(Right.APPROVE_PAY)
def budget(request: StaffRequest, pk: int) -> HttpResponse:
    """Sets the study's budget."""
    found = get_object_or_404(Study, pk=pk)
    form = BudgetForm(found.currency, request.POST)
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
    paid = Sum("lines__amount", filter=Q(lines__kind__in=PAYING))
    owed = Sum("lines__amount", filter=~Q(lines__kind__in=PAYING))
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
    form = AdjustmentForm(session.study.currency, request.POST)
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
        amount = amount_text(values["amount"], session.study.currency)
        messages.success(request, f"{amount} is entered. It is paid once somebody else approves it.")
    return redirect("center:session", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.ENTER_PAY)
def receipt(request: StaffRequest, pk: int) -> HttpResponse:
    """The receipt of an account, to print. POST prints an original; what GET shows is marked as a copy."""
    accounts = PayAccount.objects.select_related("participant__payee", "study", "link__session__protocol")
    account = get_object_or_404(accounts, pk=pk)
    newest: Receipt | None
    original = False
    if request.method == "POST":
        newest, original = issue_receipt(account, request.user)
    else:
        newest = account.receipts.order_by("-edition").select_related("issued_by").first()
    mark = "Original" if original else "Copy" if newest else "Draft"
    balance = balance_of(account)
    context = {
        "account": account,
        "receipt": newest,
        "original": original,
        "outdated": newest is not None and newest.total != balance.owed,
        "balance": balance,
        "state": state_of(account),
        "in_cash": PaymentState.CASH,
        "printed": printed(account, newest.number if newest else account.number, mark),
        "center_name": settings.CENTER_NAME,
        "center_address": settings.CENTER_ADDRESS,
    }
    return render(request, "center/pay/receipt.html", context)
