"""The page on which a person's data is deleted when they withdraw consent."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.review.queries.withdrawal import (
    data_counts,
    find_participant,
    other_records_sentence,
    withdrawals,
)
from playtest.review.services.withdrawal import withdraw


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
            others = other_records_sentence(person)
            withdraw(person, request.user)
            messages.success(request, f"All data of {person.label} was deleted. {others}")
            return redirect("review:withdrawal")
        except Refusal as refusal:
            error = refusal
    context = {
        "name": name,
        "person": person,
        "belongings": data_counts(person) if person else None,
        "other_records": other_records_sentence(person) if person else "",
        "error": error,
        "withdrawals": withdrawals(),
    }
    return render(request, "review/withdrawal.html", context)
