"""The pages of a study's data, of signed days, and of withdrawal."""

from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playtest.jobs.queue import Queue, warn_if_unreachable
from playtest.people.access import StaffRequest, requires
from playtest.people.models import Participant
from playtest.people.refusals import refusal_in, tell_refusal
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.journal.signer import trusted_keys
from playtest.play.models import Study
from playtest.review import codebook
from playtest.review.models import ExportKind
from playtest.review.queries.signed_days import (
    check_days,
    exported_days,
    listed_heads,
    missing_attempts,
    withdrawn_attempts,
)
from playtest.review.services.dataset import KINDS
from playtest.review.services.exports import request_dataset
from playtest.review.services.person_export import request_person_export
from playtest.review.services.withdrawal import (
    data_counts,
    find_participant,
    sentences_before,
    withdraw,
    withdrawals,
)
from playtest.review.tasks.exports import make_export
from playtest.rules.text import whole_number


class DataForm(forms.Form):
    """The study and the format of its data."""

    study = forms.ModelChoiceField(Study.objects.order_by("name"), empty_label=None)
    kind = forms.ChoiceField(label="Files", choices=[(kind.value, kind.label) for kind in KINDS])
    identified = forms.BooleanField(
        label="Include pseudonyms, recruiter's references, reviewers and their texts",
        required=False,
        help_text="Recorded with your name.",
    )


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Right.TAKE_DATA)
def data(request: StaffRequest) -> HttpResponse:
    """Describes the data of a study, with a form to request it; `?study=` chooses it."""
    chosen = whole_number(request.GET.get("study", ""))
    form = DataForm(request.POST if request.method == "POST" else None, initial={"study": chosen})
    if not request.user.may(Right.TAKE_IDENTIFIED):
        del form.fields["identified"]
    if request.method == "POST" and form.is_valid():
        given, queue = form.cleaned_data, Queue(make_export)
        with refusal_in(form):
            request_dataset(
                given["study"],
                ExportKind(given["kind"]),
                request.user,
                queue,
                identified=bool(request.POST.get("identified")),
            )
            warn_if_unreachable(request, queue)
            return redirect("review:exports")
    context = {"form": form, "tables": codebook.TABLES, "studies": Study.objects.exists()}
    return render(request, "review/dataset.html", context)


_DAYS_A_PAGE = 50


@require_safe
@requires(Right.TAKE_DATA)
def signed_days(request: StaffRequest) -> HttpResponse:
    """Checks every signed day, newest first, and names attempts that are missing from the journal."""
    try:
        days = check_days()
        keys = sorted(key.hex() for key in trusted_keys())
    except Refusal as refusal:
        return render(request, "review/signed-days.html", {"error": refusal}, status=refusal.status)
    listed = listed_heads(days)
    withdrawn = withdrawn_attempts(listed)
    context = {
        "page": Paginator(days[::-1], _DAYS_A_PAGE).get_page(request.GET.get("page")),
        "wrong": sum(not day.ok for day in days),
        "missing": missing_attempts(listed, withdrawn),
        "withdrawn": withdrawn,
        "keys": keys,
    }
    return render(request, "review/signed-days.html", context)


@require_safe
@requires(Right.TAKE_DATA)
def signed_days_file(request: StaffRequest) -> HttpResponse:
    """All lists with their signatures and public keys (docs/journal.md)."""
    response = JsonResponse(exported_days(), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = 'attachment; filename="signed_days.json"'
    return response


@require_POST
@requires(Right.TAKE_IDENTIFIED)
def person_export(request: StaffRequest, pk: int) -> HttpResponse:
    """Requests the file with all that is stored of a person."""
    person, queue = get_object_or_404(Participant, pk=pk), Queue(make_export)
    try:
        request_person_export(person, request.user, queue)
    except Refusal as refusal:
        tell_refusal(request, refusal)
        return redirect(f"{reverse('review:withdrawal')}?{urlencode({'participant': person.label})}")
    warn_if_unreachable(request, queue)
    return redirect("review:exports")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@requires(Right.WITHDRAW)
def withdrawal(request: StaffRequest) -> HttpResponse:
    """Finds a person, shows what would be deleted, and deletes it after confirmation."""
    name = (request.POST if request.method == "POST" else request.GET).get("participant", "")
    person, error = find_participant(name), None
    if name and person is None:
        error = Refusal("participant_unknown", "Nobody has this pseudonym or reference. Check the spelling.")
    elif request.method == "POST" and person is not None:
        try:
            if request.POST.get("confirmation", "").strip().upper() != person.label.upper():
                message = f"Type the pseudonym {person.label} to confirm. Nothing was deleted."
                raise Refusal("confirmation_wrong", message)
            before = sentences_before(person)
            withdraw(person, request.user)
            messages.success(request, " ".join((f"All data of {person.label} was deleted.", *before)))
            return redirect("review:withdrawal")
        except Refusal as refusal:
            error = refusal
    context = {
        "name": name,
        "person": person,
        "belongings": data_counts(person) if person else None,
        "before": sentences_before(person) if person else [],
        "taken": person.data_exports.select_related("staff").order_by("pk") if person else [],
        "error": error,
        "withdrawals": withdrawals(),
    }
    return render(request, "review/withdrawal.html", context)
