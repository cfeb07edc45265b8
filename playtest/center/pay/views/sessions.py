"""What the page of a session has about pay: adjustments and receipts."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from playtest.center import form_tokens
from playtest.center.pay import money
from playtest.center.pay.forms import AdjustmentForm
from playtest.center.pay.models import AdjustmentReason, PayAccount, Receipt
from playtest.center.pay.queries.accounts import balance_of, solved_of
from playtest.center.pay.services.adjustments import enter_adjustment
from playtest.center.pay.services.receipts import issue_receipt
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Session
from playtest.rules.pay import LineKind


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
    try:
        with form_tokens.once(request, pk) as first:
            if first:
                reason = AdjustmentReason(values["reason"])
                enter_adjustment(session, values["amount"], reason, values["text"], request.user)
    except Refusal as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
    else:
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
        "day": money.day_of(account.held_at),
        "payee": account.participant.reference or account.participant.label,
        "center_name": settings.CENTER_NAME,
        "center_address": settings.CENTER_ADDRESS,
        "currency": settings.CENTER_CURRENCY,
    }
    return render(request, "center/pay/receipt.html", context)
