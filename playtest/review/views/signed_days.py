"""The page of signed days, the page of one day, and the lists as a file."""

from datetime import date

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.journal.days import trusted_keys
from playtest.review.queries.signed_days import (
    DIFFERS,
    MISSING,
    check_day,
    check_days,
    exported_days,
    head_states,
    listed_heads,
    missing_attempts,
    withdrawn_attempts,
)

_DAYS_A_PAGE, _HEADS_A_PAGE = 50, 200


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
def signed_day(request: StaffRequest, day: date) -> HttpResponse:
    """Checks one day, and shows the state of each of its heads in the journal now."""
    try:
        one = check_day(day)
    except Refusal as refusal:
        return render(request, "review/signed-days.html", {"error": refusal}, status=refusal.status)
    if one is None or one.content is None:
        raise Http404("day_unknown: no list of this day can be read")
    states = head_states(one.content)
    context = {
        "one": one,
        "page": Paginator(states, _HEADS_A_PAGE).get_page(request.GET.get("page")),
        "differing": sum(state in (DIFFERS, MISSING) for _, state in states),
    }
    return render(request, "review/signed-day.html", context)


@require_safe
@requires(Right.TAKE_DATA)
def signed_days_file(request: StaffRequest) -> HttpResponse:
    """All lists with their signatures and public keys (docs/journal.md)."""
    response = JsonResponse(exported_days(), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = 'attachment; filename="signed_days.json"'
    return response
