"""The pay of a slot at its end: all amounts, all receipts as one PDF, and who was paid in cash."""

from collections import defaultdict

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playtest.center.pay.accounts import balance_of, payee_of
from playtest.center.pay.payments import issue_receipt, pay_in_cash
from playtest.center.pay.receipts import accounts_of_slot, printed, receipts_pdf
from playtest.center.schedule.cards_pdf import PAPERS
from playtest.center.schedule.models import Slot
from playtest.center.schedule.views.slots import paper_of, pdf
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import tell_refusal
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.models import Session
from playtest.rules.pay import NOTHING, amount_text
from playtest.rules.text import persons, whole_number


@require_safe
@requires(Right.ENTER_PAY)
def slot_pay(request: StaffRequest, pk: int) -> HttpResponse:
    """What everybody of the slot has earned, and what of it is unpaid.

    `unsigned` in the address: whose ticks were removed when the others were noted.
    """
    slot = get_object_or_404(Slot.objects.select_related("study"), pk=pk)
    accounts = accounts_of_slot(slot).prefetch_related("lines")
    rows = [(account, payee_of(account.participant)[0], balance_of(account)) for account in accounts]
    running = Session.objects.filter(booking__slot=slot, checked_in_at__isnull=False, ended_at=None)
    context = {
        "slot": slot,
        "rows": rows,
        "currency": slot.study.currency,
        "owed": sum((balance.owed for _, _, balance in rows), NOTHING),
        "unpaid": sum((balance.unpaid for _, _, balance in rows), NOTHING),
        "playing": running.count(),
        "papers": PAPERS,
        "paid_here": not slot.study.stands_alone,
        "may_export": request.user.may(Right.EXPORT_PAY),
        "unsigned": {whole_number(one) for one in request.GET.getlist("unsigned")},
    }
    return render(request, "center/pay/slot.html", context)


@require_POST
@requires(Right.ENTER_PAY)
def slot_receipts(request: StaffRequest, pk: int) -> HttpResponse:
    """A sheet with all amounts and all receipts of the slot; of an amount that was printed before a copy."""
    slot = get_object_or_404(Slot.objects.select_related("study"), pk=pk)
    found = []
    for account in accounts_of_slot(slot):
        receipt, original = issue_receipt(account, request.user)
        found.append(printed(account, receipt.number, "Original" if original else "Copy"))
    if not found:
        tell_refusal(request, Refusal("nothing_to_pay", "Nobody of this slot has earned anything yet."))
        return redirect("center:slot-pay", pk)
    owed = sum((balance_of(account).owed for account in accounts_of_slot(slot)), NOTHING)
    title = f"{settings.CENTER_NAME} · {slot}"
    content = receipts_pdf(title, amount_text(owed, slot.study.currency), found, paper_of(request))
    return pdf(content, f"receipts-slot-{pk}.pdf")


@require_POST
@requires(Right.ENTER_PAY)
def slot_cash(request: StaffRequest, pk: int) -> HttpResponse:
    """Notes as paid in cash who was ticked; who cannot be is named and does not keep the others from it."""
    slot = get_object_or_404(Slot, pk=pk)
    chosen = [whole_number(one) for one in request.POST.getlist("account")]
    paid, refused = 0, defaultdict[tuple[str, str], list[str]](list)
    for account in accounts_of_slot(slot).filter(pk__in=[one for one in chosen if one is not None]):
        try:
            pay_in_cash(account, request.user)
            paid += 1
        except Refusal as refusal:
            refused[refusal.code, refusal.message].append(payee_of(account.participant)[0])
    for (code, message), payees in refused.items():
        tell_refusal(request, Refusal(code, f"{', '.join(payees)}: {message}"))
    if paid:
        messages.success(request, f"Noted: {persons(paid)} paid in cash.")
    left = [one.pk for one in accounts_of_slot(slot) if one.pk not in chosen and balance_of(one).unpaid > 0]
    return redirect(reverse("center:slot-pay", args=[pk], query={"unsigned": left} if left else None))
