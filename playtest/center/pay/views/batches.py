"""Batches for the payer: a preview, the batch, and its file."""

from django.contrib import messages
from django.forms import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from playtest.center import form_tokens
from playtest.center.pay import money
from playtest.center.pay.forms import ChoiceForm
from playtest.center.pay.models import PayBatch
from playtest.center.pay.payer_file import payer_file
from playtest.center.pay.queries.accounts import Payout, chosen_accounts, payouts_of, preview
from playtest.center.pay.services.batches import check_choice, make_batch
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.rules.pay import NOTHING


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
        try:
            check_choice(study, since, until)
            if request.method == "POST":
                made = make_batch(study, since, until, request.user)
                form_tokens.store_result(request, made.pk)
                messages.success(request, f"Batch {made.number} is made. Download its file for the payer.")
                return redirect("center:pay-batch", made.pk)
            found = preview(chosen_accounts(study, since, until))
        except Refusal as refusal:
            form.add_error(None, ValidationError(refusal.message, code=refusal.code))
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
    response = HttpResponse(payer_file(payouts_of(found)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="pay-{found.number}.csv"'
    return response
